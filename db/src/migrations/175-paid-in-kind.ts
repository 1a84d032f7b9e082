import { Migration } from '@mikro-orm/migrations';
import { BASE_RATES, DAY_COUNTS } from './as-landed.ts';
import { among, given, keepSilent, references } from './tenant-table.ts';
import { AS_ACTOR, SYSTEM_ACTS } from './triggers.ts';

/** The checks of interest, and how much of its rate is paid in kind. */
const terms = `
create or replace function interest_holds(interest jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given(
    'interest',
    `(interest ->> 'dayCount' is null or interest ->> 'dayCount' in ${among(DAY_COUNTS)}) and case interest ->> 'kind'
      when 'fix' then (interest ->> 'value')::numeric >= 0 and pricing_grid_holds(interest -> 'pricingGrid', 0)
      when 'variable' then interest ->> 'baseRate' in ${among(BASE_RATES)} and (interest ->> 'spread')::numeric is not null
        and (interest ->> 'minimumInterest')::numeric >= 0 and range_holds(interest -> 'numberRange')
        and pricing_grid_holds(interest -> 'pricingGrid', -1000)
      else false end
      and (interest ->> 'defaultMargin' is null or (interest ->> 'defaultMargin')::numeric between 0 and 1000)
      and (interest ->> 'paidInKind' is null or ((interest ->> 'paidInKind')::numeric > 0 and (interest ->> 'paidInKind')::numeric <= 1000))`,
  )};
end $$;`;

keepSilent('repayments', ['invoice_id']);

/**
 * What an invoice pays in kind is a repayment that pays the interest with as much new principal. It lasts as long as the invoice is
 * issued. An invoice that asks for nothing else may ask for nothing.
 */
const entries = `
alter table repayments add column invoice_id object_id ${references('invoices')};
create unique index repayments_in_kind on repayments (invoice_id) where status = 'Active';
create function in_kind_holds(repayments jsonb) returns boolean immutable parallel safe language sql
  return coalesce(jsonb_array_length(repayments) = 2
    and (repayments -> 0 ->> 'kind', repayments -> 1 ->> 'kind') = ('interest', 'principal')
    and (repayments #>> '{0,amount,sum}')::numeric > 0
    and (repayments #>> '{1,amount,sum}')::numeric = -(repayments #>> '{0,amount,sum}')::numeric
    and repayments #>> '{0,amount,currency}' ~ '^[A-Z]{3}$'
    and repayments #>> '{1,amount,currency}' = repayments #>> '{0,amount,currency}', false);
alter table repayments drop constraint repayments_amounts, add constraint repayments_amounts check (
  case when invoice_id is null then repayments_hold(repayments) else allocation_id is null and in_kind_holds(repayments) end);
create function invoice_in_kind(lines jsonb) returns numeric immutable parallel safe language sql
  return (select coalesce(-sum((line ->> 'amount')::numeric) filter (where line ->> 'rule' = 'inKind'), 0)
    from jsonb_array_elements(case jsonb_typeof(lines) when 'array' then lines else '[]' end) as line);
alter table invoices drop constraint invoices_issued, add constraint invoices_issued check (
  status <> 'Active' or (issued_on is not null and coalesce((amount > 0 or (amount = 0 and invoice_in_kind(lines) > 0))
    and invoice_in_kind(lines) >= 0
    and invoice_sum(lines, 'fees') >= 0 and invoice_sum(lines, 'interest') >= 0 and invoice_sum(lines, 'principal') >= 0, false)));

create function check_paid_in_kind() returns trigger language plpgsql as $$${SYSTEM_ACTS}
  if exists (select from invoices i left join repayments r on r.invoice_id = i.id and r.status = 'Active'
      where i.id = case tg_table_name when 'invoices' then new.id else to_jsonb(new) ->> 'invoice_id' end
        and not coalesce(case when i.status = 'Active' and invoice_in_kind(i.lines) > 0 then
            (r.note_id, r.transaction_id, r.company_id, r.manager_id, r.cut_off_date, r.repayments #>> '{0,amount,currency}')
              = (i.note_id, i.transaction_id, i.company_id, i.manager_id, i.period_to, i.currency)
            and (r.repayments #>> '{0,amount,sum}')::numeric = invoice_in_kind(i.lines)
          else r.id is null end, false)) then
    raise exception 'what an issued invoice pays in kind is added to the principal' using errcode = 'check_violation', constraint = 'repayments_paid_in_kind';
  end if;${AS_ACTOR}
  return null;
end $$;
create constraint trigger invoices_paid_in_kind after insert or update of status, lines on invoices
  deferrable initially deferred for each row execute function check_paid_in_kind();
create constraint trigger repayments_paid_in_kind after insert or update on repayments
  deferrable initially deferred for each row when (new.invoice_id is not null) execute function check_paid_in_kind();`;

/** Interest that is added to the principal instead of being paid. */
export class PaidInKind extends Migration {
  override up(): void {
    this.addSql([terms, entries].join('\n'));
  }
}
