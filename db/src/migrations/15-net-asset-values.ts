import { Migration } from '@mikro-orm/migrations';
import { boundMoney } from './10-currencies.ts';
import { COMMITMENT_CONSTRAINTS, COMMITMENT_INDEXES, OF_COMMITMENT } from './14-capital-activities.ts';
import { CAPITAL_STATES } from './as-landed.ts';
import { ISSUED, OF_INVESTOR, tenantTable } from './tenant-table.ts';

const owners = { lp: 'investor_lp_id' };

const navs = tenantTable({
  name: 'navs',
  tenant: 'manager',
  history: { resource: 'navs', canBeBlocked: true, owners },
  statuses: CAPITAL_STATES,
  read: OF_INVESTOR,
  columns: { ...OF_COMMITMENT, gross: 'numeric not null', net: 'numeric not null' },
  constraints: COMMITMENT_CONSTRAINTS,
  // One value of an investor a day.
  indexes: [...COMMITMENT_INDEXES, `unique (commitment_id, cut_off_date) where ${ISSUED}`],
});

const writeOffs = tenantTable({
  name: 'write_offs',
  tenant: 'manager',
  history: { resource: 'writeOffs', canBeBlocked: true, owners },
  statuses: CAPITAL_STATES,
  read: OF_INVESTOR,
  columns: { ...OF_COMMITMENT, amount: 'numeric not null check ({column} >= 0)' },
  constraints: COMMITMENT_CONSTRAINTS,
  // Those that were entered together.
  indexes: [...COMMITMENT_INDEXES, "((metadata ->> 'bundleId'))"],
});

/**
 * What no history between an investor and a fund goes beyond, on any day: what an investor has committed and not paid in,
 * the principal that can be returned, and what can be written off are never below zero. The program says who would be beyond
 * and by how much; this is what holds if two people write at once. Each change is checked only for what it can break, so that
 * a history from before this rule can be repaired step by step.
 */
const limits = `
create function capital_days(commitments text[])
  returns table (commitment_id text, day date, unfunded numeric, returnable numeric, net_called numeric)
  stable language sql as $$
  with own as (
    select c.id, c.closing_date, c.active_commitment, c.deltas, f.non_recyclable, c.status
    from lp_commitments c join funds f on f.id = c.fund_id where c.id = any (commitments)
  ), calls as (
    select c.commitment_id as id, c.cut_off_date, c.due_date, c.amount
    from contributions c where c.commitment_id = any (commitments) and c.${ISSUED}
  ), payments as (
    select own.id, d.cut_off_date, d.principal, d.is_recallable, recallable_days(d.cut_off_date, own.non_recyclable) as days
    from own join distributions d on d.commitment_id = own.id and d.${ISSUED} and d.principal > 0
  ), moves as (
    select id, closing_date as day, active_commitment as unfunded, 0 as returnable, 0 as net_called from own where ${ISSUED}
    union all select id, (delta ->> 'date')::date, (delta ->> 'amount')::numeric, 0, 0
      from own, jsonb_array_elements(deltas) as delta where ${ISSUED}
    union all select id, cut_off_date, -amount, 0, 0 from calls
    union all select id, due_date, 0, amount, amount from calls
    union all select id, cut_off_date, 0, -principal, 0 from payments
    union all select id, lower(days), principal, 0, -principal from payments where is_recallable and not isempty(days)
    union all select id, upper(days), -principal, 0, principal from payments where is_recallable and upper(days) is not null
    union all select w.commitment_id, w.cut_off_date, 0, 0, -w.amount
      from write_offs w where w.commitment_id = any (commitments) and w.${ISSUED}
  )
  select id, day, (sum(sum(unfunded)) over days)::numeric, (sum(sum(returnable)) over days)::numeric,
    (sum(sum(net_called)) over days)::numeric
  from moves group by id, day window days as (partition by id order by day)
$$;
create function check_unfunded() returns trigger language plpgsql as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  blocked text := coalesce(current_setting('tapeline.blocked', true), '');
  is_removed boolean := to_jsonb(new) ->> 'status' = 'Removed';
  documents text[];
  -- The limits that this change can break.
  calls boolean := case tg_table_name when 'contributions' then not is_removed when 'distributions' then is_removed
    else tg_table_name <> 'write_offs' end;
  returns boolean := case tg_table_name when 'contributions' then is_removed else tg_table_name = 'distributions' and not is_removed end;
  losses boolean := case tg_table_name when 'contributions' then is_removed when 'lp_commitments' then false else not is_removed end;
  broken text;
begin
  -- Also what the actor cannot see counts.
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);
  documents := case tg_table_name when 'lp_commitments' then array[new.id]
    when 'funds' then array(select c.id from lp_commitments c where c.fund_id = new.id) else array[to_jsonb(new) ->> 'commitment_id'] end;
  select case when bool_or(calls and unfunded < 0) then 'unfunded' when bool_or(returns and returnable < 0) then 'principal_returned'
    when bool_or(losses and net_called < 0) then 'written_off' end into broken from capital_days(documents);
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);
  if broken is not null then
    raise exception '%', case broken when 'unfunded' then 'more would be called than an investor has committed'
      when 'principal_returned' then 'more principal would be returned than was called and not returned yet'
      else 'more would be written off than the net capital called' end
      using errcode = 'check_violation', constraint = broken;
  end if;
  return null;
end $$;
create constraint trigger lp_commitments_unfunded after update of closing_date, active_commitment, deltas, status on lp_commitments
  deferrable initially deferred for each row execute function check_unfunded();
create constraint trigger funds_unfunded after update of non_recyclable on funds
  deferrable initially deferred for each row when (new.non_recyclable is distinct from old.non_recyclable) execute function check_unfunded();
create constraint trigger contributions_unfunded after insert or update of purposes, cut_off_date, due_date, status on contributions
  deferrable initially deferred for each row when (new.status <> 'Draft') execute function check_unfunded();
create constraint trigger distributions_unfunded after insert or update of principal, cut_off_date, status, pdf_options on distributions
  deferrable initially deferred for each row when (new.status <> 'Draft') execute function check_unfunded();
create constraint trigger write_offs_unfunded after insert or update of amount, cut_off_date, status on write_offs
  deferrable initially deferred for each row when (new.status in ('Active', 'Closed')) execute function check_unfunded();`;

/** What investors' shares are worth, what is written off, and the limits of everything between an investor and a fund. */
export class NetAssetValues extends Migration {
  override up(): void {
    this.addSql(
      [
        navs,
        writeOffs,
        limits,
        boundMoney('navs', {
          money: ['money_fits(gross, currency)', 'money_fits(net, currency)'],
          days: ['cut_off_date'],
        }),
        boundMoney('write_offs', { money: ['money_fits(amount, currency)'], days: ['cut_off_date'] }),
      ].join('\n'),
    );
  }
}
