import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { type Filter, fieldsOf, joinFilters } from '@tapeline/domain/filters/filter.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { filterToJson } from '@tapeline/domain/filters/print.ts';
import { type Actor, can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { listSubject, type Names } from '@tapeline/domain/questions/subjects.ts';
import type { NamedValue, Subject } from '@tapeline/domain/questions/vocabulary.ts';
import type { ReadSession } from '../../read-session.ts';
import { CALL_HEADERS, DISTRIBUTION_HEADERS } from '../capital/calls-and-distributions.ts';
import { CONTRIBUTIONS } from '../capital/contributions.ts';
import { DISTRIBUTIONS } from '../capital/distributions.ts';
import { DRAWS } from '../draws/draw-views.ts';
import { FUNDS, LP_COMMITMENTS } from '../funds/funds.ts';
import type { ListedTable } from '../listing/define-lists.ts';
import { listRows } from '../listing/list-documents.ts';
import { countByValue } from '../listing/list-figures.ts';
import { REPAYMENTS } from '../repayments/repayments.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';

/** The lists that questions are asked about, besides assets, and the permission that each requires. */
export const QUESTION_LISTS = {
  contributions: { listable: CONTRIBUTIONS, permission: 'contributions/read' },
  distributions: { listable: DISTRIBUTIONS, permission: 'distributions/read' },
  commitments: { listable: LP_COMMITMENTS, permission: 'LPs/commitments/read' },
  draws: { listable: DRAWS, permission: 'transactionDraw/read' },
  repayments: { listable: REPAYMENTS, permission: 'repayments/read' },
  transactions: { listable: TRANSACTIONS, permission: 'transactions/read' },
  funds: { listable: FUNDS, permission: 'funds/read' },
} satisfies Record<string, { listable: unknown; permission: PermissionKey }>;
export type QuestionList = keyof typeof QUESTION_LISTS;

export const isQuestionList = (list: string): list is QuestionList => Object.hasOwn(QUESTION_LISTS, list);

/** The lists that the actor has the permission for. */
export const listsOf = (actor: Actor): QuestionList[] =>
  Object.entries(QUESTION_LISTS).flatMap(([list, { permission }]) =>
    can(actor, permission) && isQuestionList(list) ? [list] : [],
  );

/** Names of a collection that a question can use. Beyond them, a question asks back. */
const MAX_NAMES = 5_000;

/** The funds, main funds, investors, companies, transactions, classes and industries that the actor can read, by their fields. */
export async function visibleNames(session: ReadSession): Promise<Names> {
  const names = (from: string, name: string, read: PermissionKey, id = 'id') => ({
    sql: `select ${id === 'id' ? '' : 'distinct'} ${id} as id, ${name} as name from ${from} where $1::boolean and status <> 'Removed'
      order by 1 desc limit ${MAX_NAMES}`,
    values: [can(session.actor, read)],
  });
  const key = `class ->> 'uniqueKey'`;
  const rows = await session.queries([
    names('funds t', 'title', 'funds/read'),
    names('main_funds t', 'title', 'funds/read'),
    names('lps t', 'title', 'LPs/read'),
    names('companies t', 'name', 'companies/read'),
    names('transactions t', 'title', 'transactions/read'),
    names('funds t, jsonb_array_elements(t.classes) as class', `class ->> 'name'`, 'funds/read', key),
    names('transactions t, jsonb_array_elements_text(t.industries) as one', 'one', 'transactions/read', 'one'),
  ]);
  const [funds = [], mainFunds = [], investors = [], companies = [], transactions = [], classes = [], industries = []] =
    rows.map((found): NamedValue[] =>
      found.flatMap(({ id, name }) =>
        typeof id === 'string' && typeof name === 'string' ? [{ value: id, words: [name] }] : [],
      ),
    );
  return {
    fund: funds,
    mainFund: mainFunds,
    'investor.id': investors,
    company: companies,
    transaction: transactions,
    industries,
    Class: classes.map(({ value, words }) => ({
      value,
      // "Class B" is asked for as "class B", which names the field and then the value.
      words: [...words, ...words.map((name) => name.replace(/^class\s+/i, '')), String(value)],
    })),
  };
}

/** Where the currencies of the amounts of a list are. Draws and repayments are compared by their value in US dollars. */
const CURRENCIES_OF: Readonly<Record<QuestionList, string | null>> = {
  contributions: 'select distinct currency from contributions',
  distributions: 'select distinct currency from distributions',
  commitments: 'select distinct currency from lp_commitments',
  funds: 'select distinct currency from funds',
  draws: null,
  repayments: null,
  transactions: null,
};

/**
 * The one currency of the amounts that the actor sees in a list, so that "over $5m" needs no condition on it; null if there
 * are several.
 */
export async function mainCurrencyOf(session: ReadSession, list: QuestionList): Promise<string | null> {
  const sql = CURRENCIES_OF[list];
  if (sql === null) return 'USD';
  const found = await session.query<{ currency: string }>(`${sql} where status <> 'Removed' limit 2`);
  return found.length > 1 ? null : (found[0]?.currency ?? 'USD');
}

/** As `mainCurrencyOf`, of the assets of tapes. */
export async function mainCurrencyOfTapes(session: ReadSession, tapes: readonly string[]): Promise<string | null> {
  const found = await session.query<{ currency: string }>(
    'select distinct main_currency as currency from loan_tapes where id = any ($1) limit 2',
    [tapes],
  );
  return found.length > 1 ? null : (found[0]?.currency ?? 'USD');
}

/** The fields of a list, and the words for them. */
export const subjectOf = (list: QuestionList, names: Names): Subject =>
  listSubject(list, QUESTION_LISTS[list].listable.catalog, names);

/** How many documents visible to the actor match a filter, and the ids of the first of them. */
export async function matchesOf(
  session: ReadSession,
  list: QuestionList,
  filter: unknown,
  limit = 1,
): Promise<{ ids: string[]; total: number }> {
  const listed: ListedTable = QUESTION_LISTS[list].listable;
  const { rows, total } = await listRows<{ id: string }>(session, listed, 't.id', { filter, limit });
  return { ids: rows.map(({ id }) => id), total };
}

/** What the rows of a list are part of, and where they are shown: the call or the distribution, or the fund. */
const SHOWN_WITHIN = {
  contributions: 't.activity_id',
  distributions: 't.activity_id',
  commitments: 't.fund_id',
} as const;
export type ListShownWithin = keyof typeof SHOWN_WITHIN;

export const isShownWithin = (list: QuestionList): list is ListShownWithin => Object.hasOwn(SHOWN_WITHIN, list);

export interface Places {
  readonly values: readonly { readonly value: string; readonly rows: number }[];
  readonly total: number;
  readonly rows: number;
  /** Whose amounts the filter compares: those of whole calls, or of each row. */
  readonly amounts: 'whole' | 'row';
}

/**
 * The calls, distributions or funds whose rows match a filter, with the number of these rows, most first. An amount of
 * the filter is that of the whole call or distribution, unless the filter also says whose part is meant.
 * @param options.byRow whether the rows are asked for: "notices over 10k"
 */
export async function placesOf(
  session: ReadSession,
  list: ListShownWithin,
  { filter, limit, byRow = false }: { filter: unknown; limit: number; byRow?: boolean },
): Promise<Places> {
  const { listable } = QUESTION_LISTS[list];
  const expression = SHOWN_WITHIN[list];
  const whole = list === 'commitments' || byRow ? null : wholesOf(list, parseFilter(filter, listable.catalog));
  if (!whole) return { ...(await countByValue(session, listable, { filter, expression, limit })), amounts: 'row' };
  const within = { listed: WHOLES[whole.list], filter: whole.filter };
  const found = await countByValue(session, listable, { filter: whole.others, expression, limit, within });
  return { ...found, amounts: 'whole' };
}

const WHOLES = { contributions: CALL_HEADERS, distributions: DISTRIBUTION_HEADERS };
/** Amounts of a part, and what they are called of the whole. */
const AMOUNTS: Readonly<Record<keyof typeof WHOLES, ReadonlyMap<string, string>>> = {
  contributions: new Map([
    ['amount', 'amount'],
    ['amount.sum', 'amount'],
  ]),
  distributions: new Map([
    ['totalDistributed', 'amount'],
    ['totalDistributed.sum', 'amount'],
    ['principal', 'principal'],
    ['principal.sum', 'principal'],
  ]),
};
/** Fields that say whose part is meant. */
const OF_PART = /^(investor\.|Class$|LPCurrentHoldingPercentage$)/;

/** The conditions on amounts, as those of the whole, and the others; null if the amounts are those of the parts. */
function wholesOf(list: keyof typeof WHOLES, filter: Filter) {
  const amounts = AMOUNTS[list];
  if (fieldsOf(filter).some(({ path }) => OF_PART.test(path))) return null;
  const parts = filter.kind === 'and' ? filter.filters : [filter];
  const onAmounts = parts.filter((part) => fieldsOf(part).some(({ path }) => amounts.has(path)));
  const isSplit = onAmounts.every((part) => fieldsOf(part).every(({ path }) => amounts.has(path)));
  if (onAmounts.length === 0 || !isSplit) return null;
  const others = parts.filter((part) => !onAmounts.includes(part));
  return {
    list,
    filter: filterToJson(renamed(joinFilters('and', onAmounts), amounts)),
    others: filterToJson(joinFilters('and', others)),
  };
}

function renamed(filter: Filter, names: ReadonlyMap<string, string>): Filter {
  if (filter.kind === 'not') return { ...filter, filter: renamed(filter.filter, names) };
  if (filter.kind === 'and' || filter.kind === 'or')
    return { ...filter, filters: filter.filters.map((part) => renamed(part, names)) };
  const rename = (field: Field): Field => ({ ...field, path: names.get(field.path) ?? field.path });
  const field = rename(filter.field);
  return filter.kind === 'compareField' ? { ...filter, field, other: rename(filter.other) } : { ...filter, field };
}
