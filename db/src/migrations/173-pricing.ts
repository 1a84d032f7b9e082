import { Migration } from '@mikro-orm/migrations';
import { BASE_RATES, DATE_RANGE_TYPES, DAY_COUNTS, FEE_FREQUENCIES, FEE_TYPES } from './as-landed.ts';
import { among, given, recordAlso } from './tenant-table.ts';

/** The checks of interest and fees, and what a minimum usage, a pricing grid, a default and prepayments add to them. */
const terms = `
create function pricing_grid_holds(grid jsonb, lowest numeric) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given(
    'grid',
    `jsonb_array_length(grid -> 'tiers') between 1 and 10
      and (select bool_and((tier ->> 'from')::numeric > coalesce(before, 0) and (tier ->> 'from')::numeric <= 100
          and (tier ->> 'rate')::numeric between lowest and 1000)
        from (select tier, lag((tier ->> 'from')::numeric) over (order by place) as before
          from jsonb_array_elements(grid -> 'tiers') with ordinality as each (tier, place)) as tiers)`,
  )};
end $$;
create function default_events_hold(events jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given(
    'events',
    `jsonb_array_length(events) <= 50
      and (select coalesce(bool_and(coalesce(event ->> 'from' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
          and (event ->> 'to' is null or event ->> 'to' > event ->> 'from')
          and length(btrim(event ->> 'reason')) between 1 and 500, false)), true)
        from jsonb_array_elements(events) as event)`,
  )};
end $$;
create function fee_basis_holds(fee jsonb) returns boolean immutable parallel safe language plpgsql as $$
declare
  minimum numeric := (fee ->> 'minimumUsage')::numeric;
  prepaid boolean := coalesce((fee ->> 'onPrepayment')::boolean, false);
  first numeric := (fee #>> '{months,start}')::numeric;
  last numeric := (fee #>> '{months,end}')::numeric;
begin
  return (minimum is null or (minimum > 0 and minimum <= 100 and not prepaid and fee ->> 'frequency' not in ('Beginning', 'Ending')))
    and (minimum is null and not prepaid or (fee ->> 'feeType' is null and fee #>> '{rate,currency}' is null
      and coalesce(fee #>> '{rate,sum}', fee ->> 'rate')::numeric between 0 and 100))
    and (first is null or (first between 0 and 600 and first = trunc(first)))
    and (last is null or (last between 0 and 600 and last = trunc(last)))
    and (first is null or last is null or first < last)
    and (first is null or (nullif(fee -> 'dateRangeType', 'null') is null and fee #>> '{dateRange,start}' is null))
    and (last is null or (nullif(fee -> 'dateRangeType', 'null') is null and fee #>> '{dateRange,end}' is null));
end $$;
create or replace function interest_holds(interest jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given(
    'interest',
    `(interest ->> 'dayCount' is null or interest ->> 'dayCount' in ${among(DAY_COUNTS)}) and case interest ->> 'kind'
      when 'fix' then (interest ->> 'value')::numeric >= 0 and pricing_grid_holds(interest -> 'pricingGrid', 0)
      when 'variable' then interest ->> 'baseRate' in ${among(BASE_RATES)} and (interest ->> 'spread')::numeric is not null
        and (interest ->> 'minimumInterest')::numeric >= 0 and range_holds(interest -> 'numberRange')
        and pricing_grid_holds(interest -> 'pricingGrid', -1000)
      else false end
      and (interest ->> 'defaultMargin' is null or (interest ->> 'defaultMargin')::numeric between 0 and 1000)`,
  )};
end $$;
create or replace function fee_holds(fee jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return coalesce(btrim(fee ->> 'title') <> '' and btrim(fee ->> 'kind') <> ''
    and fee ->> 'frequency' in ${among(FEE_FREQUENCIES)}
    and (jsonb_typeof(fee -> 'rate') = 'number' or (fee #>> '{rate,sum}')::numeric is not null)
    and (fee ->> 'feeType' is null or fee ->> 'feeType' in ${among(FEE_TYPES)})
    and (fee #>> '{dateRange,start}' is null or fee #>> '{dateRange,end}' is null
      or fee #>> '{dateRange,start}' < fee #>> '{dateRange,end}')
    and ${given(
      "(fee -> 'dateRangeType')",
      `fee #>> '{dateRangeType,start}' in ${among(DATE_RANGE_TYPES)}
      and fee #>> '{dateRangeType,end}' in ${among(DATE_RANGE_TYPES)}
      and (fee #>> '{dateRangeType,start}' <> 'custom' or fee #>> '{dateRange,start}' is not null)
      and (fee #>> '{dateRangeType,end}' <> 'custom' or fee #>> '{dateRange,end}' is not null)`,
    )}
    and fee_basis_holds(fee), false);
end $$;
create or replace function terms_hold(terms jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given(
    'terms',
    `(select coalesce(bool_and((commitment #>> '{amount,sum}')::numeric >= 0
        and commitment #>> '{amount,currency}' ~ '^[A-Z]{3}$'), true)
      from jsonb_array_elements(coalesce(nullif(terms -> 'commitments', 'null'), '[]')) as commitment)
      and interest_holds(terms -> 'interest') and timeline_holds(terms -> 'timeline')
      and default_events_hold(terms -> 'defaultEvents')
      and (select coalesce(bool_and(fee_holds(fee)), true)
        from jsonb_array_elements(coalesce(nullif(terms -> 'fees', 'null'), '[]')) as fee)
      and (select coalesce(bool_and(warrant_holds(warrant)), true)
        from jsonb_array_elements(coalesce(nullif(terms -> 'warrants', 'null'), '[]')) as warrant)
      and draw_limit_holds(terms #> '{drawLimits,draw}') and draw_limit_holds(terms #> '{drawLimits,prefunding}')
      and draw_limit_holds(terms #> '{drawLimits,recycling}')`,
  )};
end $$;`;

/** Whether a person said that the principal was due, so that it is no prepayment. What pays an invoice was due in any case. */
const scheduled = `alter table repayments add column scheduled boolean not null default false;
${recordAlso('repayments', ['scheduled'])}`;

/** A minimum usage, a pricing grid, a default margin and prepayment fees in the terms of notes. */
export class Pricing extends Migration {
  override up(): void {
    this.addSql([terms, scheduled].join('\n'));
  }
}
