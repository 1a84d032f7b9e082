import type { CalendarDate } from '../dates/calendar-date.ts';
import type { PricingGrid } from '../facilities/pricing.schema.ts';
import type { TransactionInterest } from '../facilities/terms.schema.ts';
import { add, compare, type DecimalText, decimalOf, min, multiply } from '../money/decimal.ts';

/** A base rate of a day, in percent. It applies from its own date until the next one. */
export interface Fixing {
  readonly date: CalendarDate;
  readonly rate: DecimalText;
}

/** Of a pricing grid: what its tier begins with, `base` below the first tier, and `unknown` where the highest rate applies for want of it. */
export type PricingTier = DecimalText | 'base' | 'unknown';

/** What bounded the rate of a segment. */
export type RateBound = 'minimumInterest' | 'range minimum' | 'range maximum';

type VariableInterest = Extract<TransactionInterest, { kind: 'variable' }>;

/**
 * The base rate within the range (its floor and cap), plus the spread, and at least the minimum interest. The range
 * bounds the base rate because the minimum already bounds the whole.
 */
export function boundedRate(
  interest: VariableInterest,
  baseRate: DecimalText,
): { rate: DecimalText; bound: RateBound | null } {
  let base = baseRate;
  let bound: RateBound | null = null;
  if (interest.numberRange) {
    const [least, most] = [decimalOf(interest.numberRange.min), decimalOf(interest.numberRange.max)];
    if (compare(base, least) < 0) [base, bound] = [least, 'range minimum'];
    if (compare(base, most) > 0) [base, bound] = [most, 'range maximum'];
  }
  const rate = add(base, decimalOf(interest.spread));
  const minimum = decimalOf(interest.minimumInterest);
  return compare(rate, minimum) < 0 ? { rate: minimum, bound: 'minimumInterest' } : { rate, bound };
}

interface AppliedRate {
  readonly baseRate: DecimalText | null;
  readonly fixingDate: CalendarDate | null;
  readonly spread: DecimalText | null;
  readonly rate: DecimalText;
  readonly bound: RateBound | null;
  readonly tier?: PricingTier;
  readonly tested?: DecimalText | null;
  readonly defaultMargin?: DecimalText;
  readonly inKind?: DecimalText;
}

/** What a pricing grid looks at on a day. */
interface PricingBasis {
  readonly balance: DecimalText;
  /** The commitments that the balance is drawn of; null if they are unknown. */
  readonly committed: DecimalText | null;
  /** Of a grid by a covenant: the result that counts, null if it is unknown, and `none` before the first one. */
  readonly tested: DecimalText | 'none' | null;
}

/** What the rate of days on which none of it changes depends on. */
export interface RatedDays extends PricingBasis {
  readonly interest: TransactionInterest;
  /** Whether an event of default lasts. */
  readonly isDefault: boolean;
  /** The latest one; null if there is none. */
  readonly fixing: Fixing | null;
}

interface Priced {
  readonly rate: number;
  readonly tier: PricingTier;
  readonly tested?: DecimalText | null;
}

/** The fixed rate or spread of a pricing grid on a day. Where utilization or the result of the covenant is unknown, the highest. */
function pricedBy({ test, tiers }: PricingGrid, base: number, { balance, committed, tested }: PricingBasis): Priced {
  const highest = () => ({ rate: Math.max(base, ...tiers.map(({ rate }) => rate)), tier: 'unknown' as const });
  const tierOf = (isReached: (from: DecimalText) => boolean): Priced => {
    const reached = tiers.findLast(({ from }) => isReached(decimalOf(from)));
    return reached ? { rate: reached.rate, tier: decimalOf(reached.from) } : { rate: base, tier: 'base' };
  };
  if (test) {
    if (tested === null) return { ...highest(), tested };
    if (tested === 'none') return { rate: base, tier: 'base', tested: null };
    return { ...tierOf((from) => compare(tested, from) >= 0), tested };
  }
  if (committed === null || compare(committed, '0') <= 0) return highest();
  const drawn = multiply(balance, '100');
  return tierOf((from) => compare(drawn, multiply(committed, from)) >= 0);
}

/** The rate of a day, before what a default adds; null if there is no fixing on or before it. */
function agreedRate(interest: TransactionInterest, fixing: Fixing | null, basis: PricingBasis): AppliedRate | null {
  const { pricingGrid: grid } = interest;
  const own = interest.kind === 'fix' ? interest.value : interest.spread;
  const { rate: priced, ...tier } = grid ? pricedBy(grid, own, basis) : { rate: own };
  if (interest.kind === 'fix') {
    return { baseRate: null, fixingDate: null, spread: null, rate: decimalOf(priced), bound: null, ...tier };
  }
  if (!fixing) return null;
  return {
    baseRate: fixing.rate,
    fixingDate: fixing.date,
    spread: decimalOf(priced),
    ...boundedRate({ ...interest, spread: priced }, fixing.rate),
    ...tier,
  };
}

/** The rate of days; null if there is no fixing on or before them. */
export function rateOf({ interest, fixing, isDefault, ...basis }: RatedDays): AppliedRate | null {
  const agreed = agreedRate(interest, fixing, basis);
  if (!agreed) return null;
  const defaultMargin = isDefault && interest.defaultMargin ? decimalOf(interest.defaultMargin) : null;
  // What a default adds is paid.
  const inKind = interest.paidInKind ? min(decimalOf(interest.paidInKind), agreed.rate) : '0';
  return {
    ...agreed,
    ...(defaultMargin ? { rate: add(agreed.rate, defaultMargin), defaultMargin } : {}),
    ...(compare(inKind, '0') > 0 ? { inKind } : {}),
  };
}
