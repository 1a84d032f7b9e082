import { Migration } from '@mikro-orm/migrations';
import { boundMoney } from './10-currencies.ts';
import { CAPITAL_STATES, FUND_STRATEGIES, FUND_TYPES } from './as-landed.ts';
import {
  currency,
  list,
  money,
  named,
  namedParts,
  OF_MANAGER,
  oneOf,
  optional,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

/** Columns that funds and main funds share. */
const terms = {
  title: text({ minLength: 2, maxLength: 150 }),
  type: oneOf(FUND_TYPES),
  strategy: oneOf(FUND_STRATEGIES),
  currency,
  target_size: money,
  hard_cap: money,
  closing_date: 'date',
  non_recyclable: 'jsonb',
  description: optional(text({ maxLength: 100 })),
};
const bounds = {
  money: ['money_fits(target_size, currency)', 'money_fits(hard_cap, currency)'],
  days: ['closing_date'],
} as const;

const mainFunds = tenantTable({
  name: 'main_funds',
  tenant: 'manager',
  history: { resource: 'mainFunds', canBeBlocked: true },
  statuses: CAPITAL_STATES,
  columns: terms,
  constraints: [
    // A member fund has the manager and the currency of its main fund.
    'constraint main_funds_members unique (id, manager_id, currency)',
    ...named('main_funds', 'title'),
  ],
});

/** Classes have distinct keys. */
const checks = `
create function classes_hold(classes jsonb) returns boolean immutable parallel safe language sql
  return (select count(distinct class ->> 'uniqueKey') = count(*)
      and coalesce(bool_and(text_within(class ->> 'name', 1, 150) and class ->> 'name' is not null
        and text_within(class ->> 'uniqueKey', 1, 100)), true)
    from jsonb_array_elements(classes) as class);`;

const funds = tenantTable({
  name: 'funds',
  tenant: 'manager',
  history: { resource: 'funds', canBeBlocked: true, silent: ['name', 'party_names', 'class_places'] },
  statuses: CAPITAL_STATES,
  columns: {
    ...terms,
    classes: list(10),
    // The place of each class that the fund has had, from 0, by its key.
    class_places: "jsonb not null default '{}'",
    timeline: list(100),
    gp_ids: `object_id[] not null default '{}' check (cardinality({column}) <= 20)`,
    management_company_id: 'object_id',
    // The names of its general partners and its management company, for its investors.
    party_names: "jsonb not null default '{}' check (jsonb_typeof({column}) = 'object')",
    service_provider_ids: `object_id[] not null default '{}' check (cardinality({column}) <= 20)`,
    main_fund_id: 'object_id',
    exclude_from_irr_calculations: 'boolean not null default false',
    entity_id: 'object_id',
    name: "text not null default ''",
  },
  constraints: [
    `foreign key (entity_id, manager_id) ${references('entities', 'id, manager_id')}`,
    `constraint funds_management_company foreign key (management_company_id, manager_id)
      ${references('entities', 'id, manager_id')}`,
    `constraint funds_main_fund foreign key (main_fund_id, manager_id, currency)
      ${references('main_funds', 'id, manager_id, currency')}`,
    'constraint funds_classes check (classes_hold(classes))',
    ...named('funds', 'title'),
  ],
  indexes: ['(entity_id)', '(main_fund_id)'],
});

/**
 * A list cannot have foreign keys: a trigger checks the same rule when the transaction commits. Funds that name no general
 * partner, service provider or management company are stored without looking for these: the policies of entities cost
 * milliseconds for each row, which is most of the time that an import of 3,000 funds takes.
 */
const parties = `
create function check_parties_of_fund() returns trigger language plpgsql as $$ begin
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
create constraint trigger funds_parties after insert or update of gp_ids, service_provider_ids on funds
  deferrable initially deferred for each row execute function check_parties_of_fund();
create function name_parties_of_fund() returns trigger language plpgsql as $$ begin
  if cardinality(new.gp_ids) = 0 and new.management_company_id is null then
    new.party_names := '{}';
  else
    new.party_names := party_names_of(new.gp_ids::text[] || new.management_company_id::text);
  end if;
  return new;
end $$;
create trigger funds_party_names before insert or update of gp_ids, management_company_id on funds
  for each row execute function name_parties_of_fund();
create trigger funds_name before insert or update of entity_id on funds for each row execute function name_party();`;

/**
 * Payment references state the place of a class, so it never changes, whatever order the classes are put in, and the place
 * of a class that was removed is not given to another one.
 */
const places = `
create function keep_class_places() returns trigger language plpgsql as $$
declare key text;
begin
  new.class_places := case tg_op when 'UPDATE' then old.class_places else '{}' end;
  for key in select class ->> 'uniqueKey' from jsonb_array_elements(new.classes) with ordinality as own (class, place)
      order by place loop
    if not new.class_places ? key then
      new.class_places := new.class_places
        || jsonb_build_object(key, (select count(*) from jsonb_object_keys(new.class_places)));
    end if;
  end loop;
  return new;
end $$;
create trigger funds_class_places before insert or update of classes, class_places on funds
  for each row execute function keep_class_places();`;

/** Funds are the last kind of party: an entity is visible with its party. */
const entitiesOfParties = `
alter policy read on entities using (${OF_MANAGER}
  or id in (select entity_id from managers)
  or id in (select entity_id from companies)
  or id in (select entity_id from lps)
  or id in (select entity_id from funds));`;

/** Main funds, and the funds that they consist of. */
export class Funds extends Migration {
  override up(): void {
    this.addSql(
      [
        mainFunds,
        checks,
        funds,
        parties,
        places,
        entitiesOfParties,
        boundMoney('main_funds', bounds),
        boundMoney('funds', bounds),
        // Classes from before this check are checked when they change.
        namedParts('funds', 'classes'),
      ].join('\n'),
    );
  }
}
