import { Migration } from '@mikro-orm/migrations';
import { APP_ROLE, COMPANY_COLUMNS, COMPANY_KEY, OF_COMPANY, OF_MANAGER, table } from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM, onStatement } from './triggers.ts';

/**
 * The words of every document that can be searched, each with the owners of the document and all of its words. It says
 * which documents may be meant; the program has no rights on it and reads the documents themselves, so row-level
 * security of their tables decides who finds them.
 */
const words = `${table({
  name: 'search_words',
  columns: {
    word: 'text collate "C" not null',
    kind: 'text not null',
    document_id: 'text not null',
    manager_id: 'text',
    company_id: 'text',
    fund_id: 'text',
    lp_id: 'text',
    // Whether investors may see it.
    issued: 'boolean not null',
    line: 'text not null',
  },
  constraints: ['primary key (document_id, word)'],
  indexes: [
    '(manager_id, kind, word)',
    '(company_id, kind, word) where company_id is not null',
    '(lp_id, kind, word) where lp_id is not null',
    '(fund_id, kind, word) where fund_id is not null',
  ],
  read: 'true',
  write: 'true',
  history: { exempt: 'Its rows are kept by triggers.' },
})}
revoke select, insert, update, delete on search_words from ${APP_ROLE};`;

/** The ids of assets that were ever published, whichever of the company's tapes they are on. */
const assets = table({
  name: 'asset_ids',
  columns: {
    ...COMPANY_COLUMNS,
    // The id in lower case.
    key: 'text collate "C" not null check (char_length({column}) <= 1000)',
    asset_id: 'text not null',
  },
  constraints: ['primary key (company_id, key)', COMPANY_KEY],
  indexes: ['(manager_id, key)'],
  read: OF_COMPANY,
  write: OF_MANAGER,
  history: { exempt: 'They are read from the tapes.' },
});

const MAX_WORDS = 40;

const functions = `
-- The statements of these functions are planned once, maybe while the table is empty: exactly one index fits each.
-- Lower case, without accents, words separated by one space.
create function search_line(value text) returns text immutable strict parallel safe language sql
  return btrim(regexp_replace(regexp_replace(lower(normalize(value, NFKD)), U&'[\\0300-\\036F]+', '', 'g'), '[^[:alnum:]]+', ' ', 'g'));

create function index_words(of_kind text, id text, manager text, company text, fund text, lp text, is_issued boolean, value text)
returns void language plpgsql security definer set search_path from current set enable_seqscan = off as $$
declare whole text := left(search_line(value), 2000);
begin
  delete from search_words where document_id = id;
  insert into search_words (word, kind, document_id, manager_id, company_id, fund_id, lp_id, issued, line)
    select distinct left(part, 100), of_kind, id, manager, company, fund, lp, is_issued, ' ' || whole
    from unnest((string_to_array(whole, ' '))[1:${MAX_WORDS}]) as part where part <> '';
end $$;
revoke execute on function index_words from public;

-- The documents of each kind with a word that starts with the longest word of the query, and words that start with the
-- others. They may belong to anybody of the tenant: the caller reads them under its own policies.
create function search_documents(query text, kinds text[], most integer) returns table (kind text, id text, key text)
stable language plpgsql security definer set search_path from current set enable_seqscan = off
  set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  parts text[] := array(select part from unnest(string_to_array(search_line(query), ' ')) as part where part <> '' order by length(part) desc limit 8);
  wanted text := left(parts[1], 100);
  beyond text := wanted || chr(1114111);
  others text[] := array(select '% ' || part || '%' from unnest(parts[2:]) as part);
  lowest text := lower(btrim(query));
  above text := lowest || chr(1114111);
  who text := actor_type();
  tenant text := actor_tenant();
  company text := actor_company();
  lps text[] := actor_lps();
  funds text[];
begin
  if wanted is not null then
    if who = 'manager' then
      return query select each_kind, found.document_id, null from unnest(kinds) as each_kind cross join lateral (
        select document_id from search_words w where manager_id = tenant and kind = each_kind and word >= wanted and word < beyond
          and line like all (others) order by word limit most) as found;
    elsif who = 'company' then
      return query select each_kind, found.document_id, null from unnest(kinds) as each_kind cross join lateral (
        select document_id from search_words w where company_id = company and kind = each_kind and word >= wanted and word < beyond
          and line like all (others) order by word limit most) as found;
    elsif who in ('LP', 'LPGroup') then
      funds := array(select fund_id::text from lp_commitments where investor_lp_id = any (lps) and status <> 'Removed'
        union select main_fund_id::text from funds f where id in (
          select fund_id from lp_commitments where investor_lp_id = any (lps) and status <> 'Removed'));
      return query select each_kind, found.document_id, null from unnest(kinds) as each_kind cross join unnest(lps) as own cross join lateral (
        select document_id from search_words w where lp_id = own and kind = each_kind and word >= wanted and word < beyond and issued
          and line like all (others) order by word limit most) as found;
      return query select each_kind, found.document_id, null from unnest(kinds) as each_kind cross join unnest(funds) as own cross join lateral (
        select document_id from search_words w where fund_id = own and lp_id is null and kind = each_kind and word >= wanted and word < beyond and issued
          and line like all (others) order by word limit most) as found;
    elsif actor_sees_all() then
      return query select each_kind, found.document_id, null from (select id::text from managers union all select '') as m (id) cross join unnest(kinds) as each_kind cross join lateral (
        select document_id from search_words w where manager_id = m.id and kind = each_kind and word >= wanted and word < beyond
          and line like all (others) order by word limit most) as found;
    end if;
  end if;
  if 'asset' = any (kinds) and lowest <> '' then
    if who = 'company' then
      return query select 'asset', found.company_id, found.key from (
        select a.company_id::text, a.key from asset_ids a where company_id = company and key >= lowest and key < above
        order by key limit most) as found;
    elsif who = 'manager' then
      return query select 'asset', found.company_id, found.key from (
        select a.company_id::text, a.key from asset_ids a where manager_id = tenant and key >= lowest and key < above
        order by key limit most) as found;
    elsif actor_sees_all() then
      return query select 'asset', found.company_id, found.key from managers m cross join lateral (
        select a.company_id::text, a.key from asset_ids a where manager_id = m.id and key >= lowest and key < above
        order by key limit most) as found limit most;
    end if;
  end if;
end $$;`;

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

interface Searched {
  readonly table: string;
  readonly kind: string;
  /** SQL of the text that is searched; `t` is the document. */
  readonly text: string;
  /** The columns that it depends on. */
  readonly columns: readonly string[];
  readonly manager?: string;
  readonly company?: string;
  readonly fund?: string;
  readonly lp?: string;
  /** Other tables whose rows are named in the text: the column of their name, and the column that refers to them. */
  readonly named?: readonly (readonly [table: string, column: string, by: string])[];
}

export const day = (column: string): string => `to_char(t.${column}, 'YYYY FMMonth YYYY-MM-DD')`;
const fileName = '(select name from files where id = t.file_id)';
const fund = '(select title from funds where id = t.fund_id)';
const anyFund = `coalesce(${fund}, (select title from main_funds where id = t.main_fund_id))`;
const company = '(select name from companies where id = t.company_id)';
const transaction = '(select title from transactions where id = t.transaction_id)';
const noteTitle = `(select note ->> 'title' from transactions x, jsonb_array_elements(x.notes) as note
  where x.id = t.transaction_id and note ->> 'id' = t.note_id)`;

const SEARCHED: readonly Searched[] = [
  { table: 'funds', kind: 'fund', text: "t.title || ' ' || t.name", columns: ['title', 'name'], fund: 't.id' },
  { table: 'main_funds', kind: 'mainFund', text: 't.title', columns: ['title'] },
  { table: 'lps', kind: 'investor', text: "t.title || ' ' || t.name", columns: ['title', 'name'], lp: 't.id' },
  { table: 'lp_groups', kind: 'investorGroup', text: 't.title', columns: ['title'] },
  { table: 'companies', kind: 'company', text: 't.name', columns: ['name'], company: 't.id' },
  {
    table: 'transactions',
    kind: 'facility',
    text: `concat_ws(' ', t.title, (select string_agg(note ->> 'title', ' ') from jsonb_array_elements(t.notes) as note))`,
    columns: ['title', 'notes'],
    company: 't.company_id',
  },
  {
    table: 'loan_tapes',
    kind: 'tape',
    text: `concat_ws(' ', t.attachment ->> 'name', ${day('cut_off_date')}, ${company})`,
    columns: ['attachment', 'cut_off_date'],
    company: 't.company_id',
    named: [['companies', 'name', 'company_id']],
  },
  {
    table: 'reports',
    kind: 'report',
    text: `concat_ws(' ', ${fileName}, 'report', ${day('cut_off_date')}, ${anyFund})`,
    columns: ['file_id', 'cut_off_date'],
    fund: 'coalesce(t.fund_id, t.main_fund_id)',
    named: [
      ['funds', 'title', 'fund_id'],
      ['main_funds', 'title', 'main_fund_id'],
    ],
  },
  {
    table: 'capital_accounts',
    kind: 'statement',
    text: `concat_ws(' ', ${fileName}, 'capital account statement', ${day('cut_off_date')}, (select title from lps where id = t.investor_lp_id), ${anyFund})`,
    columns: ['file_id', 'cut_off_date'],
    fund: 't.fund_id',
    lp: 't.investor_lp_id',
    named: [
      ['lps', 'title', 'investor_lp_id'],
      ['funds', 'title', 'fund_id'],
      ['main_funds', 'title', 'main_fund_id'],
    ],
  },
  {
    table: 'users',
    kind: 'person',
    manager: `coalesce(t.manager_id, '')`,
    text: "t.name || ' ' || t.email",
    columns: ['first_name', 'last_name', 'email'],
  },
  { table: 'service_providers', kind: 'serviceProvider', text: 't.title', columns: ['title'] },
  { table: 'entities', kind: 'entity', text: "t.name || ' ' || t.formal_id", columns: ['name', 'formal_id'] },
  { table: 'managers', kind: 'manager', text: 't.name', columns: ['name'], manager: 't.id' },
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

/**
 * Triggers that index the documents of a table again when the name of something in their words changes.
 * @param index SQL of the call that indexes them, given the condition on `t` for those that are concerned
 */
export const onNewNames = (
  { table, named = [] }: Pick<Searched, 'table' | 'named'>,
  index: (isNamed: string) => string,
): string =>
  named
    .map(
      ([other, column, by]) => `
create function search_${table}_of_${other}() returns trigger language plpgsql security definer set search_path from current as $$
declare${ACTOR}
begin${AS_SYSTEM}
  perform ${index(`t.${by} = new.id and t.status <> 'Removed'`)};${AS_ACTOR}
  return null;
end $$;
create trigger ${other}_search_${table} after update of ${column} on ${other} for each row
  when (old.${column} is distinct from new.${column}) execute function search_${table}_of_${other}();`,
    )
    .join('');

export const indexed = ({
  table,
  kind,
  text,
  columns,
  manager = 't.manager_id',
  company: ofCompany = 'null',
  fund: ofFund = 'null',
  lp = 'null',
  named = [],
}: Searched) => `
create function index_${table}(t ${table}) returns void language plpgsql security definer set search_path from current as $$
declare${ACTOR}
begin${AS_SYSTEM}
  if t.status = 'Removed' then
    delete from search_words where document_id = t.id;
  else
    perform index_words('${kind}', t.id, ${manager}, ${ofCompany}, ${ofFund}, ${lp}, t.status in ('Active', 'Closed'), ${text});
  end if;${AS_ACTOR}
end $$;
create function search_${table}() returns trigger language plpgsql security definer set search_path from current as $$ begin
  if tg_op = 'DELETE' then
    delete from search_words where document_id = old.id;
  else
    perform index_${table}(new);
  end if;
  return null;
end $$;
create trigger ${table}_search after insert or delete or update of status, ${columns.join(', ')} on ${table}
  for each row execute function search_${table}();
${onNewNames({ table, named }, (isNamed) => `index_${table}(t) from ${table} t where ${isNamed}`)}
revoke execute on function index_${table} from public;`;

/** Documents that are found as one: the lines of a call, or the versions of a mapping or a contract. */
interface Grouped extends Omit<Searched, 'manager' | 'lp'> {
  /** SQL of the id that the parts share. */
  readonly group: string;
  /** SQL of whether `t` is one of the parts that share an id. */
  readonly has: string;
  /** SQL of the part that is indexed. */
  readonly order: string;
  /** Whether a part can move to another group. */
  readonly moves?: boolean;
}

const lines = {
  group: 't.activity_id',
  has: 't.activity_id = shared',
  // Issued lines first: investors can see these.
  order: "(t.status in ('Active', 'Closed')) desc, t.id",
  columns: ['call_number', 'cut_off_date'],
  fund: 't.fund_id',
  named: [['funds', 'title', 'fund_id']],
  moves: true,
} as const;

const GROUPED: readonly Grouped[] = [
  {
    ...lines,
    table: 'contributions',
    kind: 'call',
    text: `concat_ws(' ', 'capital call', t.call_number, ${fund}, ${day('due_date')})`,
    columns: [...lines.columns, 'due_date'],
  },
  {
    ...lines,
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
    has: 't.family_id = shared and t.manager_id = manager',
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
    has: 't.note_id = shared and t.manager_id = manager',
    order: 't.revision desc',
    named: [
      ['transactions', 'title', 'transaction_id'],
      ['companies', 'name', 'company_id'],
    ],
  },
];

/** The rows of an update that change what is found. A part that moves changes both of its groups. */
const changedRows = ({ columns, moves }: Grouped): string => {
  const values = (row: string) =>
    ['status', ...(moves ? ['activity_id'] : []), ...columns].map((column) => `${row}.${column}`).join(', ');
  return moves
    ? `(select added.* from added join gone using (id) where (${values('added')}) is distinct from (${values('gone')})
      union all select gone.* from added join gone using (id) where added.activity_id <> gone.activity_id) t`
    : `added t join gone on gone.id = t.id where (${values('t')}) is distinct from (${values('gone')})`;
};

/** A group is indexed once, and not once for each of its parts. */
const grouped = (searched: Grouped): string => {
  const {
    table,
    kind,
    text,
    group,
    has,
    order,
    company: ofCompany = 'null',
    fund: ofFund = 'null',
    named = [],
  } = searched;
  const shares = (from: string) => `select distinct t.manager_id, ${group} as shared from ${from}`;
  const index = (from: string) => `perform index_${table}(manager_id, shared) from (${shares(from)}) one;`;
  return `
create function index_${table}(manager text, shared text) returns void language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare${ACTOR}
  t ${table};
  document text := '${kind}/' || manager || '/' || shared;
begin${AS_SYSTEM}
  select t.* into t from ${table} t where ${has} and t.status <> 'Removed' order by ${order} limit 1;
  if t.id is null then
    delete from search_words where document_id = document;
  else
    perform index_words('${kind}', document, t.manager_id, ${ofCompany}, ${ofFund}, null, t.status in ('Active', 'Closed'), ${text});
  end if;${AS_ACTOR}
end $$;
create function search_${table}() returns trigger language plpgsql security definer set search_path from current as $$ begin
  case tg_op
    when 'INSERT' then ${index('added t')}
    when 'DELETE' then ${index('gone t')}
    else ${index(changedRows(searched))}
  end case;
  return null;
end $$;
${onStatement(table, 'search', `search_${table}`)}
${onNewNames({ table, named }, (isNamed) => `index_${table}(manager_id, shared) from (${shares(`${table} t`)} where ${isNamed}) as found`)}
revoke execute on function index_${table} from public;`;
};

/** The index of the search: words of documents, and ids of assets. */
export class Search extends Migration {
  override up(): void {
    this.addSql([words, assets, functions, toAll, ...SEARCHED.map(indexed), ...GROUPED.map(grouped)].join('\n'));
  }
}
