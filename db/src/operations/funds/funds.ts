import { LIST_LIMITS } from '@tapeline/domain/filters/list-query.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { Fund, LPCommitment } from '../../entities/funds.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { type EntityView, entitiesById, selectEntities } from '../entities/entities.ts';
import {
  defineListable,
  getDocument,
  groupDocuments,
  listDocuments,
  type Page,
  readForDocuments,
} from '../listing/list-documents.ts';

export const FUNDS = defineListable(Fund, 'funds', [
  ['title', 'Title', 'text', 't.title'],
  ['type', 'Type', 'text', 't.type'],
  ['strategy', 'Strategy', 'text', 't.strategy'],
  ['currency', 'Currency', 'text', 't.currency'],
  ['targetSize', 'Target size', 'decimal', 't.target_size', 'currency'],
  ['hardCap', 'Hard cap', 'decimal', 't.hard_cap', 'currency'],
  ['closingDate', 'Closing date', 'date', 't.closing_date'],
]);

export const LP_COMMITMENTS = defineListable(LPCommitment, 'lp_commitments', [
  ['fund', 'Fund', 'text', 't.fund_id'],
  ['investor.id', 'Investor', 'text', 'coalesce(t.investor_lp_id, t.investor_fund_id)'],
  ['investor.kind', 'Investor kind', 'text', 't.investor_kind'],
  ['Class', 'Class', 'text', 't.class'],
  ['closingDate', 'Closing date', 'date', 't.closing_date'],
  ['currency', 'Currency', 'text', 't.currency'],
  ['maxCommitment', 'Maximum commitment', 'decimal', 't.max_commitment', 'currency'],
  ['activeCommitment', 'Active commitment', 'decimal', 't.active_commitment', 'currency'],
]);

/** The commitments to a fund that the actor can see, in the fund's currency as recorded in the commitments. */
export interface CommitmentTotals {
  investors: number;
  totals: { currency: string; maxCommitment: DecimalText; activeCommitment: DecimalText }[];
}

/** A fund with its entity embedded, if it has one. */
export type FundView = Fund & { entity: EntityView | null };

const COMMITMENTS_OF_PAGE = `
  select fund_id as fund, currency, sum(max_commitment)::text as "maxCommitment",
    sum(active_commitment)::text as "activeCommitment",
    count(distinct coalesce(investor_lp_id, investor_fund_id))::int as investors
  from lp_commitments where fund_id = any (array(select id from page)) and status in ('Active', 'Closed')
  group by fund_id, currency order by currency`;

export async function listFunds(
  session: ReadSession,
  query: unknown = {},
): Promise<Page<{ fund: FundView; commitments: CommitmentTotals }>> {
  const page = await listDocuments(session, FUNDS, query, {
    statements: [COMMITMENTS_OF_PAGE, selectEntities(session, 'array(select entity_id from page)')],
  });
  const [committed = [], entityRows = []] = page.rows;
  const entities = entitiesById(session, entityRows);
  return {
    total: page.total,
    documents: page.documents.map((fund) => {
      const own = committed.filter((row) => row.fund === fund.id);
      return {
        fund: { ...fund, entity: entities.get(fund.entityId ?? '') ?? null },
        commitments: {
          investors: own.reduce((count, row) => count + Number(row.investors), 0),
          totals: own.map(({ currency, maxCommitment, activeCommitment }) => ({
            currency: String(currency),
            maxCommitment: String(maxCommitment),
            activeCommitment: String(activeCommitment),
          })),
        },
      };
    }),
  };
}

/** Titles of the visible funds among these ids, by id. */
export async function fundTitlesOf(session: Session, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<{ id: string; title: string }>('select id, title from funds where id = any ($1)', [
    [...new Set(ids)],
  ]);
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** The number of funds with visible commitments. */
export async function countCommittedFunds(session: Session): Promise<number> {
  const [counted] = await session.query<{ funds: number }>(
    `select count(distinct fund_id)::int as funds from lp_commitments where status <> 'Removed'`,
  );
  return counted?.funds ?? 0;
}

export const getFund = (session: Session, id: string): Promise<Fund> => getDocument(session, FUNDS, id);

/** An investor, as shown in a commitment. */
export interface InvestorName {
  title: string;
  formalName: string;
  code: number;
}

/** A commitment with its investor; null if the investor is not visible. */
export type CommitmentView = LPCommitment & { investor: InvestorName | null };

const INVESTORS_OF_PAGE = `
  select id, title, coalesce(nullif(name, ''), title) as "formalName", code
  from lps where id = any (array(select investor_lp_id from page))
  union all
  select id, title, coalesce(nullif(name, ''), title), code
  from funds where id = any (array(select investor_fund_id from page))`;

/** The commitments with their investors. @param rows of `INVESTORS_OF_PAGE` */
function withInvestors(commitments: readonly LPCommitment[], rows: readonly Row[] = []): CommitmentView[] {
  const investors = new Map(
    rows.map(({ id, title, formalName, code }): [unknown, InvestorName] => [
      id,
      { title: String(title), formalName: String(formalName), code: Number(code) },
    ]),
  );
  return commitments.map((commitment) => ({
    ...commitment,
    investor: investors.get(commitment.investorLPId ?? commitment.investorFundId) ?? null,
  }));
}

/** A page of the commitments that the actor can see, with their investors. */
export async function listCommitments(session: ReadSession, query: unknown = {}): Promise<Page<CommitmentView>> {
  const { documents, total, rows } = await listDocuments(session, LP_COMMITMENTS, query, {
    statements: [INVESTORS_OF_PAGE],
  });
  return { documents: withInvestors(documents, rows[0]), total };
}

/** @throws Refusal notFound */
export async function getCommitment(session: Session, id: string): Promise<CommitmentView> {
  const commitment = await getDocument(session, LP_COMMITMENTS, id);
  const [rows] = await readForDocuments(session, LP_COMMITMENTS, [commitment], [INVESTORS_OF_PAGE]);
  return withInvestors([commitment], rows)[0]!;
}

/** The totals, by currency, of the visible commitments that match the query's filter. */
export async function totalCommitments(
  session: ReadSession,
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
