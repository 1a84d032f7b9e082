import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import {
  commitmentCurrencies,
  listTransactions,
  TRANSACTIONS,
} from '@tapeline/db/operations/transactions/transactions.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { TRANSACTION_STATUSES } from '@tapeline/domain/facilities/states.ts';
import { BASE_RATES } from '@tapeline/domain/facilities/terms.schema.ts';
import { TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import { type FilteredSource, fieldsWith } from '../../../../components/filters/filtered-list.ts';
import { rowOf } from './rows.ts';

const withValues = fieldsWith({
  type: TRANSACTION_TYPES,
  status: TRANSACTION_STATUSES,
  'terms.interest.kind': ['fix', 'variable'],
  'terms.interest.baseRate': BASE_RATES,
});

export const TRANSACTION_LIST: FilteredSource = {
  table: TRANSACTIONS,
  columns: columnsOf('transactions'),
  sort: { title: 1 },
  finds: ['title', 'companyName', 'notes.title'],
  /** Commitments are offered in the currencies that there are. */
  async fields(session, all) {
    const currencies = new Set(await commitmentCurrencies(session));
    return withValues(session, all).filter(({ path }) => {
      const [group, currency = ''] = path.split('.');
      return group !== 'maxCommitments' || currencies.has(currency);
    });
  },
  async load(session, query) {
    const { documents, total } = await listTransactions(session, query);
    const names = await companyNamesOf(
      session,
      documents.map(({ company }) => company),
    );
    return { rows: documents.map((document) => rowOf(document, names.get(document.company))), total };
  },
};
