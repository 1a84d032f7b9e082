import { Migration } from '@mikro-orm/migrations';
import { boundMoney } from './10-currencies.ts';
import { CAPITAL_STATES, INVESTOR_KINDS } from './as-landed.ts';
import {
  byLP,
  currency,
  list,
  money,
  OF_INVESTOR,
  OF_MANAGER,
  oneOf,
  optional,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

/** The investor of a commitment, and of what belongs to it: an LP, or another fund of the manager. */
export const INVESTOR = {
  investor_kind: oneOf(INVESTOR_KINDS),
  investor_lp_id: 'object_id',
  investor_fund_id: 'object_id',
};
export const INVESTOR_CHECKS = [
  "check ((investor_kind = 'LP') = (investor_lp_id is not null))",
  "check ((investor_kind = 'fund') = (investor_fund_id is not null))",
];
export const CLASS = optional(text({ minLength: 1, maxLength: 100 }));

/** What documents copy from their commitment, which never changes it. A foreign key keeps them equal. */
export const COPIED = `text not null generated always as (manager_id || '/' || fund_id || '/' || currency || '/' || investor_kind || '/'
  || coalesce(investor_lp_id, investor_fund_id) || '/' || coalesce(class, '')) stored`;

/** A commitment stays between zero and its maximum on every day. */
const checks = `
create function deltas_hold(deltas jsonb, closing date, active numeric, most numeric) returns boolean
  immutable parallel safe language sql
  return (select coalesce(bool_and(committed between 0 and most and day >= closing), true) from (
    select (delta ->> 'date')::date as day,
      active + sum((delta ->> 'amount')::numeric) over (order by delta ->> 'date') as committed
    from jsonb_array_elements(deltas) as delta) as days);`;

const commitments = tenantTable({
  name: 'lp_commitments',
  tenant: 'manager',
  history: { resource: 'LPCommitments', canBeBlocked: true, owners: { lp: 'investor_lp_id' } },
  statuses: CAPITAL_STATES,
  columns: {
    fund_id: 'object_id not null',
    ...INVESTOR,
    class: CLASS,
    closing_date: 'date not null',
    currency,
    max_commitment: money,
    active_commitment: 'numeric not null check ({column} >= 0 and {column} <= max_commitment)',
    deltas: list(500),
    fees: "jsonb not null default '{}'",
    copied: COPIED,
  },
  constraints: [
    ...INVESTOR_CHECKS,
    'constraint lp_commitments_deltas check (deltas_hold(deltas, closing_date, active_commitment, max_commitment))',
    'constraint lp_commitments_other_fund check (investor_fund_id <> fund_id)',
    // A fee on assets is charged on the gross NAV, or where the terms say so on the net NAV.
    `constraint lp_commitments_assets_basis
      check (coalesce(fees #>> '{management,assetsBasis}', 'gross') in ('gross', 'net'))`,
    `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
    `foreign key (investor_lp_id, manager_id) ${references('lps', 'id, manager_id')}`,
    `foreign key (investor_fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
    'unique (id, copied)',
  ],
  indexes: [
    '(fund_id)',
    '(investor_lp_id)',
    `unique (fund_id, coalesce(class, ''), coalesce(investor_lp_id, investor_fund_id)) where status <> 'Removed'`,
  ],
  // Investors see commitments in force.
  read: OF_INVESTOR,
});

/** Investors can see the funds they have commitments to, and the main funds of these. */
const fundsOfInvestors = `
alter policy read on funds using (${OF_MANAGER} or id in (
  select fund_id from lp_commitments where ${byLP('investor_lp_id')} and status <> 'Removed'));
alter policy read on main_funds using (${OF_MANAGER} or id in (select main_fund_id from funds));`;

/** The commitment in force on a day, as the program calculates it: zero before the closing date. */
const committedAt = `
create function committed_at(closing date, active numeric, deltas jsonb, day date) returns numeric
  immutable parallel safe language sql
  return case when day < closing then 0 else active + (
    select coalesce(sum((delta ->> 'amount')::numeric), 0) from jsonb_array_elements(deltas) as delta
    where (delta ->> 'date')::date <= day) end;`;

/**
 * What is committed to a fund on a day, also by investors that the actor cannot see, and whatever a saved filter narrows: a
 * share of a fund is a share of all of it. Only the total is returned.
 */
const committedToFund = `
create function committed_to_fund(of_fund text, day date) returns numeric stable language plpgsql
  set search_path from current as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  hidden text := coalesce(current_setting('tapeline.blocked', true), '');
  funds text := coalesce(current_setting('tapeline.within_funds', true), '');
  investors text := coalesce(current_setting('tapeline.within_investors', true), '');
  total numeric;
begin
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true),
    set_config('tapeline.within_funds', '', true), set_config('tapeline.within_investors', '', true);
  select coalesce(sum(committed_at(closing_date, active_commitment, deltas, day)), 0) into total
    from lp_commitments where fund_id = of_fund and status in ('Active', 'Closed');
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', hidden, true),
    set_config('tapeline.within_funds', funds, true), set_config('tapeline.within_investors', investors, true);
  return total;
end $$;`;

/** The commitments of investors to funds. */
export class Commitments extends Migration {
  override up(): void {
    this.addSql(
      [
        checks,
        commitments,
        fundsOfInvestors,
        committedAt,
        committedToFund,
        boundMoney('lp_commitments', {
          money: [
            'money_fits(max_commitment, currency)',
            'money_fits(active_commitment, currency)',
            'lines_fit(deltas, currency)',
          ],
          days: ['closing_date'],
        }),
      ].join('\n'),
    );
  }
}
