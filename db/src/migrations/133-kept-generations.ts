import { Migration } from '@mikro-orm/migrations';
import { asSystem } from './tenant-table.ts';

/** Until now all generations of a tape had its mapping. From now on, each states its own. */
const mappings = `
update tape_generations g
  set manifest = g.manifest || jsonb_build_object('mapping', jsonb_build_object('id', t.mapping_id, 'version', t.mapping_version))
  from loan_tapes t where t.id = g.tape_id and g.manifest is not null and g.manifest -> 'mapping' is null;`;

/**
 * Objects of a replaced generation were moved to the trash after seven days and deleted after seven more. What was
 * replaced longer ago may have lost some, so it is not kept for its borrowing bases. The day less is for processes of
 * the version before this one, which may sweep once more during an upgrade.
 */
const swept = `
update tape_generations g set manifest = g.manifest || '{"swept": true}'
  where g.status = 'Superseded' and coalesce(
    (select min(next.published_at) from tape_generations next
      where next.tape_id = g.tape_id and next.published_at > g.published_at),
    '-infinity') < now() - interval '13 days';`;

/**
 * A calculation used to overwrite the results by asset of the one before, if both were of one generation and contract.
 * No user did this, so the history does not record it.
 */
const overwritten = `
set local lock_timeout = '10s';
alter table borrowing_bases disable trigger borrowing_bases_history;
update borrowing_bases earlier set result_key = null
  where earlier.status <> 'Active' and exists (select from borrowing_bases later
    where later.tape_id = earlier.tape_id and later.contract_id = earlier.contract_id
      and later.code > earlier.code and later.result_key = earlier.result_key);
alter table borrowing_bases enable trigger borrowing_bases_history;
set local lock_timeout = default;`;

/** Lets the sweep keep the generations that borrowing bases were calculated from. */
export class KeptGenerations extends Migration {
  override up(): void {
    this.addSql(asSystem(mappings + swept + overwritten));
  }
}
