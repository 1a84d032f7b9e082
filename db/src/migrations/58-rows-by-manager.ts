import { Migration } from '@mikro-orm/migrations';
import { managersSeen } from './tenant-table.ts';

const NOT_BY_INDEX = String.raw`(\( SELECT actor_sees_all\(\) AS actor_sees_all\)) OR \((\(?manager_id\)?(?:::text)?) = \( SELECT actor_manager\(\) AS actor_manager\)\)`;
const BY_INDEX = String.raw`(\2 = ( SELECT actor_manager() AS actor_manager)) OR (\2 >= actor_managers_from() AND \2 <= actor_managers_to()) OR (manager_id IS NULL AND \1)`;

/** Gives a database from before the change the policies that a new one has from the start. */
const policies = `
${managersSeen}
do $$ declare
  changed record;
  old text := '${NOT_BY_INDEX}';
  new text := '${BY_INDEX}';
begin
  for changed in select * from pg_policies where schemaname = current_schema and (qual ~ old or with_check ~ old) loop
    execute format('alter policy %I on %I', changed.policyname, changed.tablename)
      || coalesce(' using (' || regexp_replace(changed.qual, old, new, 'g') || ')', '')
      || coalesce(' with check (' || regexp_replace(changed.with_check, old, new, 'g') || ')', '');
  end loop;
end $$;
create index if not exists tape_generations_manager_id_idx on tape_generations (manager_id);`;

/** A manager's rows are read by the index of the manager, instead of the rows of all managers. */
export class RowsByManager extends Migration {
  override up(): void {
    this.addSql(policies);
  }
}
