import { COMMITTED_TODAY, FUNDS, type FundWithCommitments, listFunds } from '@tapeline/db/operations/funds/funds.ts';
import { mainFundTitlesOf } from '@tapeline/db/operations/funds/main-funds.ts';
import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { FUND_STRATEGIES, FUND_TYPES } from '@tapeline/domain/funds/fund.schema.ts';
import { type FilteredSource, fieldsWith } from '../../../components/filters/filtered-list.ts';

/** The fields of a list of funds or main funds that the filter bar offers. */
export const fundFields = fieldsWith(
  { type: FUND_TYPES, strategy: FUND_STRATEGIES, status: CAPITAL_TRANSITIONS.states },
  ['id', 'mainFund'],
);

const rowOf = ({ fund, commitments }: FundWithCommitments, mainFundTitle: string | undefined) => ({
  ...pick(fund, 'id', 'code', 'title', 'type', 'strategy', 'currency', 'targetSize', 'hardCap'),
  // A fund without commitments has none, which is known.
  committed: commitments.totals.find(({ currency }) => currency === fund.currency)?.activeCommitment ?? '0',
  investors: commitments.investors,
  closingDate: fund.closingDate ?? null,
  status: fund.status,
  mainFundTitle: mainFundTitle ?? null,
  metadata: { iat: fund.metadata.iat ?? null },
});

export const FUND_LIST: FilteredSource = {
  table: FUNDS,
  columns: columnsOf('funds'),
  sort: { title: 1 },
  finds: ['title'],
  totals: ['targetSize', 'hardCap', COMMITTED_TODAY],
  fields: fundFields,
  async load(session, query) {
    const { documents, total } = await listFunds(session, query);
    const titles = await mainFundTitlesOf(
      session,
      documents.flatMap(({ fund }) => fund.mainFundId ?? []),
    );
    return { rows: documents.map((found) => rowOf(found, titles.get(found.fund.mainFundId ?? ''))), total };
  },
};

/** The funds of an investor, with the total of its own commitments alone. */
export const OWN_LIST: FilteredSource = { ...FUND_LIST, totals: [COMMITTED_TODAY] };
