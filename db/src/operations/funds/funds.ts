import { shownDelta } from '@tapeline/domain/commitments/transfer.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { Fund, LPCommitment } from '../../entities/funds.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { type EntityView, entitiesById, selectEntities } from '../entities/entities.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { totalDocuments } from '../listing/list-figures.ts';
import { viewsOf } from '../listing/views.ts';

export const FUNDS = listOf('funds', {});

export const LP_COMMITMENTS = listOf('LPCommitments', {
  'investor.id': 'coalesce(t.investor_lp_id, t.investor_fund_id)',
  'investor.kind': 't.investor_kind',
});

/** The commitments to a fund that the actor can see, as they are today, in the currency recorded in them. */
export interface CommitmentTotals {
  investors: number;
  totals: { currency: string; maxCommitment: DecimalText; activeCommitment: DecimalText }[];
}

/** A fund with its entities embedded, as far as the actor can see them. */
export type FundView = Fund & {
  entity: EntityView | null;
  GPs: EntityView[];
  managementCompany: EntityView | null;
};

export interface FundWithCommitments {
  fund: FundView;
  commitments: CommitmentTotals;
}

const PARTIES_OF_PAGE = `array(select entity_id from page union select management_company_id from page
  union select unnest(gp_ids) from page)`;

/** What is committed to a fund today, in its currency, for the totals of a list. */
export const COMMITTED_TODAY = {
  path: 'committed',
  amount: `(select sum(committed_at(c.closing_date, c.active_commitment, c.deltas, (now() at time zone 'utc')::date))
    from lp_commitments c where c.fund_id = t.id and c.currency = t.currency and c.status in ('Active', 'Closed'))`,
  currency: 't.currency',
} as const;

const COMMITMENTS_OF_PAGE = `
  select fund_id as fund, currency, sum(max_commitment)::text as "maxCommitment",
    sum(committed_at(closing_date, active_commitment, deltas, (now() at time zone 'utc')::date))::text as "activeCommitment",
    count(distinct coalesce(investor_lp_id, investor_fund_id))::int as investors
  from lp_commitments where fund_id = any (array(select id from page)) and status in ('Active', 'Closed')
  group by fund_id, currency order by currency`;

export const { list: listFunds } = viewsOf(
  FUNDS,
  (session) => [COMMITMENTS_OF_PAGE, selectEntities(session, PARTIES_OF_PAGE)],
  (funds, [committed = [], entityRows = []], session): FundWithCommitments[] => {
    const entities = entitiesById(session, entityRows);
    const { actor } = session;
    const isInvestor = actor.kind === 'user' && actor.lpIds.length > 0;
    return funds.map((fund) => {
      const own = committed.filter((row) => row.fund === fund.id);
      return {
        fund: {
          ...fund,
          // What other classes agreed is not for an investor to see.
          feeTerms: isInvestor ? [] : fund.feeTerms,
          entity: entities.get(fund.entityId ?? '') ?? null,
          GPs: fund.gpIds.flatMap((id) => entities.get(id) ?? []),
          managementCompany: entities.get(fund.managementCompanyId ?? '') ?? null,
        },
        commitments: {
          investors: own.reduce((count, row) => count + Number(row.investors), 0),
          totals: own.map(({ currency, maxCommitment, activeCommitment }) => ({
            currency: String(currency),
            maxCommitment: String(maxCommitment),
            activeCommitment: String(activeCommitment),
          })),
        },
      };
    });
  },
);

/** @throws Refusal notFound */
export async function getFundView(session: Session, id: string): Promise<FundWithCommitments> {
  const [found] = isId(id) ? (await listFunds(session, { filter: { id }, limit: 1 })).documents : [];
  if (!found) throw new Refusal('notFound');
  return found;
}

/** A page of the visible main funds, by title, each with its visible funds; the funds without one are last. */
export async function listFundGroups(
  session: ReadSession,
): Promise<{ mainFund: string | null; title: string; funds: { id: string; title: string }[] }[]> {
  return session.query(
    `select m.id as "mainFund", coalesce(m.title, 'Funds without a main fund') as title,
       jsonb_agg(jsonb_build_object('id', t.id, 'title', t.title) order by t.title, t.id) as funds
     from funds t left join main_funds m on m.id = t.main_fund_id and m.status <> 'Removed'
     where t.status <> 'Removed' group by m.id, m.title order by m.id is null, m.title, m.id`,
  );
}

export interface FundInvestor extends InvestorName {
  id: string;
  kind: 'LP' | 'fund';
  /** Ids of the funds that it has committed to. */
  funds: string[];
}

/** Everyone with a visible commitment, by title. */
export const listFundInvestors = (session: ReadSession): Promise<FundInvestor[]> =>
  session.query<FundInvestor>(
    `with committed as (
       select investor_kind as kind, coalesce(investor_lp_id, investor_fund_id) as id, array_agg(distinct fund_id::text) as funds
       from lp_commitments where status <> 'Removed' group by 1, 2
     )
     select c.id, c.kind, coalesce(l.title, f.title) as title,
       coalesce(nullif(l.name, ''), nullif(f.name, ''), l.title, f.title) as "formalName", coalesce(l.code, f.code) as code, c.funds
     from committed c left join lps l on c.kind = 'LP' and l.id = c.id left join funds f on c.kind = 'fund' and f.id = c.id
     where coalesce(l.id, f.id) is not null order by coalesce(l.title, f.title) collate "C", c.id`,
  );

/** Titles of the visible funds among these ids, by id. */
export async function fundTitlesOf(session: Session, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<{ id: string; title: string }>('select id, title from funds where id = any ($1)', [
    [...new Set(ids)],
  ]);
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** A page of a manager's funds for a picker, by title. */
export const fundChoices = (
  session: ReadSession,
  managerId: string,
  query: ChoiceQuery = {},
): Promise<Choices<{ id: string; name: string; classes: { name: string; uniqueKey: string }[] }>> =>
  findChoices(session, query, {
    read: 'funds/read',
    columns: 't.id, t.title as name, t.classes',
    offered: `funds t where t.status <> 'Removed' and t.manager_id = $1`,
    values: [managerId],
  });

export const getFund = (session: Session, id: string): Promise<Fund> => getDocument(session, FUNDS, id);

/** An investor, as shown in a commitment. */
export interface InvestorName {
  title: string;
  formalName: string;
  code: number;
}

/** A commitment with its investor; null if the investor is not visible. */
export type CommitmentView = LPCommitment & {
  investor: InvestorName | null;
  /** Percent of the commitments to the fund that are in force today; null for a draft, or if there are none. */
  percentage: DecimalText | null;
};

/** Statement for a page of documents with an investor; `withInvestors` takes its rows. */
export const INVESTORS_OF_PAGE = `
  select id, title, coalesce(nullif(name, ''), title) as "formalName", code
  from lps where id = any (array(select investor_lp_id from page))
  union all
  select id, title, coalesce(nullif(name, ''), title), code
  from funds where id = any (array(select investor_fund_id from page))`;

const PERCENTAGES_OF_PAGE = `
  select page.id, round(100 * committed_at(page.closing_date, page.active_commitment, page.deltas, current_date)
      / nullif(whole.committed, 0), 8)::text as percentage
  from page join (
    select fund_id, committed_to_fund(fund_id, current_date) as committed from (select distinct fund_id from page) as funds
  ) as whole on whole.fund_id = page.fund_id where page.status in ('Active', 'Closed')`;

/** The other sides of transfers, as far as they can be seen. */
const TRANSFERS_OF_PAGE = `
  select page.id, delta ->> 'transfer' as transfer, coalesce(l.title, f.title) as title
  from page cross join lateral jsonb_array_elements(page.deltas) as delta
  join lp_commitments other on other.fund_id = page.fund_id and other.id <> page.id
    and other.deltas @> jsonb_build_array(jsonb_build_object('transfer', delta -> 'transfer'))
  left join lps l on l.id = other.investor_lp_id left join funds f on f.id = other.investor_fund_id
  where delta ->> 'transfer' is not null and coalesce(l.title, f.title) is not null`;

function commitmentViews(
  commitments: readonly LPCommitment[],
  [investors, percentages = [], transfers = []]: readonly Row[][],
): CommitmentView[] {
  const others = new Map(transfers.map(({ id, transfer, title }) => [`${id} ${transfer}`, String(title)]));
  const byId = new Map(percentages.map(({ id, percentage }) => [id, percentage === null ? null : String(percentage)]));
  return withInvestors(commitments, investors).map((commitment) => ({
    ...commitment,
    deltas: commitment.deltas.map((delta) => shownDelta(delta, others.get(`${commitment.id} ${delta.transfer}`))),
    percentage: byId.get(commitment.id) ?? null,
  }));
}

/** Documents with their investors. @param rows of `INVESTORS_OF_PAGE` */
export function withInvestors<
  Document extends { investorLPId?: string | null | undefined; investorFundId?: string | null | undefined },
>(documents: readonly Document[], rows: readonly Row[] = []): (Document & { investor: InvestorName | null })[] {
  const investors = new Map(
    rows.map(({ id, title, formalName, code }): [unknown, InvestorName] => [
      id,
      { title: String(title), formalName: String(formalName), code: Number(code) },
    ]),
  );
  return documents.map((document) => ({
    ...document,
    investor: investors.get(document.investorLPId ?? document.investorFundId) ?? null,
  }));
}

const VIEWS = viewsOf(LP_COMMITMENTS, [INVESTORS_OF_PAGE, PERCENTAGES_OF_PAGE, TRANSFERS_OF_PAGE], commitmentViews);
export const { list: listCommitments, all: viewCommitments } = VIEWS;

/** @throws Refusal notFound */
export const getCommitment = async (session: Session, id: string): Promise<CommitmentView> =>
  VIEWS.one(session, await getDocument(session, LP_COMMITMENTS, id));

/** The totals, by currency, of the visible commitments that match the query's filter. */
export async function totalCommitments(
  session: ReadSession,
  query: { filter?: unknown } = {},
): Promise<{ currency: string; count: number; maxCommitment: DecimalText; activeCommitment: DecimalText }[]> {
  const totals = await totalDocuments(session, LP_COMMITMENTS, query, {
    maxCommitment: 't.max_commitment',
    activeCommitment: 't.active_commitment',
  });
  return totals.map(({ currency, count, sums }) => ({ currency, count, ...sums }));
}
