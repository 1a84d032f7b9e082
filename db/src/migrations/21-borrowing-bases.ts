import { Migration } from '@mikro-orm/migrations';
import { currency, object, references, tenantTable } from './tenant-table.ts';

/** An amount of the result's totals; null if it is not recorded. */
const totalOf = (name: string) => `jsonb generated always as (nullif(result #> '{totals,${name}}', 'null')) stored`;
const everyOf = (path: string) => `jsonb generated always as (jsonb_path_query_array(result, '${path}')) stored`;

/**
 * The limits of a result with the room left in each, as a share of the limit. A result has the figures of each group and
 * is large; the dashboard shows the limits of every note. Where groups are measured one by one, the group closest to
 * the limit decides. The room is null if it is unknown, the limit has no direction, or the pool has no balance: it is compared
 * with zero as a number, because the text '0.00' is not '0'.
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

const borrowingBases = tenantTable({
  name: 'borrowing_bases',
  tenant: 'company',
  // The result is calculated; its figures are recorded.
  history: { resource: 'borrowingBases', canBeBlocked: true, silent: ['result'], asJsonb: true },
  columns: {
    tape_id: 'object_id not null',
    generation_id: 'object_id not null',
    transaction_id: 'object_id not null',
    note_id: 'object_id not null',
    contract_id: 'object_id not null',
    cut_off_date: 'date not null',
    currency,
    net_bb: 'numeric not null',
    first_bb: 'numeric not null',
    result: object,
    result_key: 'text',
    superseded_by: 'object_id',
    // Generated from the result and stored with it: a result is large, and a dashboard shows these for every note.
    balance: totalOf('balance'),
    commitments: totalOf('commitments'),
    availability: totalOf('availability'),
    breaches: everyOf('$.excessBreachDistribution[*] ? (@.breached == true).title'),
    warnings: everyOf('$.warnings[*].message'),
    limits: 'jsonb generated always as (limits_of(result)) stored',
  },
  constraints: [
    `foreign key (tape_id, company_id) ${references('loan_tapes', 'id, company_id')}`,
    `foreign key (transaction_id, company_id) ${references('transactions', 'id, company_id')}`,
    `constraint borrowing_bases_contract foreign key (contract_id, company_id, transaction_id, note_id)
      ${references('contracts', 'id, company_id, transaction_id, note_id')}`,
    "constraint borrowing_bases_superseded check ((status = 'Disabled') = (superseded_by is not null) or status = 'Removed')",
  ],
  indexes: ['(note_id, cut_off_date)'],
});

/** A recalculation keeps the earlier result as a superseded (Disabled) borrowing base. One per tape and contract is Active. */
const versions = `
create unique index borrowing_bases_latest on borrowing_bases (tape_id, contract_id) where status = 'Active';
create index borrowing_bases_versions on borrowing_bases (tape_id, contract_id, code);`;

/** Borrowing bases, the versions of each tape and contract. */
export class BorrowingBases extends Migration {
  override up(): void {
    this.addSql([limitsOf, borrowingBases, versions].join('\n'));
  }
}
