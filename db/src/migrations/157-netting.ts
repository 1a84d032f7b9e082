import { Migration } from '@mikro-orm/migrations';
import { refuse } from './143-cash.ts';
import { ISSUED, recordAlso } from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM, onStatement } from './triggers.ts';

/** The headers of the lines of calls and of distributions, and the day on which each is settled. */
const SIDES = {
  contributions: { header: 'capital_calls', day: 'due_date' },
  distributions: { header: 'distribution_events', day: 'cut_off_date' },
} as const;
const sides = Object.entries(SIDES);

/** The distribution that a call is netted with, and the call that a distribution is: on each line, so that its history says so. */
const columns = sides
  .map(
    ([lines]) => `
alter table ${lines} add column netted_with object_id;
create index on ${lines} (netted_with) where netted_with is not null;${recordAlso(lines, ['netted_with'])}`,
  )
  .join('');

/**
 * A call and a distribution that are netted name each other on all their lines, are of one fund, currency and day, are issued
 * together, and have one line for each commitment. What was issued keeps its netting, because investors were told a net amount.
 */
const checking = `
create function check_netting() returns trigger language plpgsql security definer set search_path from current as $$
declare${ACTOR}
  partners text[];
  is_pair boolean;
begin${AS_SYSTEM}
  select array_agg(distinct partner) into partners from (${sides
    .map(
      ([lines]) => `
      select t.netted_with::text as partner from ${lines} t where t.activity_id = new.id and t.status <> 'Removed' and t.netted_with is not null
      union select t.activity_id::text from ${lines} t where t.netted_with = new.id and t.status <> 'Removed'`,
    )
    .join(' union')}) as found;
  is_pair := partners is null or cardinality(partners) = 1 and (
    select coalesce(bool_or(is_call) and bool_or(not is_call) and bool_and(is_mutual)
        and count(distinct activity) = 2 and count(distinct is_draft) = 1 and count(distinct term) = 1
        and count(*) = count(distinct activity || commitment), false)
    from (${sides
      .map(
        ([lines, { day }]) => `
      select ${lines === 'contributions'} as is_call, t.activity_id::text as activity, t.commitment_id::text as commitment, t.status = 'Draft' as is_draft,
        concat_ws('/', t.manager_id, t.fund_id, t.currency, t.${day}) as term,
        coalesce(t.netted_with = case when t.activity_id = new.id then partners[1] else new.id::text end, false) as is_mutual
      from ${lines} t where t.status <> 'Removed' and t.activity_id = any (partners || new.id::text)`,
      )
      .join(' union all')}) as line);${AS_ACTOR}${refuse(
      'not is_pair',
      'a call and a distribution that are netted are issued and withdrawn together, on one day',
      'netting',
    )}
  return null;
end $$;
create function check_netted_lines() returns trigger language plpgsql security definer set search_path from current as $$
declare${ACTOR}
  touched text[] := '{}';
begin
  if tg_op = 'UPDATE' then
    touched := array(select distinct added.activity_id from added join gone using (id) where added.netted_with is distinct from gone.netted_with);
  elsif tg_op = 'INSERT' then
    touched := array(select distinct activity_id from added where netted_with is not null);
  end if;
  if cardinality(touched) > 0 then${AS_SYSTEM}
    -- What is issued together is another one now, so it is submitted again.
    update preparations set submitted = null where document_id = any (touched) and submitted is not null;
    -- The check itself is at the end of the transaction, once for each header.
    ${sides.map(([, { header }]) => `update ${header} set version = version where id = any (touched);`).join('\n    ')}${AS_ACTOR}
  end if;
  return null;
end $$;
create function keep_netting() returns trigger language plpgsql as $$ begin
  raise exception 'what was issued keeps its netting' using errcode = 'check_violation', constraint = 'netting_issued';
end $$;${sides
  .map(
    ([lines, { header }]) => `
create constraint trigger ${header}_netting after insert or update on ${header}
  deferrable initially deferred for each row execute function check_netting();
create trigger ${lines}_netting_kept before update of netted_with on ${lines} for each row
  when (old.status <> 'Draft' and old.netted_with is distinct from new.netted_with) execute function keep_netting();${onStatement(lines, 'netted', 'check_netted_lines')}`,
  )
  .join('')}`;

/** Netting changes no amount: who prepared the amounts stays who prepared them, and another person issues them. */
const said = `
create or replace function said(line jsonb, unsaid text[]) returns jsonb immutable parallel safe language sql set search_path from current
  return (line - unsaid - 'netted_with') || jsonb_build_object('purposes', amounts_as_numbers(line -> 'purposes'),
    'components', amounts_as_numbers(line -> 'components'),
    'file', case when line -> 'statement' = 'null' then line -> 'file_id' end);`;

/** What a call and an investor’s part of it come to, with interest. */
const CALLED = (line: string): string =>
  `${line}.amount + (select coalesce(sum((purpose ->> 'interest')::numeric), 0) from jsonb_array_elements(${line}.purposes) as purpose)`;

/**
 * What of an amount is settled with the netted call or distribution of the same commitment, and moves no cash: the smaller of
 * the two. It is the same for everybody, also for who cannot see the other one.
 */
const deemed = `
create function deemed_amount(kind text, other text, commitment text, amount numeric) returns numeric stable language plpgsql as $$
declare${ACTOR}
  counterpart numeric;
begin
  if other is null then
    return 0;
  end if;${AS_SYSTEM}
  if kind = 'contribution' then
    select d.total_distributed into counterpart from distributions d
      where d.activity_id = other and d.commitment_id = commitment and d.${ISSUED};
  else
    select ${CALLED('c')} into counterpart from contributions c
      where c.activity_id = other and c.commitment_id = commitment and c.${ISSUED};
  end if;${AS_ACTOR}
  return greatest(least(amount, coalesce(counterpart, 0)), 0);
end $$;`;

/** What is owed is the net amount. All else of the view is as it was. */
const obligations = `
create or replace view obligations with (security_invoker = true) as
with documents as (
  select 'contribution' as kind, c.id as document_id, 'in' as direction, c.manager_id, c.fund_id, null::object_id as transaction_id,
    c.investor_lp_id, c.investor_fund_id, null::object_id as company_id, c.class, c.activity_id, c.call_number as number,
    ${CALLED('c')} as gross,
    c.currency, c.cut_off_date, c.due_date, c.status = 'Closed' as is_closed, array[c.fund_id::text] as fund_ids,
    c.netted_with, c.commitment_id
  from contributions c where c.${ISSUED}
  union all
  select 'distribution', d.id, 'out', d.manager_id, d.fund_id, null, d.investor_lp_id, d.investor_fund_id, null, d.class,
    d.activity_id, d.call_number, d.total_distributed, d.currency, d.cut_off_date, d.cut_off_date, d.status = 'Closed',
    array[d.fund_id::text], d.netted_with, d.commitment_id
  from distributions d where d.${ISSUED} and d.total_distributed > 0
  union all
  select 'draw', w.id, 'out', w.manager_id, null, w.transaction_id, null, null, w.company_id, null, null, w.code::text,
    parts.amount, parts.currency, w.cut_off_date, w.due_date, false,
    (select holding_funds(t.notes, w.note_id) from transactions t where t.id = w.transaction_id), null, null
  from draws w cross join lateral (
    select amount ->> 'currency' as currency, sum((amount ->> 'sum')::numeric) as amount
    from jsonb_array_elements(w.draws) as draw, jsonb_array_elements(draw -> 'amounts') as amount
    where draw ->> 'type' <> 'Recycling' group by 1) as parts
  where w.status = 'Approved'
  union all
  select 'invoice', i.id, 'in', i.manager_id, null, i.transaction_id, null, null, i.company_id, null, null, i.number::text,
    i.amount, i.currency, i.period_to, i.due_date, false,
    (select holding_funds(t.notes, i.note_id) from transactions t where t.id = i.transaction_id), null, null
  from invoices i where i.status = 'Active'
)
select o.kind, o.document_id, o.direction, o.manager_id, o.fund_id, o.transaction_id, o.investor_lp_id, o.investor_fund_id,
  o.company_id, o.class, o.activity_id, o.number, o.gross - net.deemed as amount, o.currency, o.cut_off_date, o.due_date, paid.allocated, paid.paid_on,
  closed.difference, case when o.is_closed then 0 else o.gross - net.deemed - paid.allocated - closed.difference end as open, o.fund_ids,
  exists (select from unnest(opened.funds, opened.days) as account (fund, day)
    where account.day <= o.due_date and account_fits(account.fund, o.fund_ids)) as is_tracked,
  net.deemed as netted
from documents o
  cross join lateral (select deemed_amount(o.kind, o.netted_with::text, o.commitment_id::text, o.gross) as deemed offset 0) as net
  cross join lateral (select coalesce(sum(a.amount), 0) as allocated, max(a.paid_on) as paid_on from allocations a
    where a.document_id = o.document_id and a.currency = o.currency and a.reversed_at is null) as paid
  cross join lateral (select coalesce(sum(d.amount), 0) as difference from obligation_differences d
    where d.document_id = o.document_id and d.currency = o.currency and d.reversed_at is null) as closed
  left join account_openings() as opened on opened.manager_id = o.manager_id and opened.currency = o.currency;`;

/** A call and a distribution of one day that settle as one net amount for each investor. */
export class Netting extends Migration {
  override up(): void {
    this.addSql([columns, checking, said, deemed, obligations].join('\n'));
  }
}
