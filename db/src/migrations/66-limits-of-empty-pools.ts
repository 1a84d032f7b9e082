import { Migration } from '@mikro-orm/migrations';

/**
 * The limits of a result whose pool is empty, ineligible or of zero balance. The pool is compared with zero as a number:
 * the text '0.00' is not '0', and the division by it kept the result from being stored.
 */
const limitsOf = `
create or replace function limits_of(result jsonb) returns jsonb immutable parallel safe language sql
return (
  select coalesce(jsonb_agg(jsonb_build_object(
      'rule', rule -> 'rule', 'title', rule ->> 'title', 'breached', coalesce((rule -> 'breached')::boolean, false),
      'unit', unit,
      'measured', (case when unit = 'percent' then round(measured / pool * 100, 4) else measured end)::text,
      'limit', (case when unit = 'percent' then round(bound / pool * 100, 4) else bound end)::text,
      'room', round(case when is_floor then (measured - bound) / abs(bound) when is_cap then (bound - measured) / abs(bound) end, 6)::text
    ) order by place), '[]')
  from jsonb_array_elements(coalesce(result -> 'excessBreachDistribution', '[]')) with ordinality as one (rule, place)
  cross join lateral (
    select nullif((result #>> '{totals,pools,eligibleOrPerforming,amount,sum}')::numeric, 0) as pool,
      coalesce(rule ->> 'operand' in ('gt', 'gte'), false) as is_floor, coalesce(rule ->> 'operand' in ('lt', 'lte'), false) as is_cap,
      nullif((rule ->> 'limit')::numeric, 0) as bound,
      case when (rule -> 'money')::boolean is not true then 'number' when rule ->> 'accumulatorField' is not null then 'money'
        else 'percent' end as unit
  ) as facts
  cross join lateral (
    select coalesce((rule ->> 'measure')::numeric, (
      select case when not is_floor then max(measure)
        -- The smallest of many groups may not be listed.
        when (rule -> 'breached')::boolean or (rule ->> 'groupCount')::integer <= jsonb_array_length(rule -> 'groups') then min(measure) end
      from (select (part ->> 'measure')::numeric as measure from jsonb_array_elements(coalesce(rule -> 'groups', '[]')) as part
        where part ->> 'part' = 'measured') as measures
    )) as measured
  ) as decisive
);`;

/** The limits of a borrowing base whose pool has no balance. */
export class LimitsOfEmptyPools extends Migration {
  override up(): void {
    this.addSql(limitsOf);
  }
}
