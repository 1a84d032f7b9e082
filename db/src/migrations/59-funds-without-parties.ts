import { Migration } from '@mikro-orm/migrations';

/**
 * Funds that name no general partner, service provider or management company are stored without looking for these: the
 * policies of entities cost milliseconds for each row, which is most of the time that an import of 3,000 funds takes.
 */
const parties = `
create or replace function check_parties_of_fund() returns trigger language plpgsql as $$ begin
  if cardinality(new.gp_ids) > 0 then
    if exists (select from unnest(new.gp_ids) as gp (id)
        where not exists (select from entities where entities.id = gp.id and manager_id = new.manager_id)) then
      raise exception 'a general partner is not one of the manager' using errcode = 'foreign_key_violation', constraint = 'funds_parties';
    end if;
  end if;
  if cardinality(new.service_provider_ids) > 0 then
    if exists (select from unnest(new.service_provider_ids) as provider (id)
        where not exists (select from service_providers where service_providers.id = provider.id and manager_id = new.manager_id)) then
      raise exception 'a service provider is not one of the manager' using errcode = 'foreign_key_violation', constraint = 'funds_parties';
    end if;
  end if;
  return null;
end $$;
create or replace function name_parties_of_fund() returns trigger language plpgsql as $$ begin
  if cardinality(new.gp_ids) = 0 and new.management_company_id is null then
    new.party_names := '{}';
  else
    new.party_names := party_names_of(new.gp_ids::text[] || new.management_company_id::text);
  end if;
  return new;
end $$;`;

/**
 * The funds that name a new entity are found first, and few are: the names of the parties of every fund were put together
 * for each statement that added entities, once a tenant had thousands of funds.
 */
const names = `
create or replace function name_parties_of_new() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  blocked text := coalesce(current_setting('tapeline.blocked', true), '');
  naming text[];
begin
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);
  ${['managers', 'companies', 'lps']
    .map(
      (table) => `update ${table} party set name = added.name, formal_id = added.formal_id, country = added.country
    from added where party.entity_id = added.id
      and (party.name, party.formal_id, party.country) is distinct from (added.name, added.formal_id, added.country);`,
    )
    .join('\n  ')}
  update funds set name = added.name from added where funds.entity_id = added.id and funds.name <> added.name;
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);
  naming := array(select f.id::text from funds f where f.management_company_id in (select id from added)
    or exists (select from unnest(f.gp_ids) as gp (id) where gp.id in (select id from added)));
  if cardinality(naming) > 0 then
    update funds set party_names = party_names_of(gp_ids::text[] || management_company_id::text)
      where id = any (naming) and party_names is distinct from party_names_of(gp_ids::text[] || management_company_id::text);
  end if;
  return null;
end $$;`;

/** Faster triggers of funds and entities. */
export class FundsWithoutParties extends Migration {
  override up(): void {
    this.addSql([parties, names].join('\n'));
  }
}
