import { Migration } from '@mikro-orm/migrations';
import { CAPITAL_STATES, FUND_STRATEGIES, FUND_TYPES, INVESTOR_KINDS } from './as-landed.ts';
import {
  byLP,
  currency,
  list,
  money,
  OF_MANAGER,
  oneOf,
  optional,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

const statuses = CAPITAL_STATES;

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

const mainFunds = tenantTable({
  name: 'main_funds',
  tenant: 'manager',
  history: { resource: 'mainFunds' },
  statuses,
  columns: terms,
  // A member fund has the manager and the currency of its main fund.
  constraints: ['constraint main_funds_members unique (id, manager_id, currency)'],
});

const funds = tenantTable({
  name: 'funds',
  tenant: 'manager',
  history: { resource: 'funds', silent: ['name', 'party_names', 'class_places'] },
  statuses,
  columns: {
    ...terms,
    classes: list(10),
    timeline: list(100),
    gp_ids: `object_id[] not null default '{}' check (cardinality({column}) <= 20)`,
    management_company_id: 'object_id',
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
  ],
  indexes: ['(entity_id)', '(main_fund_id)'],
});

const commitments = tenantTable({
  name: 'lp_commitments',
  tenant: 'manager',
  history: { resource: 'LPCommitments', owners: { lp: 'investor_lp_id' } },
  statuses,
  columns: {
    fund_id: 'object_id not null',
    investor_kind: oneOf(INVESTOR_KINDS),
    investor_lp_id: 'object_id',
    investor_fund_id: 'object_id',
    class: optional(text({ minLength: 1, maxLength: 100 })),
    closing_date: 'date not null',
    currency,
    max_commitment: money,
    active_commitment: 'numeric not null check ({column} >= 0 and {column} <= max_commitment)',
    deltas: list(500),
    fees: "jsonb not null default '{}'",
  },
  constraints: [
    "check ((investor_kind = 'LP') = (investor_lp_id is not null))",
    "check ((investor_kind = 'fund') = (investor_fund_id is not null))",
    'constraint lp_commitments_deltas check (deltas_hold(deltas, closing_date, active_commitment, max_commitment))',
    'constraint lp_commitments_other_fund check (investor_fund_id <> fund_id)',
    `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
    `foreign key (investor_lp_id, manager_id) ${references('lps', 'id, manager_id')}`,
    `foreign key (investor_fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
  ],
  indexes: [
    '(fund_id)',
    '(investor_lp_id)',
    `unique (fund_id, coalesce(class, ''), coalesce(investor_lp_id, investor_fund_id)) where status <> 'Removed'`,
  ],
  read: `${OF_MANAGER} or ${byLP('investor_lp_id')}`,
});

/** Classes have distinct keys. A commitment stays between zero and its maximum on every day. */
const checks = `
create function classes_hold(classes jsonb) returns boolean immutable parallel safe language sql
  return (select count(distinct class ->> 'uniqueKey') = count(*)
      and coalesce(bool_and(text_within(class ->> 'name', 1, 150) and class ->> 'name' is not null
        and text_within(class ->> 'uniqueKey', 1, 100)), true)
    from jsonb_array_elements(classes) as class);
create function deltas_hold(deltas jsonb, closing date, active numeric, most numeric) returns boolean
  immutable parallel safe language sql
  return (select coalesce(bool_and(committed between 0 and most and day >= closing), true) from (
    select (delta ->> 'date')::date as day,
      active + sum((delta ->> 'amount')::numeric) over (order by delta ->> 'date') as committed
    from jsonb_array_elements(deltas) as delta) as days);`;

// A list cannot have foreign keys: a trigger checks the same rule when the transaction commits.
const parties = `
create function check_parties_of_fund() returns trigger language plpgsql as $$ begin
  if exists (select from unnest(new.gp_ids) as gp (id)
      where not exists (select from entities where entities.id = gp.id and manager_id = new.manager_id)) then
    raise exception 'a general partner is not one of the manager' using errcode = 'foreign_key_violation', constraint = 'funds_parties';
  end if;
  if exists (select from unnest(new.service_provider_ids) as provider (id)
      where not exists (select from service_providers where service_providers.id = provider.id and manager_id = new.manager_id)) then
    raise exception 'a service provider is not one of the manager' using errcode = 'foreign_key_violation', constraint = 'funds_parties';
  end if;
  return null;
end $$;
create constraint trigger funds_parties after insert or update of gp_ids, service_provider_ids on funds
  deferrable initially deferred for each row execute function check_parties_of_fund();`;

/**
 * Investors can see the funds they have commitments to. The policy refers to commitments, so it is created after them.
 */
const fundsOfInvestors = `
alter policy read on funds using (${OF_MANAGER} or id in (
  select fund_id from lp_commitments where ${byLP('investor_lp_id')} and status <> 'Removed'));
alter policy read on main_funds using (${OF_MANAGER} or id in (select main_fund_id from funds));`;

/** Funds are the last kind of party: an entity is visible with its party, and renaming it renames every party. */
const entitiesOfFunds = `
create trigger funds_name before insert or update of entity_id on funds for each row execute function name_party();
alter policy read on entities using (${OF_MANAGER}
  or id in (select entity_id from managers)
  or id in (select entity_id from companies)
  or id in (select entity_id from lps)
  or id in (select entity_id from funds));
create function rename_parties() returns trigger language plpgsql as $$ begin
  update managers set name = new.name where entity_id = new.id and name <> new.name;
  update companies set name = new.name where entity_id = new.id and name <> new.name;
  update lps set name = new.name where entity_id = new.id and name <> new.name;
  update funds set name = new.name where entity_id = new.id and name <> new.name;
  return null;
end $$;
create trigger entities_name after insert or update of name on entities for each row execute function rename_parties();`;

/** Main funds, funds, and the commitments of investors to them. */
export class Funds extends Migration {
  override up(): void {
    this.addSql([checks, mainFunds, funds, commitments, parties, fundsOfInvestors, entitiesOfFunds].join('\n'));
  }
}
