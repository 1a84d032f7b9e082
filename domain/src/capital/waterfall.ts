import { Decimal } from 'decimal.js';
import { type CalendarDate, daysBetween } from '../dates/calendar-date.ts';
import { type DecimalText, fromScaled, isZero, round, toScaled } from '../money/decimal.ts';
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

type Paid = Record<'capital' | 'preferred' | 'catchUpGp' | 'catchUpLp' | 'splitLp' | 'splitGp', Decimal>;

const ZERO = new Exact(0);

/** Pays flows out in turn, from the first day on. */
function waterfallOf(terms: WaterfallTerms, digits: number, growthOf: Compounding) {
  const carry = new Exact(terms.ratePercent).div(100);
  const toManager = new Exact(terms.catchUpPercent).div(100);
  const paid: Paid = { capital: ZERO, preferred: ZERO, catchUpGp: ZERO, catchUpLp: ZERO, splitLp: ZERO, splitGp: ZERO };
  let [capital, preferred, distributed] = [ZERO, ZERO, ZERO];
  let last: CalendarDate | null = null;
  const steps: WaterfallStep[] = [];
  const text = (value: Decimal): DecimalText => round(value.toFixed(), digits);

  /** Pays a distribution to the tiers in their order. */
  const distribute = (flow: Decimal): void => {
    let left = flow;
    const pay = (most: Decimal): Decimal => {
      const part = Exact.min(left, Exact.max(most, ZERO));
      left = left.minus(part);
      return part;
    };
    const returned = pay(capital);
    capital = capital.minus(returned);
    paid.capital = paid.capital.plus(returned);
    const preferredPaid = pay(preferred);
    preferred = preferred.minus(preferredPaid);
    paid.preferred = paid.preferred.plus(preferredPaid);
    if (left.isZero()) return;
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
  };

  return {
    add({ when, amount }: DatedFlow): void {
      const days = last === null ? 0 : daysBetween(last, when);
      const accrued = days === 0 ? ZERO : capital.plus(preferred).times(growthOf(terms.hurdlePercent, days));
      preferred = preferred.plus(accrued);
      last = when;
      const before = { ...paid };
      const flow = new Exact(amount);
      if (flow.isNegative()) capital = capital.minus(flow);
      else {
        distributed = distributed.plus(flow);
        distribute(flow);
      }
      const since = (...tiers: (keyof Paid)[]): DecimalText =>
        text(tiers.reduce((total, tier) => total.plus(paid[tier]).minus(before[tier]), ZERO));
      steps.push({
        when,
        amount,
        days,
        accrued: text(accrued),
        capitalPaid: since('capital'),
        preferredPaid: since('preferred'),
        toManager: since('catchUpGp', 'splitGp'),
        toInvestor: since('catchUpLp', 'splitLp'),
        capital: text(capital),
        preferred: text(preferred),
      });
    },
    soFar: (): Waterfall => ({ tiers: publish(paid, distributed.toFixed(), digits), steps: [...steps] }),
  };
}

/**
 * A European waterfall over the whole life of a fund: return of capital; the preferred return on unreturned capital and
 * unpaid return, compounded at actual/365; catch-up to the manager until it has its rate of all profit paid; then the
 * rest at that rate.
 * @param flows contributions below zero, distributions above zero, in any order; of one day, contributions come first
 * @param digits of the currency's minor unit
 */
export function europeanWaterfall(flows: readonly DatedFlow[], terms: WaterfallTerms, digits: number): Waterfall {
  return waterfallWithLast(flows, null, terms, digits, compounding()).paid;
}

/**
 * The waterfall of flows, and that of the same flows with one more distribution after them.
 * @param last on the day of the latest flow, or later
 */
export function waterfallWithLast(
  flows: readonly DatedFlow[],
  last: DatedFlow | null,
  terms: WaterfallTerms,
  digits: number,
  growthOf: Compounding,
): { paid: Waterfall; accrued: Waterfall | null } {
  const waterfall = waterfallOf(terms, digits, growthOf);
  const order = [...flows].sort((a, b) =>
    a.when === b.when ? Number(b.amount.startsWith('-')) - Number(a.amount.startsWith('-')) : a.when < b.when ? -1 : 1,
  );
  for (const flow of order) waterfall.add(flow);
  const paid = waterfall.soFar();
  if (last === null) return { paid, accrued: null };
  waterfall.add(last);
  return { paid, accrued: waterfall.soFar() };
}

/** Rounds the manager's and the investors' parts so that they add up to what was distributed, and then the tiers of each. */
function publish(paid: Paid, distributed: DecimalText, digits: number): WaterfallTiers {
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
