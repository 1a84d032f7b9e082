import { Migration } from '@mikro-orm/migrations';
import './26-capital.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM, onNewNames } from './45-search.ts';
import { GROUPED } from './49-search-activity.ts';
import { CAPITAL_STATES } from './as-landed.ts';
import { byLP, currency, keepSilent, OF_MANAGER, oneOf, optional, references, table, text } from './tenant-table.ts';

const ISSUED = "status in ('Active', 'Closed')";

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

for (const { lines } of ACTIVITIES) keepSilent(lines, ['activity_id']);

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

const COUNTED = "t.status <> 'Removed'";

/** The amounts of a header over its lines. */
const amountsOf = ({ lines, sums, lists }: Activity, counted = COUNTED): string =>
  [
    ...sums.map(
      (column) =>
        `${column} = coalesce((select sum(t.${column}) from ${lines} t where t.activity_id = h.id and ${counted}), h.${column})`,
    ),
    ...lists.map((list) => summed(lines, list, counted)),
  ].join(', ');

/** The lines of a list over all lines of a header, in their order: as many titles and kinds as the investors have. */
const summed = (lines: string, [column, kind]: readonly [string, string], counted = COUNTED): string => `
  ${column} = coalesce((
    select jsonb_agg(jsonb_build_object('title', title, '${kind}', kind, 'amount', amount) order by place, title, kind)
    from (
      select place, line ->> 'title' as title, line ->> '${kind}' as kind, sum((line ->> 'amount')::numeric)::text as amount
      from ${lines} t cross join jsonb_array_elements(t.${column}) with ordinality as entries (line, place)
      where t.activity_id = h.id and ${counted} group by 1, 2, 3) as totals), h.${column})`;

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
end $$;
create trigger ${lines}_summed_added after insert on ${lines}
  referencing new table as added for each statement execute function sum_up_changed_${lines}();
create trigger ${lines}_summed_gone after delete on ${lines}
  referencing old table as gone for each statement execute function sum_up_changed_${lines}();
create trigger ${lines}_summed_changed after update on ${lines}
  referencing old table as gone new table as added for each statement execute function sum_up_changed_${lines}();`;
};

/** A table with checks that wait for the end of the transaction cannot be altered. */
const CHECKED = 'set constraints all immediate;\nset constraints all deferred;';

/**
 * The lines that were entered together, which have one number and the same days, get one header, whose id is what they
 * shared so far. A line that had another number or day than the others gets a header of its own.
 */
const filled = (activity: Activity): string => {
  const { name, lines, days } = activity;
  const key = ['manager_id', 'fund_id', 'currency', 'call_number', ...days];
  const shared = (column: string) => `min(${column})`;
  return `
alter table ${lines} disable trigger user;
with entered as (
  select id, status, ${key.join(', ')}, coalesce(metadata ->> 'bundleId',
    min(id) over (partition by ${key.join(', ')}, metadata ->> 'bundleId' is null)) as together
  from ${lines}
), activities as (
  select together, ${key.join(', ')}, min(id) as first,
    row_number() over (partition by together order by count(*) filter (where status <> 'Removed') desc, count(*) desc, min(id)) as place
  from entered group by together, ${key.join(', ')}
)
update ${lines} t set metadata = metadata - 'bundleId',
  activity_id = case when a.place = 1 and a.together ~ '^[0-9a-f]{24}$' then a.together else a.first end
from entered e join activities a on (${['together', ...key].map((column) => `a.${column}`).join(', ')})
  = (${['together', ...key].map((column) => `e.${column}`).join(', ')})
where e.id = t.id;
${CHECKED}
alter table ${lines} enable trigger user;
insert into ${name} (id, manager_id, fund_id, currency, number, ${days.join(', ')})
  select activity_id, ${key.map(shared).join(', ')} from ${lines} group by activity_id;
do $$ begin perform sum_up_${lines}(array_agg(id::text), '{}') from ${name}; end $$;
update ${name} h set version = 1, ${amountsOf(activity, `(${COUNTED} or t.issued_on is not null)`)};
${CHECKED}
alter table ${lines} alter column activity_id set not null;
alter table ${name} add constraint ${name}_number check (is_name(number)) not valid;
create unique index ${name}_days_of_number on ${name} (fund_id, number, ${days.join(', ')}) where status <> 'Removed';`;
};

/** A line in force has the fund, the currency, the number and the days of its header. */
const keys = ({ name, lines, days }: Activity): string => `
alter table ${lines}
  add column live_activity_id object_id generated always as (case when status <> 'Removed' then activity_id end) stored,
  add foreign key (activity_id) ${references(name)},
  add constraint ${lines}_of_header foreign key (live_activity_id, manager_id, fund_id, currency, call_number, ${days.join(', ')})
    ${references(name, `id, manager_id, fund_id, currency, number, ${days.join(', ')}`)},
  drop column fund_lines;
create index on ${lines} (activity_id);
drop index ${lines}_expr_idx;
drop trigger ${lines}_call_number on ${lines};
drop function check_number_of_${lines}();`;

/** The search finds a call or a distribution by the id of its header. */
const searches = GROUPED.flatMap(({ table: lines, kind, text: words, columns, order, fund = 'null', named = [] }) => {
  if (lines !== 'contributions' && lines !== 'distributions') return [];
  const values = (row: string) => ['status', 'activity_id', ...columns].map((column) => `${row}.${column}`).join(', ');
  const index = (from: string) =>
    `perform index_${lines}(manager_id, shared) from (select distinct t.manager_id, t.activity_id as shared from ${from}) one;`;
  return `
create or replace function index_${lines}(manager text, shared text) returns void language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare${ACTOR}
  t ${lines};
  document text := '${kind}/' || manager || '/' || shared;
begin${AS_SYSTEM}
  select t.* into t from ${lines} t where t.activity_id = shared and t.status <> 'Removed' order by ${order} limit 1;
  if t.id is null then
    delete from search_words where document_id = document;
  else
    perform index_words('${kind}', document, t.manager_id, null, ${fund}, null, t.status in ('Active', 'Closed'), ${words});
  end if;${AS_ACTOR}
end $$;
create or replace function search_${lines}() returns trigger language plpgsql security definer set search_path from current as $$ begin
  case tg_op
    when 'INSERT' then ${index('added t')}
    when 'DELETE' then ${index('gone t')}
    else ${index(`(select added.* from added join gone using (id) where (${values('added')}) is distinct from (${values('gone')})
      union all select gone.* from added join gone using (id) where added.activity_id <> gone.activity_id) t`)}
  end case;
  return null;
end $$;
${named.map(([other]) => `drop trigger ${other}_search_${lines} on ${other};\ndrop function search_${lines}_of_${other}();`).join('\n')}
${onNewNames(
  { table: lines, named },
  (isNamed) =>
    `index_${lines}(manager_id, shared) from (select distinct t.manager_id, t.activity_id as shared from ${lines} t where ${isNamed}) as found`,
)}
delete from search_words where kind = '${kind}';
do $$ begin perform index_${lines}(manager_id, shared) from (select distinct manager_id, activity_id as shared from ${lines}) as found; end $$;`;
});

/**
 * Capital calls and distributions have headers, as invoices have: the fund, the number and the days, what all lines
 * add up to, and the version. Contributions and distributions are their lines, one for each commitment.
 */
export class CapitalActivities extends Migration {
  override up(): void {
    this.addSql(
      [
        `select set_config('tapeline.actor_type', 'system', true);`,
        ...ACTIVITIES.map(({ lines }) => `alter table ${lines} add column activity_id object_id;`),
        ...ACTIVITIES.map(headers),
        ...ACTIVITIES.map(sums),
        ...ACTIVITIES.map(filled),
        ...ACTIVITIES.map(keys),
        ...searches,
        `select set_config('tapeline.actor_type', '', true);`,
      ].join('\n'),
    );
  }
}
