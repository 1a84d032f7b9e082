import { LIST_LIMITS } from '@tapeline/domain/filters/list-query.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { Fund, LPCommitment } from '../../entities/funds.ts';
import { LP } from '../../entities/people.ts';
import type { Session } from '../../store.ts';
import { defineListable, getDocument, groupDocuments, listDocuments, type Page } from '../listing/list-documents.ts';

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
  ['currency', 'Currency', 'text', 't.currency'],
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

export const getCommitment = (session: Session, id: string): Promise<LPCommitment> =>
  getDocument(session, LP_COMMITMENTS, id);

/** An investor as a commitment names it. */
export interface InvestorName {
  title: string;
  formalName: string;
  code: number;
}

/** The investors of commitments, by id, as far as they are in sight. */
export async function investorsOf(
  session: Session,
  commitments: readonly LPCommitment[],
): Promise<ReadonlyMap<string, InvestorName>> {
  const named = ({ id, title, entity, code }: LP | Fund) =>
    [id, { title, formalName: entity?.name ?? title, code }] as const;
  const lps = await session.em.find(LP, { id: { $in: commitments.flatMap((one) => one.investorLPId ?? []) } });
  const funds = await session.em.find(Fund, { id: { $in: commitments.flatMap((one) => one.investorFundId ?? []) } });
  return new Map([...lps, ...funds].map(named));
}

/** What the commitments in sight that pass the query's filter come to, by currency. */
export async function totalCommitments(
  session: Session,
  query: { filter?: unknown } = {},
): Promise<{ currency: string; count: number; maxCommitment: DecimalText; activeCommitment: DecimalText }[]> {
  const by = (field: string) =>
    groupDocuments(session, LP_COMMITMENTS, {
      ...(query.filter === undefined ? {} : { filter: query.filter }),
      groupBy: { accumulator: '$sum', field, by: 'currency' },
      limit: LIST_LIMITS.limit,
    });
  const most = await by('maxCommitment');
  const active = new Map((await by('activeCommitment')).groups.map(({ key, value }) => [key, value]));
  return most.groups.map(({ key, value, count }) => ({
    currency: String(key),
    count,
    maxCommitment: value ?? '0',
    activeCommitment: active.get(key) ?? '0',
  }));
}
