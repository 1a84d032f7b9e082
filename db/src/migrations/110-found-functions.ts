import { Migration } from '@mikro-orm/migrations';

/**
 * pg_restore and replication write rows with an empty search path, so that a check whose function calls another by its
 * name alone refused them: a copy that pg_dump made could not be restored.
 */
export class FoundFunctions extends Migration {
  override up(): void {
    for (const name of ['note_rules_hold(jsonb)', 'names_hold(jsonb)']) {
      this.addSql(`alter function ${name} set search_path from current`);
    }
  }
}
