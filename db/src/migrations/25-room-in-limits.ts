import { Migration } from '@mikro-orm/migrations';

/**
 * The limits of a result with the room left in each, as a share of the limit. A result has the figures of each group and
 * is large; the dashboard shows the limits of every note. Where groups are measured one by one, the group closest to
 * the limit decides. The room is null if it is unknown or the limit has no direction.
 */
const limitsOf = `
create function limits_of(result jsonb) returns jsonb immutable parallel safe language sql
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
    select nullif(result #>> '{totals,pools,eligibleOrPerforming,amount,sum}', '0')::numeric as pool,
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
);
alter table borrowing_bases add column limits jsonb generated always as (limits_of(result)) stored;`;

/** The room left in each concentration limit of a borrowing base. */
export class RoomInLimits extends Migration {
  override up(): void {
    this.addSql(limitsOf);
  }
}
