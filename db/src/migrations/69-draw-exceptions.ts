import { Migration } from '@mikro-orm/migrations';
import { exceptionsHold } from './17-draws.ts';

/** Existing databases know the exceptions of draws of their time. */
export class DrawExceptions extends Migration {
  override up(): void {
    this.addSql(`create or replace ${exceptionsHold}`);
  }
}
