import { COMMITTED_TODAY, FUNDS, type FundWithCommitments, listFunds } from '@tapeline/db/operations/funds/funds.ts';
import { mainFundTitlesOf } from '@tapeline/db/operations/funds/main-funds.ts';
import { filteredTotals } from '@tapeline/db/operations/listing/list-documents.ts';
import type { Session } from '@tapeline/db/store.ts';
import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { FUND_STRATEGIES, FUND_TYPES } from '@tapeline/domain/funds/fund.schema.ts';
import { readList } from '../../../components/filters/filtered-list.ts';
import { rowsOfDocuments } from '../../../components/grid/document-rows.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { FUND_SORT } from './sort.ts';

const COLUMNS = columnsOf('funds');

const VALUES: Readonly<Record<string, readonly string[]>> = {
  type: FUND_TYPES,
  strategy: FUND_STRATEGIES,
  status: CAPITAL_TRANSITIONS.states,
};

/** The fields of a list of funds or main funds that the filter bar offers. */
export const offeredFields = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => {
    if (['id', 'mainFund'].includes(field.path)) return [];
    const values = VALUES[field.path];
    return [values ? { ...field, values } : field];
  });

const rowOf = ({ fund, commitments }: FundWithCommitments, mainFundTitle: string | undefined) => ({
  id: fund.id,
  code: fund.code,
  title: fund.title,
  type: fund.type,
  strategy: fund.strategy,
  currency: fund.currency,
  targetSize: fund.targetSize,
  hardCap: fund.hardCap,
  // A fund without commitments has none, which is known.
  committed: commitments.totals.find(({ currency }) => currency === fund.currency)?.activeCommitment ?? '0',
  investors: commitments.investors,
  closingDate: fund.closingDate ?? null,
  status: fund.status,
  mainFundTitle: mainFundTitle ?? null,
  metadata: { iat: fund.metadata.iat ?? null },
});

/** A page of funds as rows. */
export async function fundRows(session: Session, query: unknown) {
  const { documents, total } = await listFunds(session, query);
  const titles = await mainFundTitlesOf(
    session,
    documents.flatMap(({ fund }) => fund.mainFundId ?? []),
  );
  return { rows: documents.map((found) => rowOf(found, titles.get(found.fund.mainFundId ?? ''))), total };
}

/** The first rows, as the address filters, searches and sorts them. */
export function firstFunds({ url, db }: Screen) {
  const { query, shown } = readList(url, {
    catalog: FUNDS.catalog,
    columns: COLUMNS,
    finds: ['title'],
    defaultSort: FUND_SORT,
  });
  return db(async (session) => {
    const { rows, total } = await fundRows(session, query);
    const totals = await filteredTotals(session, FUNDS, query, ['targetSize', 'hardCap', COMMITTED_TODAY]);
    return {
      ...shown,
      totals,
      rows: rowsOfDocuments(rows, COLUMNS),
      total,
      fields: offeredFields(FUNDS.catalog.fields),
    };
  });
}
