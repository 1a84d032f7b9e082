import {
  activeCommitmentAt,
  type CommitmentTerms,
  holdingPercentage,
} from '@tapeline/domain/commitments/active-commitment.ts';
import { type ShareStep, shareSeries } from '@tapeline/domain/commitments/committed-series.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import { asProgram, type Session } from '../../store.ts';

/** A commitment to a fund as it is on a day. Sums are in the currency of the fund. */
export interface CommitmentOnDay extends CommitmentTerms {
  readonly id: string;
  readonly status: string;
  readonly fundId: string;
  readonly investorId: string;
  readonly investorKind: 'LP' | 'fund';
  readonly investorTitle: string | null;
  readonly investorCode: number | null;
  readonly Class: string | null;
  readonly currency: string;
  readonly maxCommitment: DecimalText;
  /** In force on the day. Null for a draft, which does not count. */
  readonly active: DecimalText | null;
  /** Percent of what is committed to the fund on the day; null for a draft, or if nothing is committed. */
  readonly percentage: DecimalText | null;
}

interface Stored extends Omit<CommitmentOnDay, 'active' | 'percentage'> {}

const COLUMNS = `c.id, c.status, c.fund_id as "fundId", coalesce(c.investor_lp_id, c.investor_fund_id) as "investorId",
  c.investor_kind as "investorKind", coalesce(l.title, f.title) as "investorTitle", coalesce(l.code, f.code) as "investorCode", c.class as "Class", c.currency,
  c.closing_date::text as "closingDate", c.max_commitment::text as "maxCommitment",
  c.active_commitment::text as "activeCommitment", c.deltas
  from lp_commitments c left join lps l on l.id = c.investor_lp_id left join funds f on f.id = c.investor_fund_id`;

const counts = ({ status }: Pick<Stored, 'status'>): boolean => status === 'Active' || status === 'Closed';

type OfFund = CommitmentTerms & { readonly fundId: string };

/**
 * The terms of everything that is committed to the funds of visible commitments, also by others. An investor, and a user
 * for whom a commitment is blocked, cannot see all of it, but each share is a share of all of it, as on every notice.
 */
async function committedTo(session: Session, visible: readonly Stored[]): Promise<Map<string, OfFund[]>> {
  const { actor } = session;
  const seesAll =
    actor.kind !== 'user' || (actor.lpIds.length === 0 && actor.blockedDocuments.length === 0 && !actor.within);
  if (seesAll || visible.length === 0) return Map.groupBy(visible.filter(counts), ({ fundId }) => fundId);
  const terms = await asProgram(session, () =>
    session.query<OfFund>(
      `select fund_id as "fundId", closing_date::text as "closingDate", active_commitment::text as "activeCommitment", deltas
       from lp_commitments where fund_id = any ($1) and status in ('Active', 'Closed')`,
      [[...new Set(visible.map(({ fundId }) => fundId))]],
    ),
  );
  return Map.groupBy(terms, ({ fundId }) => fundId);
}

/** The share of each commitment in the fund on a day. Drafts do not count. */
function onDay(stored: readonly Stored[], committed: ReadonlyMap<string, OfFund[]>, at: string): CommitmentOnDay[] {
  const wholes = new Map(
    [...committed].map(([fundId, terms]) => [fundId, sum(terms.map((one) => activeCommitmentAt(one, at)))]),
  );
  return stored.map((one) => {
    const active = counts(one) ? activeCommitmentAt(one, at) : null;
    const percentage = active === null ? null : holdingPercentage(active, wholes.get(one.fundId) ?? '0');
    return { ...one, active, percentage };
  });
}

/**
 * The visible commitments to a fund as they are on a day, the largest first.
 * @returns `committed`, the sum of the visible ones; `ofFund`, the terms of all that count, for shares only
 */
export async function fundCommitmentsAt(
  session: Session,
  fundId: string,
  at: string,
): Promise<{ commitments: CommitmentOnDay[]; committed: DecimalText; ofFund: readonly CommitmentTerms[] }> {
  const stored = await session.query<Stored>(
    `select ${COLUMNS} where c.fund_id = $1 and c.status <> 'Removed' order by coalesce(l.title, f.title), c.class, c.id`,
    [fundId],
  );
  const terms = await committedTo(session, stored);
  const commitments = onDay(stored, terms, at).sort((a, b) => Number(b.active ?? -1) - Number(a.active ?? -1));
  const committed = sum(commitments.flatMap(({ active }) => active ?? []));
  return { commitments, committed, ofFund: terms.get(fundId) ?? [] };
}

/**
 * One commitment as it is on a day, and its share of the fund over time.
 * @throws Refusal notFound, also for a commitment to another fund
 */
export async function commitmentOverTime(
  session: Session,
  { fundId, id, at }: { fundId: string; id: string; at: string },
): Promise<{ commitment: CommitmentOnDay; shares: ShareStep[] }> {
  const { commitments, ofFund } = await fundCommitmentsAt(session, fundId, at);
  const commitment = commitments.find((one) => one.id === id);
  if (!commitment) throw new Refusal('notFound');
  return { commitment, shares: shareSeries(commitment, ofFund) };
}

export async function investorCommitmentsAt(
  session: Session,
  investorId: string,
  at: string,
): Promise<(CommitmentOnDay & { fundTitle: string | null; className: string | null })[]> {
  const stored = await session.query<Stored & { fundTitle: string | null; className: string | null }>(
    `select into_fund.title as "fundTitle", (
       select of_fund ->> 'name' from jsonb_array_elements(into_fund.classes) as of_fund
       where of_fund ->> 'uniqueKey' = c.class) as "className", ${COLUMNS} left join funds into_fund on into_fund.id = c.fund_id
     where c.status <> 'Removed' and c.fund_id in (
       select fund_id from lp_commitments where coalesce(investor_lp_id, investor_fund_id) = $1 and status <> 'Removed')
     order by into_fund.title, c.class, c.id`,
    [investorId],
  );
  const names = new Map(stored.map(({ id, fundTitle, className }) => [id, { fundTitle, className }]));
  return onDay(stored, await committedTo(session, stored), at)
    .filter((one) => one.investorId === investorId)
    .map((one) => ({ ...one, ...(names.get(one.id) ?? { fundTitle: null, className: null }) }));
}
