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

/** Faster triggers of funds. */
export class FundsWithoutParties extends Migration {
  override up(): void {
    this.addSql(parties);
  }
}
