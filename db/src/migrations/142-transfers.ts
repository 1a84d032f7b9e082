import { Migration } from '@mikro-orm/migrations';
import {
  asSystem,
  byLP,
  currency,
  ISSUED,
  OF_MANAGER,
  oneOf,
  optional,
  references,
  SYSTEM_ONLY,
  table,
  text,
} from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

const CLASS = optional(text({ minLength: 1, maxLength: 100 }));

const transfers = table({
  name: 'transfers',
  history: { exempt: 'Both commitments record the change that it is.' },
  columns: {
    // The link of the two changes.
    id: 'object_id primary key',
    manager_id: `object_id not null ${references('managers')}`,
    fund_id: 'object_id not null',
    class: CLASS,
    currency,
    // Of the former holder.
    commitment_id: `object_id not null ${references('lp_commitments')}`,
    to_commitment_id: `object_id not null ${references('lp_commitments')}`,
    date: 'date not null',
    // What is committed with it.
    amount: 'numeric not null check ({column} > 0)',
    // Of the interest; null if only what is unfunded was transferred.
    share_percent: 'numeric check ({column} > 0 and {column} <= 100)',
    price: 'numeric check ({column} >= 0)',
    // An earlier document has changed, and the parts are not recorded yet. No transaction ends so.
    is_due: 'boolean not null default false',
  },
  constraints: [
    `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
    'constraint transfers_other check (commitment_id <> to_commitment_id)',
    'constraint transfers_price check (price is null or (share_percent is not null and money_fits(price, currency)))',
    'constraint transfers_amount check (money_fits(amount, currency))',
  ],
  indexes: ['(manager_id)', '(fund_id, date)', '(commitment_id)', '(to_commitment_id)'],
  read: OF_MANAGER,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

const lines = table({
  name: 'transferred_lines',
  history: { exempt: 'It follows from the documents and the transfers, which record every change.' },
  columns: {
    transfer_id: `object_id not null ${references('transfers')}`,
    // Of the new holder; negative amounts are the former holder's.
    commitment_id: `object_id not null ${references('lp_commitments')}`,
    manager_id: `object_id not null ${references('managers')}`,
    fund_id: 'object_id not null',
    investor_lp_id: 'object_id',
    investor_fund_id: 'object_id',
    kind: oneOf(['call', 'distribution', 'writeOff', 'nav']),
    // Its index; of values, that of the transfer.
    sequence: 'integer not null check ({column} >= 0)',
    // Of which it is a part; null for a value.
    document_id: 'object_id',
    call_number: optional(text({ minLength: 1, maxLength: 100 })),
    // The day of the transfer.
    cut_off_date: 'date not null',
    due_date: 'date',
    paid_on: 'date',
    purposes: 'jsonb',
    // Of a call or a write-off.
    amount: 'numeric',
    principal: 'numeric',
    components: 'jsonb',
    is_recallable: 'boolean',
    total_distributed: 'numeric',
    // The value of what is held at the end of the day of the transfer; null if it is not known.
    gross: 'numeric',
    net: 'numeric',
    moved_gross: 'numeric',
    moved_net: 'numeric',
    price: 'numeric',
    nav_date: 'date',
  },
  constraints: ['primary key (transfer_id, commitment_id, kind, sequence)'],
  indexes: ['(manager_id)', '(fund_id)', '(investor_lp_id)', '(commitment_id, cut_off_date)'],
  read: `${OF_MANAGER} or ${byLP('investor_lp_id')}`,
  write: { insert: SYSTEM_ONLY, update: 'false', delete: SYSTEM_ONLY },
});

/** Who cannot see a document does not see a part of it. */
const blocked = `
create policy blocked_documents on transferred_lines as restrictive for select using (${[
  'contributions',
  'distributions',
  'writeOffs',
]
  .map(
    (collection) =>
      `coalesce(document_id <> all ((select actor_documents('tapeline.blocked', '${collection}'))::text[]), true)`,
  )
  .join(' and ')});
create policy blocked_recipients on transfers as restrictive for select using (
  coalesce(to_commitment_id <> all ((select actor_documents('tapeline.blocked', 'LPCommitments'))::text[]), true));`;

/** As before, with what transfers of an interest moved. */
const capitalDays = `
create or replace function capital_days(commitments text[])
  returns table (commitment_id text, day date, unfunded numeric, returnable numeric, net_called numeric)
  stable language sql as $$
  with own as (
    select c.id, c.closing_date, c.active_commitment, c.deltas, f.non_recyclable, c.status
    from lp_commitments c join funds f on f.id = c.fund_id where c.id = any (commitments)
  ), parts as (
    select t.* from transferred_lines t where t.commitment_id = any (commitments)
  ), calls as (
    select c.commitment_id as id, c.cut_off_date, c.due_date, c.amount
    from contributions c where c.commitment_id = any (commitments) and c.${ISSUED}
    union all select t.commitment_id, t.cut_off_date, t.due_date, t.amount from parts t where t.kind = 'call'
  ), payments as (
    select own.id, d.cut_off_date, d.principal, d.is_recallable, recallable_days(d.cut_off_date, own.non_recyclable) as days
    from own join distributions d on d.commitment_id = own.id and d.${ISSUED} and d.principal > 0
    union all
    select own.id, t.cut_off_date, t.principal, t.is_recallable,
      recallable_days(t.paid_on, own.non_recyclable) * daterange(t.cut_off_date, null)
    from own join parts t on t.commitment_id = own.id and t.kind = 'distribution' and t.principal <> 0
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
    union all select t.commitment_id, t.cut_off_date, 0, 0, -t.amount from parts t where t.kind = 'writeOff'
  )
  select id, day, (sum(sum(unfunded)) over days)::numeric, (sum(sum(returnable)) over days)::numeric,
    (sum(sum(net_called)) over days)::numeric
  from moves group by id, day window days as (partition by id order by day)
$$;
create function check_transferred() returns trigger language plpgsql as $$
declare${ACTOR}
  broken text;
begin${AS_SYSTEM}
  select case when bool_or(unfunded < 0) then 'unfunded' when bool_or(returnable < 0) then 'principal_returned'
    when bool_or(net_called < 0) then 'written_off' end into broken from capital_days(array[new.commitment_id]);${AS_ACTOR}
  if broken is not null then
    raise exception 'a transfer of an interest leaves less than was called, returned or written off'
      using errcode = 'check_violation', constraint = broken;
  end if;
  return null;
end $$;
-- Every part has one value, so each commitment is checked once for each transfer.
create constraint trigger transferred_lines_unfunded after insert on transferred_lines
  deferrable initially deferred for each row when (new.kind = 'nav') execute function check_transferred();`;

/** The columns of a document that a part of it follows from. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  contributions: 'status, cut_off_date, due_date, purposes',
  distributions: 'status, cut_off_date, principal, components, pdf_options',
  write_offs: 'status, cut_off_date, amount',
  navs: 'status, cut_off_date, gross, net',
};

/** What changes an earlier document must record the parts of it again in the same transaction. */
const due = `
create function transfers_become_due() returns trigger language plpgsql as $$
declare${ACTOR}
  former jsonb := case tg_op when 'INSERT' then null else to_jsonb(old) end;
  now jsonb := case tg_op when 'DELETE' then null else to_jsonb(new) end;
begin
  if not coalesce(former ->> 'status' in ('Active', 'Closed'), false) and not coalesce(now ->> 'status' in ('Active', 'Closed'), false) then
    return null;
  end if;${AS_SYSTEM}
  update transfers t set is_due = true
    where t.fund_id = coalesce(now, former) ->> 'fund_id' and t.share_percent is not null and not t.is_due
      and t.date >= least((former ->> 'cut_off_date')::date, (now ->> 'cut_off_date')::date);${AS_ACTOR}
  return null;
end $$;
${Object.entries(DOCUMENTS)
  .map(
    ([name, columns]) => `
create trigger ${name}_transfers after insert or delete or update of ${columns} on ${name}
  for each row execute function transfers_become_due();`,
  )
  .join('')}
create function check_transfers() returns trigger language plpgsql as $$
declare${ACTOR}
  is_left boolean;
begin${AS_SYSTEM}
  is_left := exists (select from transfers t where t.id = new.id and t.is_due);${AS_ACTOR}
  if is_left then
    raise exception 'the parts of a transfer are not recorded' using errcode = 'check_violation', constraint = 'transfers_due';
  end if;
  return null;
end $$;
create constraint trigger transfers_due after insert or update on transfers
  deferrable initially deferred for each row when (new.is_due) execute function check_transfers();`;

/** Transfers from before this table are the pairs of changes that they left. */
const earlier = asSystem(`
insert into transfers (id, manager_id, fund_id, class, currency, commitment_id, to_commitment_id, date, amount)
select given ->> 'transfer', c.manager_id, c.fund_id, c.class, c.currency, c.id, other.id, (given ->> 'date')::date,
  -(given ->> 'amount')::numeric
from lp_commitments c cross join jsonb_array_elements(c.deltas) as given
  join lp_commitments other on other.fund_id = c.fund_id and other.id <> c.id
    and other.deltas @> jsonb_build_array(jsonb_build_object('transfer', given -> 'transfer'))
where given ->> 'transfer' is not null and (given ->> 'amount')::numeric < 0;`);

/** Transfers of commitments and interests, and what each moved. */
export class Transfers extends Migration {
  override up(): void {
    this.addSql([transfers, lines, blocked, capitalDays, due, earlier].join('\n'));
  }
}
