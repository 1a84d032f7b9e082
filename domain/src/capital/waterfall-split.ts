import type { CalendarDate } from '../dates/calendar-date.ts';
import type { CommitmentFees } from '../funds/fees.schema.ts';
import { add, compare, type DecimalText, divide, isZero, multiply, round, subtract, sum } from '../money/decimal.ts';
import { splitByLargestRemainder } from '../money/shares.ts';
import type { DatedFlow } from '../returns/irr.ts';
import { type CapitalLedger, callAmount } from './capital-figures.ts';
import { carryReceived, successFlows, successTermsOf } from './investor-fees.ts';
import type { WaterfallTier, WaterfallTrace } from './line-basis.ts';
import { type Compounding, compounding, waterfallWithLast } from './waterfall.ts';

/** The tier that a line of a distribution is filled by: fees are the manager's part. */
export const WATERFALL_TIERS = {
  INTEREST: 'income',
  CG: 'gain',
  'INTEREST FEES': 'carry',
  'CG FEES': 'carry',
} as const satisfies Readonly<Record<string, WaterfallTier>>;

/** An investor's part of the proceeds, by what they consist of. */
export interface Proceeds {
  readonly principal: DecimalText;
  readonly profits: readonly { readonly amount: DecimalText; readonly tier: 'income' | 'gain' }[];
}

/** An investor's part by its waterfall. Principal and profits add up to its proceeds; the carry comes off them. */
export interface WaterfallSplit {
  readonly principal: DecimalText;
  /** In the order of the profits of the proceeds. */
  readonly profits: readonly DecimalText[];
  readonly carry: DecimalText;
  readonly trace: WaterfallTrace;
}

/** One investment of a fund, with what later closings moved of it: what the investor paid (below zero) and got back. */
export interface Investment {
  readonly title: string;
  readonly moved: readonly DatedFlow[];
}

/** What happened for one investment alone: what was called for it, and the distributions of its proceeds. */
export const ofInvestment = (ledger: CapitalLedger, title: string): CapitalLedger => ({
  ...ledger,
  calls: ledger.calls.flatMap((call) => {
    const purposes = call.purposes.filter((one) => one.kind === 'investments' && one.title === title);
    return purposes.length === 0 ? [] : [{ ...call, purposes }];
  }),
  distributions: ledger.distributions.filter(({ basis }) => basis?.[0]?.investment === title),
});

/** What an investor has paid for an investment up to a day, less what later closings returned of it. */
export const paidForInvestment = (ledger: CapitalLedger, { title, moved }: Investment, at: CalendarDate): DecimalText =>
  subtract(
    sum(
      ofInvestment(ledger, title)
        .calls.filter(({ dueDate }) => dueDate <= at)
        .map(callAmount),
    ),
    sum(moved.filter(({ when }) => when <= at).map(({ amount }) => amount)),
  );

/**
 * Splits an investor's part of proceeds by the European waterfall of its own terms, after all that it paid in and was
 * paid up to the day. Return of capital is principal; what is beyond it is income and gain, in proportion to what of the
 * proceeds is income and gain, or all of it of the first kind if none is. Income that does not enter the success fee
 * stays income, and the investor's.
 * @param at the day of the distribution
 * @param investment if the terms are American: only what was paid for it, and paid back of it, is in the waterfall
 * @returns null if no success fee is agreed: a rate of 0 says that there is none
 */
export function waterfallSplit(
  ledger: CapitalLedger,
  fees: CommitmentFees,
  at: CalendarDate,
  { principal, profits }: Proceeds,
  digits: number,
  growthOf: Compounding = compounding(),
  investment: Investment | null = null,
): WaterfallSplit | null {
  const agreed = successTermsOf(fees);
  if (agreed === null) return null;
  const { interestPercent, ...terms } = agreed;
  const inside = profits.map(({ amount, tier }) =>
    tier === 'gain' ? amount : divide(multiply(amount, interestPercent), '100', digits),
  );
  const entering = sum([principal, ...inside]);
  const proceeds = { when: at, amount: entering };
  const { flows: whole } = successFlows(ledger, at, interestPercent, digits);
  const flows = investment
    ? [
        ...successFlows(ofInvestment(ledger, investment.title), at, interestPercent, digits).flows,
        ...investment.moved.filter(({ when }) => when <= at),
      ]
    : whole;
  const { paid, accrued, last } = waterfallWithLast(flows, proceeds, terms, digits, growthOf);
  const ofFund = investment ? waterfallWithLast(whole, proceeds, terms, digits, growthOf).accrued : accrued;
  const step = accrued!.steps.at(-1)!;
  const before = paid.steps.at(-1);
  const { returnOfCapital, gp, lp, ...tiers } = last!;
  const profit = subtract(entering, returnOfCapital);
  const weights = inside.every(isZero) ? inside.map((_, index) => (index === 0 ? '1' : '0')) : inside;
  const parts = splitByLargestRemainder(profit, weights, digits);
  const money = (value: DecimalText) => round(value, digits);
  return {
    principal: returnOfCapital,
    profits: profits.map(({ amount }, index) => money(add(subtract(amount, inside[index]!), parts[index]!))),
    carry: gp,
    trace: {
      proceeds: money(entering),
      outside: money(sum(profits.map(({ amount }, index) => subtract(amount, inside[index]!)))),
      capital: before?.capital ?? money('0'),
      preferred: before?.preferred ?? money('0'),
      since: before?.when ?? null,
      days: step.days,
      accrued: step.accrued,
      ...terms,
      returnOfCapital,
      ...tiers,
      carryReceived: money(carryReceived(ledger, at)),
      carryDue: ofFund!.tiers.gp,
      ...(investment ? { investment: investment.title } : {}),
    },
  };
}

/** What the manager owes back with the carry of a distribution: beyond zero, more was received than is due. */
export const owedBack = ({ carryReceived, carryDue }: WaterfallTrace, carry: DecimalText): DecimalText => {
  const owed = subtract(add(carryReceived, carry), carryDue);
  return compare(owed, '0') > 0 ? owed : '0';
};
