import { Decimal } from 'decimal.js';
import { type CalendarDate, daysBetween } from '../dates/calendar-date.ts';
import { type DecimalText, fromScaled, isZero, round, sum, toScaled } from '../money/decimal.ts';
import { publishParts } from '../money/shares.ts';
import type { DatedFlow } from '../returns/irr.ts';

/** Rates of a European waterfall, in percent. */
export interface WaterfallTerms {
  /** The preferred return a year, compounded. */
  readonly hurdlePercent: DecimalText;
  /** The manager's part of the profit (carry). */
  readonly ratePercent: DecimalText;
  /** The manager's part of what is distributed until it has caught up. Zero: there is no catch-up. */
  readonly catchUpPercent: DecimalText;
}

/** What each tier of a waterfall paid. The tiers add up to what was distributed, and `lp` and `gp` as well. */
export interface WaterfallTiers {
  returnOfCapital: DecimalText;
  preferredReturn: DecimalText;
  /** The manager's part of the catch-up, and the investors' part. */
  catchUp: DecimalText;
  catchUpLp: DecimalText;
  splitLp: DecimalText;
  splitGp: DecimalText;
  lp: DecimalText;
  gp: DecimalText;
}

/** What one flow did: how much preferred return had accrued by its day, and which tiers it paid. */
export interface WaterfallStep {
  readonly when: CalendarDate;
  /** Below zero: paid in. */
  readonly amount: DecimalText;
  /** Days since the flow before it. */
  readonly days: number;
  /** The preferred return of these days, on unreturned capital and unpaid return. */
  readonly accrued: DecimalText;
  readonly capitalPaid: DecimalText;
  readonly preferredPaid: DecimalText;
  /** The manager's part and the investor's part of the catch-up and of the split after it. */
  readonly toManager: DecimalText;
  readonly toInvestor: DecimalText;
  /** Capital not returned, and preferred return not paid, after the flow. */
  readonly capital: DecimalText;
  readonly preferred: DecimalText;
}

export interface Waterfall {
  tiers: WaterfallTiers;
  /** Each figure is rounded by itself, for explanation only. */
  steps: WaterfallStep[];
}

// The preferred return compounds with a fractional power. 50 digits leave the cent of any amount exact.
const Exact = Decimal.clone({ precision: 50 });
/** Digits kept until the tiers are rounded together. */
const KEPT_DIGITS = 20;

/** The growth of a hurdle over a number of days; investors with the same days share the work. */
export type Compounding = (hurdlePercent: DecimalText, days: number) => Decimal;

export function compounding(): Compounding {
  const known = new Map<string, Decimal>();
  return (hurdlePercent, days) => {
    const key = `${hurdlePercent} ${days}`;
    let growth = known.get(key);
    if (!growth) {
      growth = new Exact(hurdlePercent).div(100).plus(1).pow(new Exact(days).div(365)).minus(1);
      known.set(key, growth);
    }
    return growth;
  };
}

/**
 * A European waterfall over the whole life of a fund: return of capital; the preferred return on unreturned capital and
 * unpaid return, compounded at actual/365; catch-up to the manager until it has its rate of all profit paid; then the
 * rest at that rate.
 * @param flows contributions below zero, distributions above zero, in any order; of one day, contributions come first
 * @param digits of the currency's minor unit
 */
export function europeanWaterfall(
  flows: readonly DatedFlow[],
  terms: WaterfallTerms,
  digits: number,
  growthOf: Compounding = compounding(),
): Waterfall {
  const carry = new Exact(terms.ratePercent).div(100);
  const toManager = new Exact(terms.catchUpPercent).div(100);
  const zero = new Exact(0);
  const paid = { capital: zero, preferred: zero, catchUpGp: zero, catchUpLp: zero, splitLp: zero, splitGp: zero };
  let [capital, preferred] = [zero, zero];
  let last: CalendarDate | null = null;
  const order = [...flows].sort((a, b) =>
    a.when === b.when ? Number(b.amount.startsWith('-')) - Number(a.amount.startsWith('-')) : a.when < b.when ? -1 : 1,
  );
  const steps: WaterfallStep[] = [];
  const text = (value: Decimal): DecimalText => round(value.toFixed(), digits);
  for (const { when, amount } of order) {
    const days = last === null ? 0 : daysBetween(last, when);
    const accrued = days === 0 ? zero : capital.plus(preferred).times(growthOf(terms.hurdlePercent, days));
    preferred = preferred.plus(accrued);
    last = when;
    const flow = new Exact(amount);
    if (flow.isNegative()) {
      capital = capital.minus(flow);
      steps.push({
        when,
        amount,
        days,
        accrued: text(accrued),
        capitalPaid: '0',
        preferredPaid: '0',
        toManager: '0',
        toInvestor: '0',
        capital: text(capital),
        preferred: text(preferred),
      });
      continue;
    }
    const before = { ...paid };
    let left = flow;
    const pay = (most: Decimal): Decimal => {
      const part = Exact.min(left, Exact.max(most, zero));
      left = left.minus(part);
      return part;
    };
    const returned = pay(capital);
    capital = capital.minus(returned);
    paid.capital = paid.capital.plus(returned);
    const preferredPaid = pay(preferred);
    preferred = preferred.minus(preferredPaid);
    paid.preferred = paid.preferred.plus(preferredPaid);
    if (toManager.gt(0)) {
      const gp = paid.catchUpGp.plus(paid.splitGp);
      const profit = paid.preferred.plus(paid.catchUpGp).plus(paid.catchUpLp).plus(paid.splitLp).plus(paid.splitGp);
      // The x that solves gp + toManager x = carry (profit + x). At or below the carry, the manager never catches up.
      const needed = toManager.gt(carry) ? carry.times(profit).minus(gp).div(toManager.minus(carry)) : left;
      const caught = pay(needed);
      paid.catchUpGp = paid.catchUpGp.plus(caught.times(toManager));
      paid.catchUpLp = paid.catchUpLp.plus(caught.times(new Exact(1).minus(toManager)));
    }
    paid.splitGp = paid.splitGp.plus(left.times(carry));
    paid.splitLp = paid.splitLp.plus(left.times(new Exact(1).minus(carry)));
    const since = (tiers: readonly (keyof typeof paid)[]): DecimalText =>
      text(tiers.reduce((total, tier) => total.plus(paid[tier]).minus(before[tier]), zero));
    steps.push({
      when,
      amount,
      days,
      accrued: text(accrued),
      capitalPaid: text(returned),
      preferredPaid: text(preferredPaid),
      toManager: since(['catchUpGp', 'splitGp']),
      toInvestor: since(['catchUpLp', 'splitLp']),
      capital: text(capital),
      preferred: text(preferred),
    });
  }
  const distributed = sum(flows.filter(({ amount }) => !amount.startsWith('-')).map(({ amount }) => amount));
  return { tiers: publish(paid, distributed, digits), steps };
}

/** Rounds the manager's and the investors' parts so that they add up to what was distributed, and then the tiers of each. */
function publish(
  paid: Record<'capital' | 'preferred' | 'catchUpGp' | 'catchUpLp' | 'splitLp' | 'splitGp', Decimal>,
  distributed: DecimalText,
  digits: number,
): WaterfallTiers {
  const exact = (value: Decimal): bigint => toScaled(value.toFixed(KEPT_DIGITS, Decimal.ROUND_DOWN), KEPT_DIGITS);
  const parts = (values: readonly Decimal[], total: bigint): bigint[] =>
    publishParts(values.map(exact), total, KEPT_DIGITS - digits);
  const gpExact = paid.catchUpGp.plus(paid.splitGp);
  const lpExact = paid.capital.plus(paid.preferred).plus(paid.catchUpLp).plus(paid.splitLp);
  const [lp = 0n, gp = 0n] = isZero(distributed) ? [] : parts([lpExact, gpExact], toScaled(distributed, digits));
  const [capital = 0n, preferred = 0n, catchUpLp = 0n, splitLp = 0n] = parts(
    [paid.capital, paid.preferred, paid.catchUpLp, paid.splitLp],
    lp,
  );
  const [catchUp = 0n, splitGp = 0n] = parts([paid.catchUpGp, paid.splitGp], gp);
  const text = (units: bigint) => fromScaled(units, digits);
  return {
    returnOfCapital: text(capital),
    preferredReturn: text(preferred),
    catchUp: text(catchUp),
    catchUpLp: text(catchUpLp),
    splitLp: text(splitLp),
    splitGp: text(splitGp),
    lp: text(lp),
    gp: text(gp),
  };
}
