import {
  activeCommitmentAt,
  type CommitmentTerms,
  holdingPercentages,
} from '@tapeline/domain/commitments/active-commitment.ts';
import { type ShareStep, shareSeries } from '@tapeline/domain/commitments/committed-series.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';

/** A commitment to a fund as it is on a day. Sums are in the currency of the fund. */
export interface CommitmentOnDay extends CommitmentTerms {
  readonly id: string;
  readonly status: string;
  readonly fundId: string;
  readonly investorId: string;
  readonly investorKind: 'LP' | 'fund';
  readonly investorTitle: string | null;
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
  c.investor_kind as "investorKind", coalesce(l.title, f.title) as "investorTitle", c.class as "Class", c.currency,
  c.closing_date::text as "closingDate", c.max_commitment::text as "maxCommitment",
  c.active_commitment::text as "activeCommitment", c.deltas
  from lp_commitments c left join lps l on l.id = c.investor_lp_id left join funds f on f.id = c.investor_fund_id`;

const counts = ({ status }: Pick<Stored, 'status'>): boolean => status === 'Active' || status === 'Closed';

/** The share of each commitment in the fund on a day. Drafts do not count. */
function onDay(stored: readonly Stored[], at: string): CommitmentOnDay[] {
  const actives = stored.map((one) => (counts(one) ? activeCommitmentAt(one, at) : null));
  const byFund = Map.groupBy(stored.keys(), (place) => stored[place]!.fundId);
  const percentages = new Map<number, DecimalText | null>();
  for (const places of byFund.values()) {
    const counted = places.filter((place) => actives[place] !== null);
    const shares = holdingPercentages(counted.map((place) => actives[place]!));
    for (const [index, place] of counted.entries()) percentages.set(place, shares[index] ?? null);
  }
  return stored.map((one, place) => ({
    ...one,
    active: actives[place] ?? null,
    percentage: percentages.get(place) ?? null,
  }));
}

/** The visible commitments to a fund as they are on a day, the largest first. */
export async function fundCommitmentsAt(
  session: ReadSession,
  fundId: string,
  at: string,
): Promise<{ commitments: CommitmentOnDay[]; committed: DecimalText }> {
  const stored = await session.query<Stored>(
    `select ${COLUMNS} where c.fund_id = $1 and c.status <> 'Removed' order by coalesce(l.title, f.title), c.class, c.id`,
    [fundId],
  );
  const commitments = onDay(stored, at).sort((a, b) => Number(b.active ?? -1) - Number(a.active ?? -1));
  return { commitments, committed: sum(commitments.flatMap(({ active }) => active ?? [])) };
}

/**
 * One commitment as it is on a day, and its share of the fund over time.
 * @throws Refusal notFound, also for a commitment to another fund
 */
export async function commitmentOverTime(
  session: ReadSession,
  { fundId, id, at }: { fundId: string; id: string; at: string },
): Promise<{ commitment: CommitmentOnDay; shares: ShareStep[] }> {
  const { commitments } = await fundCommitmentsAt(session, fundId, at);
  const commitment = commitments.find((one) => one.id === id);
  if (!commitment) throw new Refusal('notFound');
  const counted = commitments.filter(counts);
  return { commitment, shares: shareSeries(commitment, counted) };
}

/**
 * The commitments of an investor in all funds as they are on a day, by the title of the fund. The percentages are of
 * everything that is committed to each fund, so they are right only for actors who can see all of it.
 */
export async function investorCommitmentsAt(
  session: ReadSession,
  investorId: string,
  at: string,
): Promise<(CommitmentOnDay & { fundTitle: string | null; className: string | null })[]> {
  const stored = await session.query<Stored & { fundTitle: string | null; className: string | null }>(
    `select into_fund.title as "fundTitle", (
       select coalesce(of_fund ->> 'name', c.class) from jsonb_array_elements(into_fund.classes) as of_fund
       where of_fund ->> 'uniqueKey' = c.class) as "className", ${COLUMNS} left join funds into_fund on into_fund.id = c.fund_id
     where c.status <> 'Removed' and c.fund_id in (
       select fund_id from lp_commitments where coalesce(investor_lp_id, investor_fund_id) = $1 and status <> 'Removed')
     order by into_fund.title, c.class, c.id`,
    [investorId],
  );
  const names = new Map(stored.map(({ id, fundTitle, className }) => [id, { fundTitle, className }]));
  return onDay(stored, at)
    .filter((one) => one.investorId === investorId)
    .map((one) => ({ ...one, ...(names.get(one.id) ?? { fundTitle: null, className: null }) }));
}
