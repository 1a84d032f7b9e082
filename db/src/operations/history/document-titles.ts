import type { ReadSession } from '../../read-session.ts';

interface Titled {
  readonly table: string;
  /** SQL of the document's title; `t` is the table. */
  readonly title: string;
  /** SQL of the currency of its amounts. */
  readonly currency?: string;
}

const entityOf = 'select name from entities where entities.id = t.entity_id';
const transactionOf = 'select title from transactions where transactions.id = t.transaction_id';
const noteOf = `select note ->> 'title' from transactions, jsonb_array_elements(notes) as note
  where transactions.id = t.transaction_id and note ->> 'id' = t.note_id`;
const day = (column: string): string => `to_char(${column}, 'FMDD Mon YYYY')`;
const investorOf = `coalesce((select title from lps where lps.id = t.investor_lp_id),
  (select title from funds where funds.id = t.investor_fund_id))`;
const fundOf = '(select title from funds where funds.id = t.fund_id)';
const groupOf = '(select title from main_funds where main_funds.id = t.main_fund_id)';

/** How the documents of each collection with a history are called. `tables.integration.test.ts` checks that all are. */
export const TITLED: Readonly<Record<string, Titled>> = {
  managers: { table: 'managers', title: `coalesce((${entityOf}), 'Manager ' || t.code)` },
  entities: { table: 'entities', title: 't.name', currency: "t.business ->> 'currency'" },
  companies: { table: 'companies', title: 't.name' },
  LPs: { table: 'lps', title: 't.title' },
  LPGroups: { table: 'lp_groups', title: 't.title' },
  roles: { table: 'roles', title: 't.title' },
  users: { table: 'users', title: "t.first_name || ' ' || t.last_name" },
  currencies: { table: 'currency_rates', title: `concat_ws(', ', ${day('t.last_update')}, t.source)` },
  funds: { table: 'funds', title: 't.title', currency: 't.currency' },
  mainFunds: { table: 'main_funds', title: 't.title', currency: 't.currency' },
  LPCommitments: {
    table: 'lp_commitments',
    title: `concat_ws(' in ', ${investorOf}, ${fundOf})`,
    currency: 't.currency',
  },
  contributions: {
    table: 'contributions',
    title: `concat_ws(', ', ${fundOf}, 'call ' || t.call_number, ${investorOf})`,
    currency: 't.currency',
  },
  distributions: {
    table: 'distributions',
    title: `concat_ws(', ', ${fundOf}, 'distribution ' || t.call_number, ${investorOf})`,
    currency: 't.currency',
  },
  navs: {
    table: 'navs',
    title: `concat_ws(', ', ${fundOf}, 'NAV of ' || ${day('t.cut_off_date')}, ${investorOf})`,
    currency: 't.currency',
  },
  writeOffs: {
    table: 'write_offs',
    title: `concat_ws(', ', ${fundOf}, 'write-off of ' || ${day('t.cut_off_date')}, ${investorOf})`,
    currency: 't.currency',
  },
  capitalAccounts: {
    table: 'capital_accounts',
    title: `concat_ws(', ', coalesce(${fundOf}, ${groupOf}), 'capital account of ' || ${day('t.cut_off_date')}, ${investorOf})`,
    currency: 't.currency',
  },
  reports: {
    table: 'reports',
    title: `concat_ws(', ', coalesce(${fundOf}, ${groupOf}), 'report of ' || ${day('t.cut_off_date')})`,
  },
  assetsETLs: {
    table: 'mappings',
    title:
      "concat_ws(', ', (select name from companies where companies.id = t.company_id), 'version ' || t.mapping_version)",
  },
  transactions: { table: 'transactions', title: 't.title' },
  contracts: { table: 'contracts', title: `concat_ws(', ', (${transactionOf}), (${noteOf}), 'v' || t.revision)` },
  loanTapes: { table: 'loan_tapes', title: "t.attachment ->> 'name'" },
  correctionProposals: {
    table: 'correction_proposals',
    title: `'Proposal ' || t.code || coalesce(' for ' || (select attachment ->> 'name' from loan_tapes
      where loan_tapes.id = t.tape_id), '')`,
  },
  borrowingBases: {
    table: 'borrowing_bases',
    title: `concat_ws(', ', (${transactionOf}), (${noteOf}), ${day('t.cut_off_date')})`,
    currency: 't.currency',
  },
  draws: { table: 'draws', title: `concat_ws(', ', 'Draw ' || t.code, (${transactionOf}), (${noteOf}))` },
  repayments: {
    table: 'repayments',
    title: `concat_ws(', ', 'Repayment ' || t.code, (${transactionOf}), (${noteOf}))`,
  },
  serviceProviders: { table: 'service_providers', title: 't.title' },
  tables: { table: 'option_lists', title: 't.name' },
  announcements: { table: 'announcements', title: 't.title' },
  importer: { table: 'imports', title: "t.attachments #>> '{0,name}'" },
};

export interface DocumentTitle {
  readonly resource: string;
  readonly title: string;
  readonly currency: string | null;
  /** The document's sequential number. */
  readonly code: number | null;
  /** Whether the document still has a row: it has none after a Permanent Delete. */
  readonly isStored: boolean;
  readonly isRemoved: boolean;
}

/** Ids in one query. Only exports of long documents refer to more. */
const IDS_AT_A_TIME = 20_000;

/** Tables without the columns that every other document has. */
const PLAIN = ['currency_rates'];

const TITLES = [
  ...Object.entries(TITLED).map(
    ([resource, { table, title, currency = 'null' }]) =>
      `select t.id, '${resource}' as resource, ${title} as title, ${currency} as currency, ${PLAIN.includes(table) ? 'null::integer' : 't.code'} as code,
         true as "isStored", ${PLAIN.includes(table) ? 'false' : "t.status = 'Removed'"} as "isRemoved"
       from ${table} t where t.id = any ($1)`,
  ),
  // What a deleted document was called is only in its history.
  `select t.document_id, t.resource, (select coalesce(field ->> 'old', '') from jsonb_array_elements(t.updated_fields) as field
       where field ->> 'field' in ('title', 'name') limit 1), null, null, false, true
     from history t where t.document_id = any ($1) and t.operation = 'Permanent Delete'`,
].join(' union all ');

/** Parts of documents that others refer to by a key: notes of transactions and classes of funds. */
const PARTS = `
  select note ->> 'id' as id, 'transactions' as resource, note ->> 'title' as title
    from transactions t, jsonb_array_elements(t.notes) as note where note ->> 'id' = any ($1)
  union all select class ->> 'uniqueKey', 'funds', class ->> 'name'
    from funds t, jsonb_array_elements(t.classes) as class where class ->> 'uniqueKey' = any ($1)`;

/**
 * What the documents with these ids are called, of whatever collection, and notes and classes, as far as the actor can see
 * them.
 */
export async function titlesOf(session: ReadSession, ids: Iterable<string>): Promise<Map<string, DocumentTitle>> {
  const distinct = [...new Set(ids)];
  const titles = new Map<string, DocumentTitle>();
  for (let at = 0; at < distinct.length; at += IDS_AT_A_TIME) {
    const rows = await session.query<DocumentTitle & { id: string }>(TITLES, [distinct.slice(at, at + IDS_AT_A_TIME)]);
    for (const { id, ...title } of rows) titles.set(id, { ...title, title: title.title || 'Untitled' });
  }
  const left = distinct.filter((id) => !titles.has(id));
  const parts =
    left.length > 0 ? await session.query<{ id: string; resource: string; title: string }>(PARTS, [left]) : [];
  for (const { id, resource, title } of parts) {
    titles.set(id, { resource, title, currency: null, code: null, isStored: true, isRemoved: false });
  }
  return titles;
}
