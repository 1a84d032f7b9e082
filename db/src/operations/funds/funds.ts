import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { Fund, LPCommitment } from '../../entities/funds.ts';
import type { Session } from '../../store.ts';
import { defineListable, getDocument, listDocuments, type Page } from '../listing/list-documents.ts';

export const FUNDS = defineListable(Fund, 'funds', [
  ['title', 'Title', 'text', 't.title'],
  ['type', 'Type', 'text', 't.type'],
  ['strategy', 'Strategy', 'text', 't.strategy'],
  ['currency', 'Currency', 'text', 't.currency'],
  ['targetSize', 'Target size', 'decimal', 't.target_size'],
  ['hardCap', 'Hard cap', 'decimal', 't.hard_cap'],
  ['closingDate', 'Closing date', 'date', 't.closing_date'],
]);

export const LP_COMMITMENTS = defineListable(LPCommitment, 'lp_commitments', [
  ['fund', 'Fund', 'text', 't.fund_id'],
  ['investor.id', 'Investor', 'text', 'coalesce(t.investor_lp_id, t.investor_fund_id)'],
  ['investor.kind', 'Investor kind', 'text', 't.investor_kind'],
  ['Class', 'Class', 'text', 't.class'],
  ['closingDate', 'Closing date', 'date', 't.closing_date'],
  ['maxCommitment', 'Maximum commitment', 'decimal', 't.max_commitment'],
  ['activeCommitment', 'Active commitment', 'decimal', 't.active_commitment'],
]);

/** What the actor may see committed to a fund, in the fund's currency as commitments state it. */
export interface CommitmentTotals {
  investors: number;
  totals: { currency: string; maxCommitment: DecimalText; activeCommitment: DecimalText }[];
}

export async function listFunds(
  session: Session,
  query: unknown = {},
): Promise<Page<{ fund: Fund; commitments: CommitmentTotals }>> {
  const page = await listDocuments(session, FUNDS, query);
  const rows = await session.query<{
    fund_id: string;
    currency: string;
    max: DecimalText;
    active: DecimalText;
    investors: number;
  }>(
    `select fund_id, currency, sum(max_commitment)::text as max, sum(active_commitment)::text as active,
       count(distinct coalesce(investor_lp_id, investor_fund_id))::int as investors
     from lp_commitments where fund_id = any ($1) and status in ('Active', 'Closed')
     group by fund_id, currency order by currency`,
    [page.documents.map((fund) => fund.id)],
  );
  return {
    total: page.total,
    documents: page.documents.map((fund) => {
      const own = rows.filter((row) => row.fund_id === fund.id);
      return {
        fund,
        commitments: {
          investors: own.reduce((count, row) => count + row.investors, 0),
          totals: own.map((row) => ({
            currency: row.currency,
            maxCommitment: row.max,
            activeCommitment: row.active,
          })),
        },
      };
    }),
  };
}

export const getFund = (session: Session, id: string): Promise<Fund> => getDocument(session, FUNDS, id);

export const listCommitments = (session: Session, query: unknown = {}): Promise<Page<LPCommitment>> =>
  listDocuments(session, LP_COMMITMENTS, query);
