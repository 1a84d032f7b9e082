import type { CapitalLedger } from '@tapeline/domain/capital/capital-figures.ts';
import type { LineBasis } from '@tapeline/domain/capital/line-basis.ts';
import type { Excuse, OwnAmounts } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { splitLines } from '@tapeline/domain/capital/split.ts';
import {
  activeCommitmentAt,
  holdingPercentage,
  holdingPercentages,
} from '@tapeline/domain/commitments/active-commitment.ts';
import type { investorReferenceSchema } from '@tapeline/domain/commitments/investor.schema.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { reason, type Why } from '@tapeline/domain/errors/reason.ts';
import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { requireClassOf } from '@tapeline/domain/funds/class-of-fund.ts';
import { type DocumentSum, documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { type DecimalText, isZero, sum } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import type { z } from 'zod';
import { Fund } from '../../entities/funds.ts';
import { asProgram, type Session } from '../../store.ts';
import { lockFunds } from '../commitments/change-commitments.ts';
import { commitmentsInForce, type FundCommitment, ledgersOf } from './ledgers.ts';

/** The visible funds with these ids, locked: two operators who write at once do so one after the other. */
export async function lockedFunds(session: Session, ids: readonly string[]): Promise<Map<string, Fund>> {
  const known = [...new Set(ids.filter(isId))];
  await lockFunds(session, known);
  const funds = await session.em.find(Fund, { id: { $in: known }, status: { $ne: 'Removed' } });
  return new Map(funds.map((fund) => [fund.id, fund]));
}

/** The fund of a capital document, locked. @throws Refusal as `fundInUse` */
export const lockedFund = async (session: Session, id: string, Class: string | null | undefined): Promise<Fund> =>
  fundInUse((await lockedFunds(session, [id])).get(id), Class);

/**
 * The fund, if capital documents can be entered for it.
 * @throws Refusal notFound; badRequest for a class that the fund does not have, and for a fund that is still a draft
 */
export function fundInUse(fund: Fund | undefined, Class: string | null | undefined): Fund {
  if (!fund) throw new Refusal('notFound');
  if (fund.status === 'Draft') refuse(`${fund.title} is a draft. Make it Active first`, { fund: 'is a draft' });
  requireClassOf([fund], Class);
  return fund;
}

type Amounts = Readonly<Record<string, DocumentSum>>;

/** The amounts of a list for `requireAmounts`, each at its path: `callPurposes.0.amount`. */
export const amountsAt = (
  list: string,
  lines: readonly { amount?: DecimalText | { sum: DecimalText; currency: string } | null | undefined }[] = [],
): Amounts =>
  Object.fromEntries(
    lines.flatMap(({ amount }, index) =>
      amount == null
        ? []
        : [[`${list}.${index}.amount`, typeof amount === 'string' ? { sum: amount, currency: null } : amount]],
    ),
  );

/** The commitments that amounts are set for. */
export const commitmentsOf = (own: readonly OwnAmounts[] = []): ReadonlySet<string> =>
  new Set(own.flatMap(({ of }) => ('commitmentId' in of ? of.commitmentId : [])));

/** The amounts that single investors have of their own, for `requireAmounts`. */
export const ownAmountsAt = (own: readonly OwnAmounts[] = []): Amounts =>
  Object.fromEntries(
    own.flatMap(({ lines }, index) =>
      lines.flatMap((line, place) =>
        line && 'amount' in line
          ? [[`amounts.${index}.lines.${place}`, { sum: line.amount, currency: null }] as const]
          : [],
      ),
    ),
  );

/** @throws Refusal badRequest with a flag at each amount that is in another currency or has too many decimals */
export function requireAmounts(fund: Pick<Fund, 'currency'>, amounts: Amounts): void {
  const flags: Record<string, Why> = {};
  for (const [path, amount] of Object.entries(amounts)) {
    const problem = documentSumProblem(fund.currency, amount);
    if (problem !== null) flags[path] = problem;
  }
  if (Object.keys(flags).length > 0) refuse(`Enter amounts in ${fund.currency}, the currency of the fund`, flags);
}

export interface CommitmentPart {
  readonly commitment: FundCommitment;
  /** In the order of the lines. */
  readonly amounts: readonly DecimalText[];
  /** Percent of the commitments to the fund, or to the class that the document names, on the day. */
  readonly percentage: DecimalText | null;
  /** The class that the percentage is of; null for the whole fund. */
  readonly percentageOf: string | null;
  /** What happened between the investor and the fund before. */
  readonly ledger: CapitalLedger;
}

/** An investor's part of a call or distribution. */
export interface InvestorPart extends CommitmentPart {
  /** Where each amount comes from. */
  readonly basis: readonly LineBasis[];
  readonly excuse: Excuse | null;
}

export interface Scope {
  fund: Pick<Fund, 'id' | 'currency' | 'title'>;
  Class?: string | null | undefined;
  investor?: z.output<typeof investorReferenceSchema> | null | undefined;
  /** Only these commitments; their shares are still of the whole fund or class. */
  commitmentIds?: ReadonlySet<string> | undefined;
  cutOffDate: string;
}

/** The investors of a fund or class on a day, with their commitments and shares. Runs as the program. */
export async function investorsOn(session: Session, { fund, Class, investor, commitmentIds, cutOffDate }: Scope) {
  const all = await commitmentsInForce(session, { fundIds: [fund.id], Class: Class ?? null });
  const weights = all.map((commitment) => activeCommitmentAt(commitment, cutOffDate));
  const percentages = holdingPercentages(weights);
  const own = all.flatMap((commitment, index) =>
    (!investor || (commitment.investorLPId ?? commitment.investorFundId) === investor.id) &&
    (!commitmentIds || commitmentIds.has(commitment.id))
      ? [{ commitment, weight: weights[index]!, percentage: percentages[index] ?? null }]
      : [],
  );
  if (own.every(({ weight }) => isZero(weight))) {
    const whom = investor ? 'The investor has' : 'Nobody has';
    refuse(
      `${whom} a commitment to ${fund.title} on ${formatCalendarDate(cutOffDate)}. Check the date, and that the commitment is Active`,
      investor ? { 'investor.id': 'has no commitment on this day' } : { cutOffDate: 'is before the first commitment' },
    );
  }
  return own;
}

/**
 * Splits lines over the investors of a fund or class in proportion to their commitments on a day, as NAVs and write-offs are. Runs as the program:
 * an investor whom the actor cannot see has its part as well.
 * @throws Refusal badRequest if nobody has a commitment on that day
 */
export async function splitOverInvestors(
  session: Session,
  scope: Scope & { lines: readonly DecimalText[] },
): Promise<CommitmentPart[]> {
  const own = await investorsOn(session, scope);
  const split = splitLines(
    scope.lines,
    own.map(({ commitment: { id, code }, weight }) => ({ id, code, weight })),
    minorUnitDigits(scope.fund.currency),
  );
  const ledgers = await ledgersOf(
    session,
    own.map(({ commitment }) => commitment.id),
  );
  return own.flatMap(({ commitment, percentage }) => {
    const amounts = split.get(commitment.id);
    return amounts
      ? [{ commitment, amounts, percentage, percentageOf: scope.Class ?? null, ledger: ledgers.get(commitment.id)! }]
      : [];
  });
}

/** The holding of a document's investor on another cut-off date; nothing to change if the date is the same. */
export async function holdingOn(
  session: Session,
  document: {
    commitmentId: string;
    fundId: string;
    currency: string;
    cutOffDate: string;
    holdingClass?: string | null | undefined;
  },
  cutOffDate: string | undefined,
): Promise<{ holdingPercentage?: DecimalText | null }> {
  if (!cutOffDate || cutOffDate === document.cutOffDate) return {};
  const fund = { id: document.fundId, currency: document.currency, title: 'the fund' };
  const own = await asProgram(session, () => investorsOn(session, { fund, Class: document.holdingClass, cutOffDate }));
  return {
    holdingPercentage: own.find(({ commitment }) => commitment.id === document.commitmentId)?.percentage ?? null,
  };
}

/** A document of one investor of a fund or class. */
export interface OfInvestor {
  readonly fund: string;
  readonly Class?: string | null | undefined;
  readonly investor: z.output<typeof investorReferenceSchema>;
}

const investorKey = (fundId: string, investorId: string | null): string => `${fundId} ${investorId}`;

/** Commitments by fund and investor, for `ownCommitment`. */
export const byInvestor = (commitments: readonly FundCommitment[]): ReadonlyMap<string, FundCommitment[]> =>
  Map.groupBy(commitments, ({ fundId, investorLPId, investorFundId }) =>
    investorKey(fundId, investorLPId ?? investorFundId),
  );

/** The one commitment that a document of an investor belongs to. @throws Refusal badRequest with flags */
export function ownCommitment(
  { fund, investor, Class = null }: OfInvestor,
  commitments: ReturnType<typeof byInvestor>,
): FundCommitment {
  const own = (commitments.get(investorKey(fund, investor.id)) ?? []).filter(
    (one) => Class === null || one.Class === Class,
  );
  const [commitment] = own;
  if (!commitment) {
    return refuse('This investor has no commitment to the fund', { 'investor.id': reason('noCommitment') });
  }
  if (own.length > 1) {
    refuse('This investor has commitments to several classes. Name the class', { Class: reason('required') });
  }
  return commitment;
}

type PartOf = (body: OfInvestor & { cutOffDate: string }) => Omit<CommitmentPart, 'amounts'>;

/**
 * Reads what documents of single investors are made of, once for all of them. Their funds are locked. An investor whom
 * the actor cannot see counts in percentages.
 */
export async function readInvestorParts(
  session: Session,
  bodies: readonly OfInvestor[],
): Promise<{ fundOf: (body: OfInvestor) => Fund; partOf: PartOf }> {
  const funds = await lockedFunds(
    session,
    bodies.map(({ fund }) => fund),
  );
  const fundIds = [...funds.keys()];
  const visible = byInvestor(await commitmentsInForce(session, { fundIds }));
  const named = new Set(bodies.map(({ fund, investor }) => investorKey(fund, investor.id)));
  const counted = [...visible].flatMap(([key, own]) => (named.has(key) ? own.map(({ id }) => id) : []));
  const { all, ledgers } = await asProgram(session, async () => ({
    all: Map.groupBy(await commitmentsInForce(session, { fundIds }), ({ fundId }) => fundId),
    ledgers: await ledgersOf(session, counted),
  }));
  const wholes = new Map<string, DecimalText>();
  const wholeOf = (fund: string, Class: string | null, cutOffDate: string): DecimalText => {
    const key = JSON.stringify([fund, Class, cutOffDate]);
    const committed = (all.get(fund) ?? []).filter((one) => Class === null || one.Class === Class);
    const whole = wholes.get(key) ?? sum(committed.map((one) => activeCommitmentAt(one, cutOffDate)));
    wholes.set(key, whole);
    return whole;
  };
  return {
    fundOf: ({ fund, Class }) => fundInUse(funds.get(fund), Class),
    partOf: (body) => {
      const commitment = ownCommitment(body, visible);
      const weight = activeCommitmentAt(commitment, body.cutOffDate);
      if (isZero(weight)) {
        refuse(`The investor has no commitment on ${formatCalendarDate(body.cutOffDate)}`, {
          'investor.id': 'has no commitment on this day',
        });
      }
      const percentage = holdingPercentage(weight, wholeOf(body.fund, body.Class ?? null, body.cutOffDate));
      return { commitment, percentage, percentageOf: body.Class ?? null, ledger: ledgers.get(commitment.id)! };
    },
  };
}

/** The days of documents of single investors: those of one fund and number are of one day. */
export class SameDays {
  readonly #days = new Map<string, string>();

  /** @throws Refusal badRequest (flag on `cutOffDate`) if the others are of another day */
  require({
    fund,
    callNumber,
    cutOffDate,
  }: Pick<OfInvestor, 'fund'> & { callNumber: string; cutOffDate: string }): void {
    const key = JSON.stringify([fund, callNumber]);
    const first = this.#days.get(key) ?? cutOffDate;
    this.#days.set(key, first);
    if (first === cutOffDate) return;
    const day = formatCalendarDate(first);
    refuse(`The others with the number ${callNumber} are of ${day}`, {
      cutOffDate: `must be ${day}, as for the others with this number`,
    });
  }
}

/** The columns that a document copies from its commitment. */
export const copiedFrom = ({
  id,
  managerId,
  fundId,
  Class,
  currency,
  investorKind,
  investorLPId,
  investorFundId,
}: FundCommitment) => ({
  commitmentId: id,
  managerId,
  fundId,
  Class,
  currency,
  investorKind,
  investorLPId,
  investorFundId,
});
