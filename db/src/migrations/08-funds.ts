import { Migration } from '@mikro-orm/migrations';
import { INVESTOR_KINDS } from '@tapeline/domain/commitments/investor.schema.ts';
import { FUND_STRATEGIES, FUND_TYPES } from '@tapeline/domain/funds/fund.schema.ts';
import {
  BY_MANAGER,
  byLP,
  currency,
  EVERYTHING,
  list,
  money,
  OF_MANAGER,
  oneOf,
  optional,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

const STATUSES = ['Active', 'Disabled', 'Removed', 'Draft', 'Pending', 'Closed'];

const funds = tenantTable({
  name: 'funds',
  tenant: 'manager',
  history: { resource: 'funds', silent: ['name'] },
  statuses: STATUSES,
  columns: {
    title: text({ minLength: 2, maxLength: 150 }),
    type: oneOf(FUND_TYPES),
    strategy: oneOf(FUND_STRATEGIES),
    currency,
    target_size: money,
    hard_cap: money,
    closing_date: 'date',
    description: optional(text({ maxLength: 100 })),
    classes: list(10),
    entity_id: 'object_id',
    name: "text not null default ''",
  },
  constraints: [`foreign key (entity_id, manager_id) ${references('entities', 'id, manager_id')}`],
  indexes: ['(entity_id)'],
});

const commitments = tenantTable({
  name: 'lp_commitments',
  tenant: 'manager',
  history: { resource: 'LPCommitments', owners: { lp: 'investor_lp_id' } },
  statuses: STATUSES,
  columns: {
    fund_id: 'object_id not null',
    investor_kind: oneOf(INVESTOR_KINDS),
    investor_lp_id: 'object_id',
    investor_fund_id: 'object_id',
    class: 'text',
    closing_date: 'date not null',
    currency,
    max_commitment: money,
    active_commitment: 'numeric not null check ({column} >= 0 and {column} <= max_commitment)',
    fees: "jsonb not null default '{}'",
  },
  constraints: [
    "check ((investor_kind = 'LP') = (investor_lp_id is not null))",
    "check ((investor_kind = 'fund') = (investor_fund_id is not null))",
    'constraint lp_commitments_other_fund check (investor_fund_id <> fund_id)',
    `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
    `foreign key (investor_lp_id, manager_id) ${references('lps', 'id, manager_id')}`,
    `foreign key (investor_fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
  ],
  indexes: ['(fund_id)', '(investor_lp_id)'],
  read: `${OF_MANAGER} or ${byLP('investor_lp_id')}`,
});

/**
 * Investors can see the funds they have commitments to. The policy refers to commitments, so it is created after them.
 */
const fundsOfInvestors = `
alter policy read on funds using (${EVERYTHING} or ${BY_MANAGER} or id in (
  select fund_id from lp_commitments where ${byLP('investor_lp_id')} and status <> 'Removed'));`;

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

/** Funds, and the commitments of investors to them. */
export class Funds extends Migration {
  override up(): void {
    this.addSql([funds, commitments, fundsOfInvestors, entitiesOfFunds].join('\n'));
  }
}
