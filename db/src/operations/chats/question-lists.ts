import { type Actor, can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { listSubject, type Names } from '@tapeline/domain/questions/subjects.ts';
import type { NamedValue, Subject } from '@tapeline/domain/questions/vocabulary.ts';
import type { ReadSession } from '../../read-session.ts';
import { CONTRIBUTIONS } from '../capital/contributions.ts';
import { DISTRIBUTIONS } from '../capital/distributions.ts';
import { BUNDLE } from '../capital/notices.ts';
import { DRAWS } from '../draws/draw-views.ts';
import { FUNDS, LP_COMMITMENTS } from '../funds/funds.ts';
import { countByValue, type ListedTable, listRows } from '../listing/list-documents.ts';
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
const MOST_NAMES = 5_000;

/** The funds, investors, companies and transactions that the actor can read, by the fields that hold their ids. */
export async function visibleNames(session: ReadSession): Promise<Names> {
  const names = (table: string, name: string, read: PermissionKey) => ({
    sql: `select id, ${name} as name from ${table} t where $1::boolean and status <> 'Removed' order by id desc limit ${MOST_NAMES}`,
    values: [can(session.actor, read)],
  });
  const rows = await session.queries([
    names('funds', 'title', 'funds/read'),
    names('lps', 'title', 'LPs/read'),
    names('companies', 'name', 'companies/read'),
    names('transactions', 'title', 'transactions/read'),
  ]);
  const [funds = [], investors = [], companies = [], transactions = []] = rows.map((found): NamedValue[] =>
    found.flatMap(({ id, name }) =>
      typeof id === 'string' && typeof name === 'string' ? [{ value: id, words: [name] }] : [],
    ),
  );
  return { fund: funds, mainFund: [], 'investor.id': investors, company: companies, transaction: transactions };
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
const SHOWN_WITHIN = { contributions: BUNDLE, distributions: BUNDLE, commitments: 't.fund_id' } as const;
export type ListShownWithin = keyof typeof SHOWN_WITHIN;

export const isShownWithin = (list: QuestionList): list is ListShownWithin => Object.hasOwn(SHOWN_WITHIN, list);

/** The calls, distributions or funds whose rows match a filter, with the number of these rows, most first. */
export const placesOf = (
  session: ReadSession,
  list: ListShownWithin,
  { filter, limit }: { filter: unknown; limit: number },
): Promise<{ values: { value: string; rows: number }[]; total: number }> =>
  countByValue(session, QUESTION_LISTS[list].listable, { filter, expression: SHOWN_WITHIN[list], limit });
