import { Migration } from '@mikro-orm/migrations';

/**
 * Investors may know who the general partners and the management company of their funds are, and nothing else of them:
 * not their bank accounts, contacts or addresses. Policies are per row, so the fund has a copy of the names, which an
 * edit of an entity updates.
 */
const partyNames = `
alter table funds add column party_names jsonb not null default '{}' check (jsonb_typeof(party_names) = 'object');
create function party_names_of(ids text[]) returns jsonb stable language sql
  return (select coalesce(jsonb_object_agg(id, name), '{}') from entities where id = any (ids));
create function name_parties_of_fund() returns trigger language plpgsql as $$ begin
  new.party_names := party_names_of(new.gp_ids::text[] || new.management_company_id::text);
  return new;
end $$;
create trigger funds_party_names before insert or update of gp_ids, management_company_id on funds
  for each row execute function name_parties_of_fund();
create function rename_parties_of_funds() returns trigger language plpgsql as $$ begin
  update funds set party_names = party_names || jsonb_build_object(new.id, new.name)
    where manager_id = new.manager_id and (new.id = any (gp_ids) or management_company_id = new.id)
      and party_names ->> new.id is distinct from new.name;
  return null;
end $$;
create trigger entities_party_names after insert or update of name on entities
  for each row execute function rename_parties_of_funds();
update funds set party_names = party_names_of(gp_ids::text[] || management_company_id::text);`;

/** The commitment in force on a day, as the program calculates it: zero before the closing date. */
const committedAt = `
create function committed_at(closing date, active numeric, deltas jsonb, day date) returns numeric
  immutable parallel safe language sql
  return case when day < closing then 0 else active + (
    select coalesce(sum((delta ->> 'amount')::numeric), 0) from jsonb_array_elements(deltas) as delta
    where (delta ->> 'date')::date <= day) end;`;

/**
 * The names of a fund's parties for its investors, and what is committed to a fund on a day.
 */
export class FundParties extends Migration {
  override up(): void {
    this.addSql([partyNames, committedAt].join('\n'));
  }
}
