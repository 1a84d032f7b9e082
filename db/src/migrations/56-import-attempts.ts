import { Migration } from '@mikro-orm/migrations';

/** How often a worker began to write an import: one that stops its worker each time is not tried forever. */
export class ImportAttempts extends Migration {
  override up(): void {
    this.addSql('alter table imports add column attempts integer not null default 0 check (attempts >= 0);');
  }
}
