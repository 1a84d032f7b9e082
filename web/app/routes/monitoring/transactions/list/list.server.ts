import { redirect } from '@remix-run/node';
import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import {
  commitmentCurrencies,
  listTransactions,
  TRANSACTIONS,
} from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { TRANSACTION_STATUSES } from '@tapeline/domain/facilities/states.ts';
import { BASE_RATES } from '@tapeline/domain/facilities/terms.schema.ts';
import { TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import { joinDraft, viewFilter } from '../../../../components/filters/filter-view.ts';
import { rowsOfDocuments } from '../../../../components/grid/document-rows.ts';
import { FIRST_ROWS, readSort } from '../../../../components/grid/grid-columns.ts';
import { skipOf } from '../../../../components/page/skip.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { rowOf } from './rows.ts';

const COLUMNS = columnsOf('transactions');

const VALUES: Readonly<Record<string, readonly string[]>> = {
  type: TRANSACTION_TYPES,
  status: TRANSACTION_STATUSES,
  'terms.interest.kind': ['fix', 'variable'],
  'terms.interest.baseRate': BASE_RATES,
};

/** The fields that the filter bar offers. Commitments are offered in the currencies that there are. */
async function filterFields(session: Session): Promise<Field[]> {
  const currencies = new Set(await commitmentCurrencies(session));
  return TRANSACTIONS.catalog.fields.flatMap((field) => {
    const [group, currency = ''] = field.path.split('.');
    if (group === 'maxCommitments' && !currencies.has(currency)) return [];
    const values = VALUES[field.path];
    return [values ? { ...field, values } : field];
  });
}

/** A page of transactions as rows, with the names of their companies. */
export async function transactionRows(session: Session, query: unknown) {
  const { documents, total } = await listTransactions(session, query);
  const names = await companyNamesOf(
    session,
    documents.map(({ company }) => company),
  );
  return { rows: documents.map((document) => rowOf(document, names.get(document.company))), total };
}

/** The first rows, as the address filters, searches and sorts them. */
export function firstTransactions({ url, db }: Screen) {
  const search = url.searchParams;
  const joined = joinDraft(search, TRANSACTIONS.catalog);
  if (joined && 'goTo' in joined) throw redirect(`${url.pathname}?${joined.goTo}`);
  const view = viewFilter(search.get('filter'), TRANSACTIONS.catalog);
  const find = (search.get('find') ?? '').trim().slice(0, 200);
  const conditions = [
    ...(view.text ? [JSON.parse(view.text)] : []),
    ...(find
      ? [{ $or: ['title', 'companyName', 'notes.title'].map((path) => ({ [path]: { like: containing(find) } })) }]
      : []),
  ];
  const sort = readSort(search.get('sort'), COLUMNS);
  const query = {
    ...(conditions.length > 0 ? { filter: { $and: conditions } } : {}),
    sort: Object.keys(sort).length > 0 ? sort : { title: 1 },
    skip: skipOf(search),
    limit: FIRST_ROWS,
  };
  return db(async (session) => {
    const { rows, total } = await transactionRows(session, query);
    return {
      rows: rowsOfDocuments(rows, COLUMNS),
      total,
      find,
      filter: conditions.length > 0 ? JSON.stringify({ $and: conditions }) : null,
      chips: view.chips,
      problem: view.problem,
      draft: joined && 'draft' in joined ? joined.draft : null,
      fields: await filterFields(session),
    };
  });
}
