import { Migration } from '@mikro-orm/migrations';
import { ACTOR, AS_ACTOR, AS_SYSTEM, indexed, onNewNames, type Searched } from './45-search.ts';

const company = '(select name from companies where id = t.company_id)';
const transaction = '(select title from transactions where id = t.transaction_id)';
const noteTitle = `(select note ->> 'title' from transactions x, jsonb_array_elements(x.notes) as note
  where x.id = t.transaction_id and note ->> 'id' = t.note_id)`;
const fund = '(select title from funds where id = t.fund_id)';
const day = (column: string): string => `to_char(t.${column}, 'YYYY FMMonth YYYY-MM-DD')`;

const SEARCHED: readonly Searched[] = [
  {
    table: 'announcements',
    kind: 'announcement',
    text: `concat_ws(' ', t.title, t.sub_title)`,
    columns: ['title', 'sub_title'],
    company: 't.company_id',
    fund: 't.fund_id',
    lp: 't.lp_id',
  },
  {
    table: 'draws',
    kind: 'draw',
    text: `concat_ws(' ', 'draw', ${transaction}, ${noteTitle}, ${company}, ${day('due_date')})`,
    columns: ['due_date'],
    company: 't.company_id',
    named: [
      ['transactions', 'title', 'transaction_id'],
      ['companies', 'name', 'company_id'],
    ],
  },
];

/** Documents that are found as one: the parts of a call, or the versions of a mapping or a contract. */
interface Grouped extends Omit<Searched, 'manager' | 'lp'> {
  /** SQL of the id that the parts share. */
  readonly group: string;
  /** SQL of whether `t` has this id. */
  readonly has: (id: string) => string;
  /** SQL of the part that is indexed. */
  readonly order: string;
}

const bundle = {
  group: "coalesce(t.metadata ->> 'bundleId', t.id)",
  has: (id: string) => `(t.id = ${id} or t.metadata ->> 'bundleId' = ${id})`,
  // Issued parts first: investors can see these.
  order: "(t.status in ('Active', 'Closed')) desc, t.id",
  columns: ['call_number', 'cut_off_date'],
  fund: 't.fund_id',
  named: [['funds', 'title', 'fund_id']],
} as const;

export const GROUPED: readonly Grouped[] = [
  {
    ...bundle,
    table: 'contributions',
    kind: 'call',
    text: `concat_ws(' ', 'capital call', t.call_number, ${fund}, ${day('due_date')})`,
    columns: [...bundle.columns, 'due_date'],
  },
  {
    ...bundle,
    table: 'distributions',
    kind: 'distribution',
    text: `concat_ws(' ', 'distribution', t.call_number, ${fund}, ${day('cut_off_date')})`,
  },
  {
    table: 'mappings',
    kind: 'mapping',
    text: `concat_ws(' ', 'mapping', t.loan_tape_sheet_name, ${company})`,
    columns: ['loan_tape_sheet_name'],
    company: 't.company_id',
    group: 't.family_id',
    has: (id) => `t.family_id = ${id}`,
    order: 't.mapping_version desc',
    named: [['companies', 'name', 'company_id']],
  },
  {
    table: 'contracts',
    kind: 'contract',
    text: `concat_ws(' ', 'contract', t.body ->> 'title', ${transaction}, ${noteTitle}, ${company})`,
    columns: ['body'],
    company: 't.company_id',
    group: 't.note_id',
    has: (id) => `t.note_id = ${id}`,
    order: 't.revision desc',
    named: [
      ['transactions', 'title', 'transaction_id'],
      ['companies', 'name', 'company_id'],
    ],
  },
];

const grouped = ({
  table,
  kind,
  text,
  columns,
  company: of = 'null',
  fund: ofFund = 'null',
  named = [],
  ...group
}: Grouped): string => {
  const shares = `select distinct t.manager_id, ${group.group} as shared from ${table} t`;
  return `
-- The id of a bundle comes from the client, so it is only unique within its manager.
create function index_${table}(manager text, shared text) returns void language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare${ACTOR}
  t ${table};
  document text := '${kind}/' || manager || '/' || shared;
begin${AS_SYSTEM}
  select t.* into t from ${table} t where ${group.has('shared')} and t.manager_id = manager and t.status <> 'Removed' order by ${group.order} limit 1;
  if t.id is null then
    delete from search_words where document_id = document;
  else
    perform index_words('${kind}', document, t.manager_id, ${of}, ${ofFund}, null, t.status in ('Active', 'Closed'), ${text});
  end if;${AS_ACTOR}
end $$;
create function search_${table}() returns trigger language plpgsql security definer set search_path from current as $$
declare t ${table};
begin
  if tg_op = 'DELETE' then t := old; else t := new; end if;
  perform index_${table}(t.manager_id, ${group.group});
  return null;
end $$;
create trigger ${table}_search after insert or delete or update of status, ${columns.join(', ')} on ${table}
  for each row execute function search_${table}();
${onNewNames({ table, named }, (isNamed) => `index_${table}(manager_id, shared) from (${shares} where ${isNamed}) as found`)}
revoke execute on function index_${table} from public;
do $$ begin perform index_${table}(manager_id, shared) from (${shares}) as found; end $$;`;
};

/** Announcements to all borrowers or investors belong to no fund, investor or company. */
const toAll = `
create function search_announcements_to_all(query text, most integer) returns table (kind text, id text, key text)
stable language plpgsql security definer set search_path from current set enable_seqscan = off
  set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  parts text[] := array(select part from unnest(string_to_array(search_line(query), ' ')) as part where part <> '' order by length(part) desc limit 8);
  wanted text := left(parts[1], 100);
  beyond text := wanted || chr(1114111);
  others text[] := array(select '% ' || part || '%' from unnest(parts[2:]) as part);
  tenant text := actor_tenant();
begin
  return query select 'announcement', document_id, null from search_words w
    where manager_id = tenant and kind = 'announcement' and word >= wanted and word < beyond and line like all (others)
      and company_id is null and fund_id is null and lp_id is null and issued
    order by word limit most;
end $$;`;

/** Search of announcements, draws, calls, distributions, mappings and contracts. */
export class SearchActivity extends Migration {
  override up(): void {
    this.addSql([...SEARCHED.map(indexed), ...GROUPED.map(grouped), toAll].join('\n'));
  }
}
