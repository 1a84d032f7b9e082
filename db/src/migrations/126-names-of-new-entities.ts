import { Migration } from '@mikro-orm/migrations';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

/**
 * Parties that are stored before their entity get its name. Few are: they are looked for by the ids of the new entities,
 * and only where there are any are they compared with each new entity. Without statistics of its tables, PostgreSQL
 * compared every fund with every new entity, so that an import of thousands took longer with each row.
 */
const namesOfNew = `
create or replace function name_parties_of_new() returns trigger language plpgsql set enable_seqscan = off as $$
declare${ACTOR}
  ids text[] := array(select id::text from added);
  naming text[];
begin${AS_SYSTEM}
  ${['managers', 'companies', 'lps']
    .map(
      (table) => `if exists (select from ${table} where entity_id = any (ids)) then
    update ${table} party set name = added.name, formal_id = added.formal_id, country = added.country
      from added where party.entity_id = any (ids) and party.entity_id = added.id
        and (party.name, party.formal_id, party.country) is distinct from (added.name, added.formal_id, added.country);
  end if;`,
    )
    .join('\n  ')}
  if exists (select from funds where entity_id = any (ids)) then
    update funds set name = added.name from added
      where funds.entity_id = any (ids) and funds.entity_id = added.id and funds.name <> added.name;
  end if;${AS_ACTOR}
  naming := array(select f.id::text from funds f where f.management_company_id = any (ids)
    or exists (select from unnest(f.gp_ids) as gp (id) where gp.id = any (ids)));
  if cardinality(naming) > 0 then
    update funds set party_names = party_names_of(gp_ids::text[] || management_company_id::text)
      where id = any (naming) and party_names is distinct from party_names_of(gp_ids::text[] || management_company_id::text);
  end if;
  return null;
end $$;`;

/** Looks for the parties of new entities by their ids. */
export class NamesOfNewEntities extends Migration {
  override up(): void {
    this.addSql(namesOfNew);
  }
}
