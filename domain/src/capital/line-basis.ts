import { formatCalendarDate } from '../dates/calendar-date.ts';
import { valuesOf } from '../documents/labels.ts';
import {
  compare,
  type DecimalText,
  divide,
  isNegative,
  isZero,
  multiply,
  negate,
  subtract,
  sum,
} from '../money/decimal.ts';
import { formatFigure } from '../money/format-figure.ts';
import { minorUnitDigits } from '../money/minor-units.ts';

/** By what a line of a call or distribution is divided over the investors. */
export const SPLIT_LABELS = {
  commitment: 'By commitment',
  terms: 'By each investor’s terms',
  paidIn: 'By paid-in capital',
  waterfall: 'By the waterfall',
  entered: 'As entered',
} as const;

export const SPLIT_RULES = valuesOf(SPLIT_LABELS);
export type SplitRule = (typeof SPLIT_RULES)[number];
/** By what a purpose of a call is divided: only proceeds have a waterfall. */
export const PURPOSE_SPLITS = ['commitment', 'terms', 'paidIn', 'entered'] as const satisfies readonly SplitRule[];

/** Which part of a waterfall a line is filled by. */
export type WaterfallTier = 'principal' | 'income' | 'gain' | 'carry';

/** How the waterfall of an investor came to its part: what was owed before, and what each tier got of the proceeds. */
export interface WaterfallTrace {
  /** What entered the waterfall, and income that did not. */
  readonly proceeds: DecimalText;
  readonly outside: DecimalText;
  /** Capital not returned, and preferred return not paid, after the flow before. */
  readonly capital: DecimalText;
  readonly preferred: DecimalText;
  /** The day of the flow before; null if there was none. */
  readonly since: string | null;
  /** The preferred return of the days since. */
  readonly days: number;
  readonly accrued: DecimalText;
  readonly hurdlePercent: DecimalText;
  readonly ratePercent: DecimalText;
  readonly catchUpPercent: DecimalText;
  readonly returnOfCapital: DecimalText;
  readonly preferredReturn: DecimalText;
  readonly catchUp: DecimalText;
  readonly catchUpLp: DecimalText;
  readonly splitLp: DecimalText;
  readonly splitGp: DecimalText;
  /** Carry that the manager received before, and what is due to it on the whole fund with this distribution. */
  readonly carryReceived: DecimalText;
  readonly carryDue: DecimalText;
  /** The investment whose waterfall it is; absent for that of the whole fund. */
  readonly investment?: string | undefined;
}

/** What a person set for one line of one investor, in place of what the rule comes to. */
export type OwnPart =
  | { readonly amount: DecimalText }
  | { readonly excused: true }
  | { readonly ratePercent: DecimalText };

/** Where one amount of an investor comes from. Amounts are in the currency of the fund. */
export interface LineBasis {
  readonly rule: SplitRule;
  /** What a person set in place of the rule. */
  readonly set?: 'amount' | 'excused' | undefined;
  /** What was divided: of a tax, the investor's own income. */
  readonly of?: DecimalText | undefined;
  /** The investor's commitment or paid-in capital, and that of all who share. */
  readonly weight?: DecimalText | undefined;
  readonly whole?: DecimalText | undefined;
  /** The part of it that others are excused from. */
  readonly spread?: DecimalText | undefined;
  /** What it was excused from. */
  readonly excused?: DecimalText | undefined;
  readonly ratePercent?: DecimalText | undefined;
  /** The days of a fee by terms, both included. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** Of a line by the waterfall: the same for all lines of an investor. */
  readonly tier?: WaterfallTier | undefined;
  /** The investment that the proceeds are of, if the distribution names one. */
  readonly investment?: string | undefined;
  readonly waterfall?: WaterfallTrace | undefined;
}

/** The tiers that one line of a waterfall is filled by, in words. */
function waterfallText(tier: WaterfallTier, trace: WaterfallTrace, digits: number): string {
  const money = (value: DecimalText) => formatFigure(value, digits);
  const { proceeds, outside, capital, preferred, since, days, accrued } = trace;
  const { hurdlePercent, ratePercent, catchUpPercent, investment } = trace;
  const whole = investment === undefined ? '' : ` of ${investment}`;
  if (tier === 'principal') {
    return `Return of capital: ${money(proceeds)} of proceeds, of which at most the ${money(capital)}${whole} not returned`;
  }
  if (tier === 'carry') {
    const [catchUp, carry] = [money(trace.catchUp), money(trace.splitGp)];
    return `Catch-up of ${catchUp} (${catchUpPercent} % until the manager has ${ratePercent} % of the profit) and carry of ${carry} (${ratePercent} % of ${money(sum([trace.splitGp, trace.splitLp]))})`;
  }
  const from = since === null ? '' : ` from ${formatCalendarDate(since)}`;
  const due = `${money(preferred)} unpaid and ${money(accrued)} for ${days} days${from} at ${hurdlePercent} % on ${money(sum([capital, preferred]))}`;
  const rest = sum([trace.catchUp, trace.catchUpLp, trace.splitGp, trace.splitLp]);
  const apart = isZero(outside) ? '' : `, and ${money(outside)} of income outside the success fee`;
  return `Its part of ${money(sum([trace.preferredReturn, rest]))} of profit: preferred return of ${money(trace.preferredReturn)} (${due}), ${money(rest)} beyond it${apart}`;
}

/**
 * Where an amount comes from, in words that can be followed with a calculator: "400,000.00 × 5,000,000.00 ÷
 * 30,000,000.00, rounded up by the cents that were left".
 */
export function basisText(basis: LineBasis, amount: DecimalText, currency: string): string {
  const digits = minorUnitDigits(currency);
  const money = (value: DecimalText) => formatFigure(value, digits);
  const { rule, set, of, weight, whole, spread, excused, ratePercent, from, until } = basis;
  if (set === 'excused') return excused === undefined ? 'Excused' : `Excused from ${money(excused)}`;
  if (set === 'amount' || rule === 'entered') return 'As entered';
  if (basis.waterfall && basis.tier) return waterfallText(basis.tier, basis.waterfall, digits);
  if (ratePercent !== undefined && of !== undefined) return `${ratePercent} % of ${money(of)}`;
  if (from !== undefined && until !== undefined) {
    return `Own terms, ${formatCalendarDate(from)} to ${formatCalendarDate(until)}`;
  }
  if (of === undefined || weight === undefined || whole === undefined || isZero(whole)) return SPLIT_LABELS[rule];
  const share = `${money(of)} × ${money(weight)} ÷ ${money(whole)}`;
  const rest = subtract(subtract(amount, spread ?? '0'), divide(multiply(of, weight), whole, digits, 'down'));
  const rounding = isZero(rest) ? '' : isNegative(rest) ? `, less ${money(negate(rest))} of rounding` : ', rounded up';
  return `${share}${rounding}${spread === undefined ? '' : `, plus ${money(spread)} that others are excused from`}`;
}

/** Where the amounts of a line come from after a person changed some of them. */
export const changedBasis = (
  basis: readonly LineBasis[],
  before: readonly DecimalText[],
  after: readonly DecimalText[],
): LineBasis[] =>
  after.map((amount, index) => {
    const own = basis[index];
    const isSame = before.length === after.length && own !== undefined && compare(amount, before[index]!) === 0;
    return isSame ? own : { rule: own?.rule ?? 'entered', set: 'amount' };
  });
