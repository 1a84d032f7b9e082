import { Migration } from '@mikro-orm/migrations';
import { refuse } from './143-cash.ts';
import { quoted } from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

const ALLOCATED = ['contribution', 'distribution', 'draw', 'repayment', 'invoice', 'credit'];
const PARTY = (of: string): string => `(${of}.investor_lp_id, ${of}.investor_fund_id, ${of}.company_id)`;

/**
 * A credit of a party is given back by a payment the other way: an allocation of each of the two payments to the other. So
 * each has less left, and the book has both. The two are made and reversed together.
 */
const returns = `
alter table allocations drop constraint allocations_obligation_kind_check,
  add constraint allocations_obligation_kind_check check (obligation_kind in (${quoted(ALLOCATED)}));

create function check_credit_return() returns trigger language plpgsql as $$
declare${ACTOR}
  paid payments;
  other payments;
  used numeric;
begin${AS_SYSTEM}
  perform from payments p where p.id in (new.payment_id, new.document_id) order by p.id for update;
  select p.* into paid from payments p where p.id = new.payment_id;
  select p.* into other from payments p where p.id = new.document_id;
  select coalesce(sum(a.amount), 0) into used from allocations a where a.payment_id = new.payment_id and a.reversed_at is null;${AS_ACTOR}${refuse(
    "paid.id is null or other.id is null or paid.status <> 'Active' or other.status <> 'Active' or other.manager_id <> paid.manager_id or other.currency <> paid.currency",
    'the payment does not exist',
    'allocations_payment',
  )}${refuse('other.direction = paid.direction', 'the payment goes the same way', 'allocations_direction')}${refuse(
    `num_nonnulls${PARTY('paid')} <> 1 or ${PARTY('paid')} is distinct from ${PARTY('other')}`,
    'the payment is with somebody else',
    'allocations_party',
  )}${refuse('paid.fund_id <> other.fund_id', 'the account belongs to another fund', 'allocations_fund')}${refuse(
    'new.amount > paid.amount - used',
    'more than is left of the payment',
    'allocations_left',
  )}
  new.manager_id := paid.manager_id;
  new.currency := paid.currency;
  new.paid_on := paid.valued_on;
  new.fund_id := paid.fund_id;
  new.investor_lp_id := paid.investor_lp_id;
  new.investor_fund_id := paid.investor_fund_id;
  new.company_id := paid.company_id;
  return new;
end $$;
drop trigger allocations_open on allocations;
create trigger allocations_open before insert on allocations for each row
  when (new.obligation_kind <> 'credit') execute function check_allocation();
create trigger allocations_credit before insert on allocations for each row
  when (new.obligation_kind = 'credit') execute function check_credit_return();

create function check_credit_pair() returns trigger language plpgsql as $$
declare${ACTOR}
  is_whole boolean;
begin${AS_SYSTEM}
  select coalesce(sum(case when a.payment_id = new.payment_id then a.amount else -a.amount end), 0) = 0 into is_whole
    from allocations a where a.obligation_kind = 'credit' and a.reversed_at is null
      and (a.payment_id, a.document_id) in ((new.payment_id, new.document_id), (new.document_id, new.payment_id));${AS_ACTOR}${refuse(
        'not is_whole',
        'a credit and its return are allocated to each other',
        'allocations_credit_pair',
      )}
  return null;
end $$;
create constraint trigger allocations_credit_pair after insert or update of reversed_at on allocations
  deferrable initially deferred for each row when (new.obligation_kind = 'credit') execute function check_credit_pair();`;

/** Credits that are given back by a payment the other way. */
export class ReturnedCredits extends Migration {
  override up(): void {
    this.addSql(returns);
  }
}
