import { Migration } from '@mikro-orm/migrations';
import { asSystem, keepSilent } from './tenant-table.ts';

keepSilent('loan_tapes', ['restatements']);

/**
 * How often the assets of a tape were published again. Replaced attempts are deleted with their objects, so they cannot
 * be counted later; of those before, the ones that are left count.
 */
const restatements = `
set local lock_timeout = '10s';
alter table loan_tapes
  add column restatements integer not null default 0 constraint loan_tapes_restatements check (restatements >= 0);
set local lock_timeout = default;
${asSystem(`update loan_tapes t set restatements = replaced.count from (
  select tape_id, count(*)::integer as count from tape_generations where status = 'Superseded' group by tape_id) as replaced
  where replaced.tape_id = t.id and t.generation_id is not null;`)}`;

/** Counts how often a tape is published again. */
export class Restatements extends Migration {
  override up(): void {
    this.addSql(restatements);
  }
}
