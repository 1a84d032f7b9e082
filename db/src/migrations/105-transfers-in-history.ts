import { Migration } from '@mikro-orm/migrations';
import { asSystem } from './tenant-table.ts';

/**
 * Titles of transfers from before migration 97 named the other investor, and the history kept them. Where the owner of
 * the tables is not a superuser, that migration changed no row either: row-level security showed it none.
 */
const titles = `
create function titles_without_names(deltas jsonb) returns jsonb language sql as $$
  select case when jsonb_typeof(deltas) <> 'array' then deltas else (
    select coalesce(jsonb_agg(case when delta ->> 'transfer' is not null and delta ->> 'title' ~ '^Transfer (from|to) '
      then delta || jsonb_build_object('title', 'Transfer ' ||
        case when (delta ->> 'amount')::numeric < 0 then 'to' else 'from' end || ' another investor')
      else delta end order by place), '[]')
    from jsonb_array_elements(deltas) with ordinality as listed (delta, place)) end $$;

alter table lp_commitments disable trigger user;
update lp_commitments set deltas = titles_without_names(deltas)
where jsonb_path_exists(deltas, '$[*].transfer') and deltas <> titles_without_names(deltas);
alter table lp_commitments enable trigger user;

-- The program never changes its history; here names leave it.
drop policy update on history;
create policy update on history for update using (true) with check (true);
update history set updated_fields = (
  select jsonb_agg(case when field ->> 'field' = 'deltas' then field || jsonb_build_object(
    'old', titles_without_names(field -> 'old'), 'new', titles_without_names(field -> 'new')) else field end order by place)
  from jsonb_array_elements(updated_fields) with ordinality as listed (field, place))
where resource = 'LPCommitments'
  and jsonb_path_exists(updated_fields, '$[*] ? (@.field == "deltas").**.transfer ? (@ != null)');
drop policy update on history;
create policy update on history for update using (false) with check (false);

drop function titles_without_names(jsonb);`;

/** The history names no investor of a transfer either. */
export class TransfersInHistory extends Migration {
  override up(): void {
    this.addSql(asSystem(titles));
  }
}
