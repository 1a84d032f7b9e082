import { Migration } from '@mikro-orm/migrations';
import { lockOf, refuse } from './143-cash.ts';
import {
  BY_COMPANY,
  currency,
  ISSUED,
  keepSilent,
  list,
  OF_MANAGER,
  optional,
  quoted,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

const KINDS = ['contribution', 'distribution', 'draw', 'repayment', 'invoice'];
const MAX_PERIOD_DAYS = 366;
const MAX_LINES = 60;

/** Lines are of three kinds, and an amount that is null is unknown. The order in which they are paid names each kind once. */
const functions = `
create function invoice_sum(lines jsonb, wanted text) returns numeric immutable parallel safe language sql
  return (select case when bool_or(coalesce(line -> 'amount', 'null') = 'null') then null
      else coalesce(sum((line ->> 'amount')::numeric) filter (where wanted is null or line ->> 'kind' = wanted), 0) end
    from jsonb_array_elements(case jsonb_typeof(lines) when 'array' then lines else '[]' end) as line);
create function invoice_lines_hold(lines jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(coalesce(line ->> 'kind' in ('interest', 'fees', 'principal') and char_length(line ->> 'title') between 1 and 250
      and jsonb_typeof(line -> 'pieces') = 'array', false)), true)
    from jsonb_array_elements(lines) as line);
create function waterfall_holds(waterfall jsonb) returns boolean immutable parallel safe language sql
  return jsonb_array_length(waterfall) = 3 and waterfall @> '["fees", "interest", "principal"]';`;

const invoices = tenantTable({
  name: 'invoices',
  tenant: 'company',
  history: { resource: 'invoices', canBeBlocked: true, silent: ['issued_on'] },
  statuses: ['Draft', 'Active', 'Removed'],
  initialStatus: 'Draft',
  // A borrower sees what was issued to it, never a draft.
  read: `${OF_MANAGER} or (${BY_COMPANY} and status = 'Active')`,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: OF_MANAGER },
  columns: {
    transaction_id: 'object_id not null',
    note_id: 'object_id not null',
    // Of the invoice among those of the facility. A trigger counts.
    number: 'integer not null check ({column} >= 1)',
    currency,
    period_from: 'date not null',
    // The day after the last one.
    period_to: 'date not null',
    due_date: 'date not null',
    lines: list(MAX_LINES, 1),
    waterfall: list(3, 3),
    description: optional(text({ maxLength: 2000 })),
    issued_on: 'date',
    removal_reason: optional(text({ minLength: 1, maxLength: 500 })),
    // Null while a line is unknown.
    amount: 'numeric generated always as (invoice_sum(lines, null)) stored',
  },
  constraints: [
    `foreign key (transaction_id, company_id) ${references('transactions', 'id, company_id')}`,
    'unique (transaction_id, number)',
    'constraint invoices_lines check (invoice_lines_hold(lines))',
    'constraint invoices_waterfall check (waterfall_holds(waterfall))',
    `constraint invoices_period check (period_to > period_from and period_to - period_from <= ${MAX_PERIOD_DAYS})`,
    'constraint invoices_due_date check (due_date >= period_to)',
    // A rebate reduces the other fees, and never more than these.
    `constraint invoices_issued check (status <> 'Active' or (issued_on is not null and coalesce(amount > 0
      and invoice_sum(lines, 'fees') >= 0 and invoice_sum(lines, 'interest') >= 0 and invoice_sum(lines, 'principal') >= 0, false)))`,
    "constraint invoices_removed check (status <> 'Removed' or issued_on is null or removal_reason is not null)",
  ],
  indexes: ['(note_id, period_from)', '(transaction_id)'],
});

/** The note is one of the facility; invoices of a facility count up; an issued one never changes. */
const checking = `
create constraint trigger invoices_note after insert or update of note_id, transaction_id on invoices
  deferrable initially deferred for each row execute function check_note_of_transaction('invoices_note');

create function number_invoice() returns trigger language plpgsql as $$
declare${ACTOR}
begin${AS_SYSTEM}
  perform pg_advisory_xact_lock(hashtextextended('invoices/' || new.transaction_id, 0));
  select coalesce(max(i.number), 0) + 1 into new.number from invoices i where i.transaction_id = new.transaction_id;${AS_ACTOR}
  return new;
end $$;
create trigger invoices_number before insert on invoices for each row execute function number_invoice();

create function check_invoice() returns trigger language plpgsql as $$
declare${ACTOR}
  is_taken boolean;
begin
  if tg_op = 'UPDATE' and old.status <> 'Draft' and (new.status not in (old.status, 'Removed')
      or to_jsonb(new) - '{status,removal_reason,version,metadata,amount}'::text[]
        is distinct from to_jsonb(old) - '{status,removal_reason,version,metadata,amount}'::text[]) then
    -- The amount follows from the lines, and is not known yet.
    raise exception 'an issued invoice does not change' using errcode = 'check_violation', constraint = 'invoices_fixed';
  end if;
${refuse(
  "new.status <> 'Removed' and not (lines_fit(new.lines, new.currency) and new.due_date between '1950-01-01' and '2150-12-31')",
  'an amount or a date is out of bounds',
  'invoices_money',
)}
  if new.status = 'Active' then${AS_SYSTEM}
    perform pg_advisory_xact_lock(hashtextextended('invoices/' || new.transaction_id, 0));
    is_taken := exists (select from invoices i where i.note_id = new.note_id and i.currency = new.currency and i.status = 'Active'
      and i.id <> new.id and daterange(i.period_from, i.period_to) && daterange(new.period_from, new.period_to));${AS_ACTOR}${refuse(
        'is_taken',
        'another invoice is for a part of the period',
        'invoices_overlap',
      )}
  end if;
  return new;
end $$;
create trigger invoices_check before insert or update on invoices for each row execute function check_invoice();`;

/** An issued invoice is owed by the borrower. All else of the view is as it was. */
const obligations = `
create or replace view obligations with (security_invoker = true) as
with documents as (
  select 'contribution' as kind, c.id as document_id, 'in' as direction, c.manager_id, c.fund_id, null::object_id as transaction_id,
    c.investor_lp_id, c.investor_fund_id, null::object_id as company_id, c.class, c.activity_id, c.call_number as number,
    c.amount + (select coalesce(sum((purpose ->> 'interest')::numeric), 0) from jsonb_array_elements(c.purposes) as purpose) as amount,
    c.currency, c.cut_off_date, c.due_date, c.status = 'Closed' as is_closed, array[c.fund_id::text] as fund_ids
  from contributions c where c.${ISSUED}
  union all
  select 'distribution', d.id, 'out', d.manager_id, d.fund_id, null, d.investor_lp_id, d.investor_fund_id, null, d.class,
    d.activity_id, d.call_number, d.total_distributed, d.currency, d.cut_off_date, d.cut_off_date, d.status = 'Closed',
    array[d.fund_id::text]
  from distributions d where d.${ISSUED} and d.total_distributed > 0
  union all
  select 'draw', w.id, 'out', w.manager_id, null, w.transaction_id, null, null, w.company_id, null, null, w.code::text,
    parts.amount, parts.currency, w.cut_off_date, w.due_date, false,
    (select holding_funds(t.notes, w.note_id) from transactions t where t.id = w.transaction_id)
  from draws w cross join lateral (
    select amount ->> 'currency' as currency, sum((amount ->> 'sum')::numeric) as amount
    from jsonb_array_elements(w.draws) as draw, jsonb_array_elements(draw -> 'amounts') as amount
    where draw ->> 'type' <> 'Recycling' group by 1) as parts
  where w.status = 'Approved'
  union all
  select 'invoice', i.id, 'in', i.manager_id, null, i.transaction_id, null, null, i.company_id, null, null, i.number::text,
    i.amount, i.currency, i.period_to, i.due_date, false,
    (select holding_funds(t.notes, i.note_id) from transactions t where t.id = i.transaction_id)
  from invoices i where i.status = 'Active'
)
select o.kind, o.document_id, o.direction, o.manager_id, o.fund_id, o.transaction_id, o.investor_lp_id, o.investor_fund_id,
  o.company_id, o.class, o.activity_id, o.number, o.amount, o.currency, o.cut_off_date, o.due_date, paid.allocated, paid.paid_on,
  closed.difference, case when o.is_closed then 0 else o.amount - paid.allocated - closed.difference end as open, o.fund_ids,
  exists (select from unnest(opened.funds, opened.days) as account (fund, day)
    where account.day <= o.due_date and account_fits(account.fund, o.fund_ids)) as is_tracked
from documents o
  cross join lateral (select coalesce(sum(a.amount), 0) as allocated, max(a.paid_on) as paid_on from allocations a
    where a.document_id = o.document_id and a.currency = o.currency and a.reversed_at is null) as paid
  cross join lateral (select coalesce(sum(d.amount), 0) as difference from obligation_differences d
    where d.document_id = o.document_id and d.currency = o.currency and d.reversed_at is null) as closed
  left join account_openings() as opened on opened.manager_id = o.manager_id and opened.currency = o.currency;
${['allocations', 'obligation_differences']
  .map(
    (name) => `
alter table ${name} drop constraint ${name}_obligation_kind_check,
  add constraint ${name}_obligation_kind_check check (obligation_kind in (${quoted(KINDS)}));
create policy blocked_invoices on ${name} as restrictive for select using (
  coalesce(document_id <> all ((select actor_documents('tapeline.blocked', 'invoices'))::text[]), true));`,
  )
  .join('')}
create trigger invoices_withdrawn after update of status on invoices
  for each row when (old.status = 'Active' and new.status <> 'Active') execute function release_allocations();
create trigger invoices_deleted after delete on invoices for each row execute function release_allocations();`;

keepSilent('repayments', ['allocation_id']);

/**
 * What pays an invoice is a repayment, which the operation divides by the order of the invoice. It lasts as long as its
 * allocation: it is removed with it, and not otherwise. No allocation is without one, or has two.
 */
const repayments = `
alter table repayments add column allocation_id object_id unique ${references('allocations')};

create function paid_of_invoice(invoice text) returns table (kind text, amount numeric) stable language sql as $$
  select part ->> 'kind', sum((part #>> '{amount,sum}')::numeric)
  from allocations a join repayments r on r.allocation_id = a.id, jsonb_array_elements(r.repayments) as part
  where a.document_id = invoice and a.reversed_at is null and r.status = 'Active' group by 1 $$;

create function check_repayment_of_allocation() returns trigger language plpgsql as $$
declare${ACTOR}
  paid allocations;
  owed invoices;
  fits boolean;
begin
  if tg_op = 'INSERT' and new.allocation_id is null then
    return new;
  end if;${AS_SYSTEM}
  select a.* into paid from allocations a where a.id = coalesce(new.allocation_id, old.allocation_id);
  if tg_op = 'INSERT' then
    perform ${lockOf('paid.document_id')};
    select i.* into owed from invoices i where i.id = paid.document_id;
    fits := paid.obligation_kind = 'invoice' and paid.reversed_at is null and new.status = 'Active'
      and (new.note_id, new.transaction_id, new.company_id, new.manager_id)
        = (owed.note_id, owed.transaction_id, owed.company_id, owed.manager_id)
      and new.cut_off_date = paid.paid_on
      and (select sum((part #>> '{amount,sum}')::numeric) = paid.amount and bool_and(part #>> '{amount,currency}' = paid.currency)
          from jsonb_array_elements(new.repayments) as part)
      and not exists (select from (
          select part ->> 'kind' as kind, (part #>> '{amount,sum}')::numeric as amount from jsonb_array_elements(new.repayments) as part
          union all select p.kind, p.amount from paid_of_invoice(paid.document_id) as p) as parts
        group by kind having sum(amount) > invoice_sum(owed.lines, kind));
  else
    fits := to_jsonb(new) - '{status,removal_reason,version,metadata}'::text[]
        = to_jsonb(old) - '{status,removal_reason,version,metadata}'::text[]
      and (new.status = 'Removed') = (paid.reversed_at is not null);
  end if;${AS_ACTOR}${refuse('not coalesce(fits, false)', 'a repayment follows the payment of an invoice', 'repayments_allocation')}
  return new;
end $$;
create trigger repayments_allocation before insert on repayments for each row execute function check_repayment_of_allocation();
create trigger repayments_allocation_kept before update on repayments for each row when (old.allocation_id is not null or new.allocation_id is not null)
  execute function check_repayment_of_allocation();

create function remove_repayment_of_allocation() returns trigger language plpgsql as $$
declare${ACTOR}
begin${AS_SYSTEM}
  perform pg_advisory_xact_lock(hashtextextended('note-ledger/' || r.note_id, 0)) from repayments r where r.allocation_id = new.id;
  update repayments r set status = 'Removed', removal_reason = new.reversal_reason, version = r.version + 1,
    metadata = r.metadata || jsonb_build_object('changedBy', change_author()) where r.allocation_id = new.id and r.status = 'Active';${AS_ACTOR}
  return null;
end $$;
create trigger allocations_repayment_removed after update of reversed_at on allocations for each row
  when (new.obligation_kind = 'invoice' and old.reversed_at is null and new.reversed_at is not null)
  execute function remove_repayment_of_allocation();

create function check_allocation_has_repayment() returns trigger language plpgsql as $$
declare${ACTOR}
  is_recorded boolean;
begin${AS_SYSTEM}
  is_recorded := exists (select from allocations a where a.id = new.id and a.reversed_at is not null)
    or exists (select from repayments r where r.allocation_id = new.id and r.status = 'Active');${AS_ACTOR}${refuse(
      'not is_recorded',
      'what pays an invoice is recorded as a repayment',
      'allocations_repayment',
    )}
  return null;
end $$;
create constraint trigger allocations_repayment after insert on allocations deferrable initially deferred for each row
  when (new.obligation_kind = 'invoice') execute function check_allocation_has_repayment();`;

/** Invoices of notes, and the repayments that follow from what pays them. */
export class Invoices extends Migration {
  override up(): void {
    this.addSql([functions, invoices, checking, obligations, repayments].join('\n'));
  }
}
