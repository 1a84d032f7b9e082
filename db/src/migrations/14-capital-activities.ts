import { Migration } from '@mikro-orm/migrations';
import { boundMoney } from './10-currencies.ts';
import { CLASS, COPIED, INVESTOR, INVESTOR_CHECKS } from './12-commitments.ts';
import {
  CALL_PURPOSE_KINDS,
  CAPITAL_STATES,
  DISTRIBUTION_ACTION_TYPES,
  DISTRIBUTION_KINDS,
  MAX_LINES,
} from './as-landed.ts';
import {
  byLP,
  currency,
  ISSUED,
  list,
  OF_INVESTOR,
  OF_MANAGER,
  object,
  oneOf,
  optional,
  references,
  table,
  tenantTable,
  text,
} from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM, onStatement } from './triggers.ts';

const among = (path: string, values: readonly string[]) => values.map((value) => `${path} == "${value}"`).join(' || ');

const functions = `
create function sum_of_lines(lines jsonb, part text, wanted text[]) returns numeric immutable parallel safe language sql
  return (select coalesce(sum((line ->> 'amount')::numeric) filter (where wanted is null or line ->> part = any (wanted)), 0)
    from jsonb_array_elements(case jsonb_typeof(lines) when 'array' then lines else '[]' end) as line);
create function lines_hold(lines jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(text_within(line ->> 'title', 1, 150) and line ->> 'title' is not null
      and coalesce((line ->> 'amount')::numeric >= 0, false)), true) from jsonb_array_elements(lines) as line);
-- The days on which the principal of a recallable distribution can be called again. A fund that declares its capital
-- non-recyclable ends it for later distributions, and on request for earlier ones as well, from the declaration on.
create function recallable_days(distributed date, non_recyclable jsonb) returns daterange stable parallel safe language sql
  return case
    when distributed >= (non_recyclable ->> 'declerationDate')::date then 'empty'::daterange
    when (non_recyclable ->> 'fromBeginning')::boolean then daterange(distributed, (non_recyclable ->> 'declerationDate')::date)
    else daterange(distributed, null) end;`;

export const REASON = optional(text({ minLength: 1, maxLength: 500 }));
/** The file that a worker makes of a document, or why it could not. */
export const PRINTED = {
  file_id: `object_id ${references('files')}`,
  file_problem: optional(text({ minLength: 1, maxLength: 500 })),
};
/** What is issued and has no file yet. */
export const DUE = '(code) where file_id is null and file_problem is null';
export const TIMEZONE_OFFSET = 'integer check ({column} between -840 and 840)';

/** Columns of a document of one commitment. */
export const OF_COMMITMENT = {
  commitment_id: 'object_id not null',
  fund_id: 'object_id not null',
  class: CLASS,
  ...INVESTOR,
  currency,
  cut_off_date: 'date not null',
  removal_reason: REASON,
  copied: COPIED,
};
export const COMMITMENT_CONSTRAINTS = [
  `foreign key (commitment_id, copied) ${references('lp_commitments', 'id, copied')}`,
  ...INVESTOR_CHECKS,
];
export const COMMITMENT_INDEXES = ['(commitment_id, cut_off_date)', '(fund_id, cut_off_date)', '(investor_lp_id)'];

/** What the lines of calls and of distributions share. */
const notice = {
  activity_id: 'object_id not null',
  live_activity_id: "object_id generated always as (case when status <> 'Removed' then activity_id end) stored",
  call_number: text({ minLength: 1, maxLength: 100 }),
  // As it was on the cut-off date: an investor does not see the other commitments.
  holding_percentage: 'numeric check ({column} between 0 and 100)',
  // The class that the share is of; null for the whole fund.
  holding_class: 'text check (char_length({column}) between 1 and 100)',
  pdf_options: object,
  trailing_description: optional(text({ maxLength: 4000 })),
  timezone_offset: TIMEZONE_OFFSET,
  issued_on: 'date',
  ...PRINTED,
};
const noticeIndexes = [
  ...COMMITMENT_INDEXES,
  '(fund_id, call_number)',
  '(activity_id)',
  `${DUE} and ${ISSUED}`,
  // To find whose notice a file is when it is read.
  '(file_id) where file_id is not null',
];
const owners = { lp: 'investor_lp_id' };
const silent = ['activity_id', 'file_id', 'file_problem', 'issued_on'];

const contributions = tenantTable({
  name: 'contributions',
  tenant: 'manager',
  history: { resource: 'contributions', canBeBlocked: true, owners, silent, asJsonb: true },
  statuses: CAPITAL_STATES,
  initialStatus: 'Draft',
  read: OF_INVESTOR,
  columns: {
    ...OF_COMMITMENT,
    due_date: 'date not null',
    purposes: list(MAX_LINES, 1),
    ...notice,
    amount: 'numeric generated always as (sum_of_lines(purposes, null, null)) stored',
    manager_fees: `numeric generated always as (sum_of_lines(purposes, 'kind', array['managementFee', 'successFee'])) stored`,
  },
  constraints: [
    ...COMMITMENT_CONSTRAINTS,
    'constraint contributions_due_date check (due_date >= cut_off_date)',
    'constraint contributions_purposes check (lines_hold(purposes))',
    `constraint contributions_kinds check (not jsonb_path_exists(purposes, '$[*].kind ? (!(${among('@', CALL_PURPOSE_KINDS)}))'))`,
  ],
  indexes: noticeIndexes,
});

const sumOf = (...types: (typeof DISTRIBUTION_ACTION_TYPES)[number][]): string =>
  `sum_of_lines(components, 'actionType', array[${types.map((type) => `'${type}'`).join(', ')}])`;

const distributions = tenantTable({
  name: 'distributions',
  tenant: 'manager',
  history: { resource: 'distributions', canBeBlocked: true, owners, silent, asJsonb: true },
  statuses: CAPITAL_STATES,
  initialStatus: 'Draft',
  read: OF_INVESTOR,
  columns: {
    ...OF_COMMITMENT,
    distribution_kind: oneOf(DISTRIBUTION_KINDS),
    principal: 'numeric not null check ({column} >= 0)',
    components: list(MAX_LINES),
    purposes: list(MAX_LINES),
    ...notice,
    income: `numeric generated always as (${sumOf('INTEREST')}) stored`,
    gains: `numeric generated always as (${sumOf('CG')}) stored`,
    total_distributed: `numeric generated always as (principal + ${sumOf('INTEREST', 'CG')}
      - ${sumOf('INTEREST FEES', 'CG FEES', 'INTEREST TAX', 'CG TAX')}) stored`,
    is_recallable: `boolean generated always as (coalesce((pdf_options ->> 'recallableDistribution')::boolean, false)) stored`,
  },
  constraints: [
    ...COMMITMENT_CONSTRAINTS,
    'constraint distributions_components check (lines_hold(components) and lines_hold(purposes))',
    `constraint distributions_types check (not jsonb_path_exists(components, '$[*].actionType ? (!(${among('@', DISTRIBUTION_ACTION_TYPES)}))'))`,
    "constraint distributions_interest check (distribution_kind <> 'Interest' or principal = 0)",
    "constraint distributions_principal check (distribution_kind <> 'Principal Only' or components = '[]')",
  ],
  indexes: noticeIndexes,
});

/** How the headers of one table of lines differ from those of the other. */
interface Activity {
  /** The table of the headers. */
  readonly name: string;
  readonly lines: 'contributions' | 'distributions';
  /** What a line shares with its header, besides the fund. */
  readonly days: readonly string[];
  /** Lists of amounts: the column, and the field that tells amounts of one title apart. */
  readonly lists: readonly (readonly [column: string, kind: string])[];
  /** Amounts. */
  readonly sums: readonly string[];
}

const ACTIVITIES: readonly Activity[] = [
  {
    name: 'capital_calls',
    lines: 'contributions',
    days: ['cut_off_date', 'due_date'],
    lists: [['purposes', 'kind']],
    sums: [],
  },
  {
    name: 'distribution_events',
    lines: 'distributions',
    days: ['cut_off_date'],
    lists: [
      ['components', 'actionType'],
      ['purposes', 'kind'],
    ],
    sums: ['principal'],
  },
];

/** An investor sees the header of what was issued to it. */
const readable = (lines: string): string =>
  `${OF_MANAGER} or id = any (array(select activity_id from ${lines} where ${byLP('investor_lp_id')} and ${ISSUED})::text[])`;

const headers = ({ name, lines, days, lists, sums }: Activity): string =>
  table({
    name,
    history: { exempt: 'its lines record every change' },
    read: readable(lines),
    write: OF_MANAGER,
    columns: {
      id: 'object_id primary key',
      manager_id: `object_id not null ${references('managers')}`,
      fund_id: 'object_id not null',
      // The class that all its lines are of.
      class: optional(text({ minLength: 1, maxLength: 100 })),
      currency,
      number: text({ minLength: 1, maxLength: 100 }),
      ...Object.fromEntries(days.map((day) => [day, 'date not null'])),
      // Of all lines together, whoever sees them.
      ...Object.fromEntries(sums.map((column) => [column, 'numeric not null default 0'])),
      ...Object.fromEntries(
        lists.map(([column]) => [column, `jsonb not null default '[]' check (jsonb_typeof({column}) = 'array')`]),
      ),
      status: oneOf(CAPITAL_STATES, 'Draft'),
      version: 'integer not null default 1',
    },
    constraints: [
      `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
      `unique (id, manager_id, fund_id, currency, number, ${days.join(', ')})`,
      ...(days.length > 1 ? ['check (due_date >= cut_off_date)'] : []),
    ],
    indexes: ['(manager_id, cut_off_date)', '(fund_id, cut_off_date)'],
  });

/** A line in force has the fund, the currency, the number and the days of its header, which no other header has. */
const keys = ({ name, lines, days }: Activity): string => `
create unique index ${name}_days_of_number on ${name} (fund_id, number, ${days.join(', ')}) where status <> 'Removed';
alter table ${lines}
  add foreign key (activity_id) ${references(name)},
  add constraint ${lines}_of_header foreign key (live_activity_id, manager_id, fund_id, currency, call_number, ${days.join(', ')})
    ${references(name, `id, manager_id, fund_id, currency, number, ${days.join(', ')}`)};
-- Notices that were issued before this check stay as they are: it is for those that are written.
alter table ${name} add constraint ${name}_number check (is_name(number)) not valid;
alter table ${lines} add constraint ${lines}_call_number_name check (is_name(call_number)) not valid;`;

/** The amounts of a header over its lines. */
const amountsOf = ({ lines, sums, lists }: Activity): string =>
  [
    ...sums.map(
      (column) =>
        `${column} = coalesce((select sum(t.${column}) from ${lines} t where t.activity_id = h.id and t.status <> 'Removed'), h.${column})`,
    ),
    ...lists.map((list) => summed(lines, list)),
  ].join(', ');

/** The lines of a list over all lines of a header, in their order: as many titles and kinds as the investors have. */
const summed = (lines: string, [column, kind]: readonly [string, string]): string => `
  ${column} = coalesce((
    select jsonb_agg(jsonb_build_object('title', title, '${kind}', kind, 'amount', amount) order by place, title, kind)
    from (
      select place, line ->> 'title' as title, line ->> '${kind}' as kind, sum((line ->> 'amount')::numeric)::text as amount
      from ${lines} t cross join jsonb_array_elements(t.${column}) with ordinality as entries (line, place)
      where t.activity_id = h.id and t.status <> 'Removed' group by 1, 2, 3) as totals), h.${column})`;

/**
 * What a header says of its lines. Its amounts are added up while lines are entered or drafts change: what was issued
 * keeps the amounts of its notices when a line is withdrawn.
 */
const sums = (activity: Activity): string => {
  const { name, lines, lists, sums: amounts } = activity;
  const changed = (row: string) =>
    ['activity_id', 'status', 'version', 'class', ...amounts, ...lists.map(([column]) => column)]
      .map((column) => `${row}.${column}`)
      .join(', ');
  const touched = `added join gone using (id) cross join lateral (values (added.activity_id), (gone.activity_id)) as one (activity)
        where (${changed('added')}) is distinct from (${changed('gone')})`;
  return `
create function sum_up_${lines}(touched text[], entered text[]) returns void language plpgsql security definer set search_path from current as $$
declare${ACTOR}
begin${AS_SYSTEM}
  delete from ${name} h where h.id = any (touched) and not exists (select from ${lines} t where t.activity_id = h.id);
  update ${name} h set class = s.class, status = s.status, version = h.version + 1
    from (
      select activity_id,
        case when count(distinct class) = 1 and count(class) = count(*) then min(class) end as class,
        case when count(*) filter (where status <> 'Removed') = 0 then 'Removed'
          when bool_and(status in ('Draft', 'Removed')) then 'Draft'
          when bool_and(status in ('Closed', 'Removed')) then 'Closed' else 'Active' end as status
      from ${lines} where activity_id = any (touched) group by 1) as s
    where h.id = s.activity_id;
  update ${name} h set ${amountsOf(activity)} where h.id = any (entered);${AS_ACTOR}
end $$;
revoke execute on function sum_up_${lines}(text[], text[]) from public;
create function sum_up_changed_${lines}() returns trigger language plpgsql security definer set search_path from current as $$
declare
  touched text[];
  entered text[] := '{}';
begin
  case tg_op
    when 'INSERT' then
      touched := array(select distinct activity_id from added);
      entered := touched;
    when 'DELETE' then touched := array(select distinct activity_id from gone);
    else
      touched := array(select distinct activity from ${touched});
      entered := array(select distinct activity from ${touched} and gone.status = 'Draft');
  end case;
  if cardinality(touched) > 0 then perform sum_up_${lines}(touched, entered); end if;
  return null;
end $$;${onStatement(lines, 'summed', `sum_up_changed_${lines}`)}`;
};

const bounds = [
  boundMoney('contributions', { money: ['lines_fit(purposes, currency)'], days: ['cut_off_date', 'due_date'] }),
  boundMoney('distributions', {
    money: ['money_fits(principal, currency)', 'lines_fit(components, currency)', 'lines_fit(purposes, currency)'],
    days: ['cut_off_date'],
  }),
];

/**
 * Capital calls and distributions have headers, as invoices have: the fund, the number and the days, what all lines
 * add up to, and the version. Contributions and distributions are their lines, one for each commitment.
 */
export class CapitalActivities extends Migration {
  override up(): void {
    this.addSql(
      [
        functions,
        contributions,
        distributions,
        ...ACTIVITIES.flatMap((activity) => [headers(activity), keys(activity), sums(activity)]),
        ...bounds,
      ].join('\n'),
    );
  }
}
