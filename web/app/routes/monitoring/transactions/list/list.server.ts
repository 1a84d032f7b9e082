import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import {
  commitmentCurrencies,
  listTransactions,
  TRANSACTIONS,
  type TransactionView,
} from '@tapeline/db/operations/transactions/transactions.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { commitmentTermsInForce } from '@tapeline/domain/facilities/in-force.ts';
import { TRANSACTION_STATUSES } from '@tapeline/domain/facilities/states.ts';
import { BASE_RATES } from '@tapeline/domain/facilities/terms.schema.ts';
import { TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { totalByCurrency } from '@tapeline/domain/money/totals.ts';
import { INTEREST_KIND_LABELS } from '@tapeline/domain/tapes/statuses.ts';
import { formatFigure } from '../../../../components/figures/format.ts';
import { type FilteredSource, fieldsWith } from '../../../../components/filters/filtered-list.ts';

const joined = (texts: readonly (string | null | undefined)[]): string | null =>
  [...new Set(texts.filter(Boolean))].sort().join(', ') || null;
const first = (texts: readonly (string | null | undefined)[]): string | null =>
  texts.filter((text) => text != null).sort()[0] ?? null;
const last = (texts: readonly (string | null | undefined)[]): string | null =>
  texts
    .filter((text) => text != null)
    .sort()
    .at(-1) ?? null;

const written = (amounts: readonly Amount[]): string | null =>
  amounts.map(({ sum, currency }) => `${formatFigure(sum, 0)} ${currency}`).join(', ') || null;

/** A transaction as a row of the list, with the same figures that the list filters and sorts by. */
function rowOf(transaction: TransactionView, companyName: string | undefined) {
  const { id, code, title, type, status, industries, notes, maxCommitments, metadata } = transaction;
  const tranches = notes.flatMap((note) => note.tranches);
  const terms = [...notes.map((note) => note.terms), ...tranches.map((tranche) => tranche.terms)];
  const interests = terms.flatMap((one) => one?.interest ?? []);
  const bases = interests.flatMap((interest) => (interest.kind === 'variable' ? [interest.baseRate] : []));
  const priorities = notes.flatMap(({ priority }) => priority ?? []);
  const dates = tranches.map((tranche) => tranche.terms.timeline);
  return {
    id,
    code,
    title,
    status,
    companyName: companyName ?? null,
    type: type.kind === 'equity' ? type.equityType : type.loanType,
    industries: industries.join(', '),
    // As the page of each note: the tranches up to and including the active one.
    commitments: written(
      totalByCurrency(notes.flatMap((note) => commitmentTermsInForce(note).map(({ amount }) => amount))),
    ),
    // All tranches.
    maxCommitments: written(maxCommitments),
    metadata: { iat: metadata?.iat ?? null },
    notes: {
      count: notes.length,
      title: joined(notes.map((note) => note.title)),
      mainCurrency: joined(notes.map((note) => note.mainCurrency)),
      priority: {
        attachmentPoint: priorities.length > 0 ? Math.min(...priorities.map((one) => one.attachmentPoint)) : null,
        detachmentPoint: priorities.length > 0 ? Math.max(...priorities.map((one) => one.detachmentPoint)) : null,
      },
      tranches: { title: joined(tranches.map((tranche) => tranche.title)) },
    },
    terms: {
      interest: {
        kind: joined(interests.map(({ kind }) => INTEREST_KIND_LABELS[kind])),
        baseRate: joined(BASE_RATES.filter((rate) => bases.includes(rate))),
      },
      timeline: {
        contractSigning: first(dates.map((date) => date.contractSigning)),
        maturity: last(dates.map((date) => date.maturity)),
      },
    },
  };
}

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
