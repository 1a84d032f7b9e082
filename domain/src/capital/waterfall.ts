import { Decimal } from 'decimal.js';
import { type CalendarDate, daysBetween } from '../dates/calendar-date.ts';
import {
  add,
  type DecimalText,
  divide,
  fromScaled,
  isZero,
  max,
  min,
  multiply,
  round,
  subtract,
  sum,
  toScaled,
} from '../money/decimal.ts';
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

/** One investment of a fund: what was paid in for it and out of it, and what of it was realised as a loss. */
export interface Deal {
  readonly id: string;
  /** Contributions below zero, distributions above zero. */
  readonly flows: readonly DatedFlow[];
  /** Capital that will not come back, above zero. */
  readonly losses: readonly DatedFlow[];
}

/** Realised losses that other investments have not made whole yet. */
interface Losses {
  open: Decimal;
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

const TIERS = ['capital', 'preferred', 'catchUpGp', 'catchUpLp', 'splitLp', 'splitGp'] as const;
type Paid = Record<(typeof TIERS)[number], Decimal>;

const ZERO = new Exact(0);

/** Pays flows out in turn, from the first day on. @param losses of other investments, which come before any profit */
function waterfallOf(terms: WaterfallTerms, digits: number, growthOf: Compounding, losses: Losses = { open: ZERO }) {
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
    const madeWhole = pay(losses.open);
    losses.open = losses.open.minus(madeWhole);
    paid.capital = paid.capital.plus(returned).plus(madeWhole);
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

  /** The preferred return of the days up to a flow. */
  const accrueUntil = (when: CalendarDate): { days: number; accrued: Decimal } => {
    const days = last === null ? 0 : daysBetween(last, when);
    const accrued = days === 0 ? ZERO : capital.plus(preferred).times(growthOf(terms.hurdlePercent, days));
    preferred = preferred.plus(accrued);
    last = when;
    return { days, accrued };
  };

  return {
    /** @returns the tiers that the flow paid, which add up to it */
    add({ when, amount }: DatedFlow): WaterfallTiers {
      const { days, accrued } = accrueUntil(when);
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
      const own = Object.fromEntries(TIERS.map((tier) => [tier, paid[tier].minus(before[tier])])) as Paid;
      return publish(own, flow.isNegative() ? '0' : amount, digits);
    },
    /** Capital that will not come back moves to the losses, and accrues nothing from then on. */
    lose({ when, amount }: DatedFlow): void {
      accrueUntil(when);
      const lost = Exact.min(capital, amount);
      capital = capital.minus(lost);
      losses.open = losses.open.plus(lost);
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
): { paid: Waterfall; accrued: Waterfall | null; last: WaterfallTiers | null } {
  const waterfall = waterfallOf(terms, digits, growthOf);
  const order = [...flows].sort((a, b) =>
    a.when === b.when ? Number(b.amount.startsWith('-')) - Number(a.amount.startsWith('-')) : a.when < b.when ? -1 : 1,
  );
  for (const flow of order) waterfall.add(flow);
  const paid = waterfall.soFar();
  if (last === null) return { paid, accrued: null, last: null };
  const ofLast = waterfall.add(last);
  return { paid, accrued: waterfall.soFar(), last: ofLast };
}

/**
 * An American waterfall: each investment pays its own capital and preferred return back, then catch-up and carry. With
 * `makesLossesWhole`, what was lost on investments that are realised comes before the preferred return of the others.
 * Of one day, contributions come first, then losses, then distributions in the order of the investments.
 * @returns the tiers of each investment, in their order
 */
export function americanWaterfall(
  deals: readonly Deal[],
  terms: WaterfallTerms,
  digits: number,
  { makesLossesWhole }: { makesLossesWhole: boolean },
): WaterfallTiers[] {
  const growthOf = compounding();
  const shared: Losses = { open: ZERO };
  const waterfalls = deals.map(() => waterfallOf(terms, digits, growthOf, makesLossesWhole ? shared : { open: ZERO }));
  const events = deals.flatMap(({ flows, losses }, place) => {
    const waterfall = waterfalls[place]!;
    return [
      ...flows.map((flow) => ({
        when: flow.when,
        rank: flow.amount.startsWith('-') ? 0 : 2,
        happen: () => {
          waterfall.add(flow);
        },
      })),
      ...losses.map((loss) => ({ when: loss.when, rank: 1, happen: () => waterfall.lose(loss) })),
    ];
  });
  events.sort((a, b) => (a.when === b.when ? a.rank - b.rank : a.when < b.when ? -1 : 1));
  for (const { happen } of events) happen();
  return waterfalls.map((waterfall) => waterfall.soFar().tiers);
}

/** The carry that a manager has received, what is due to it on the whole fund, and what it owes back of it. */
export interface Clawback {
  readonly received: DecimalText;
  readonly due: DecimalText;
  readonly owed: DecimalText;
}

/**
 * What a manager owes back: carry received less the carry due on the whole fund, net of nothing else. Once a fund is
 * wound up, capital that was not returned is lost: then no more is due than its rate of all profit, and no more than is
 * left of it after the preferred return.
 * @param flows all of the fund up to the day, distributions with the carry that was paid out of them
 */
export function clawbackOf(
  received: DecimalText,
  flows: readonly DatedFlow[],
  terms: WaterfallTerms,
  digits: number,
  { isWoundUp }: { isWoundUp: boolean },
): Clawback {
  const { tiers, steps } = europeanWaterfall(flows, terms, digits);
  const profit = sum(flows.map(({ amount }) => amount));
  const ofProfit = divide(multiply(profit, terms.ratePercent), '100', digits, 'down');
  const afterPreferred = subtract(profit, add(tiers.preferredReturn, steps.at(-1)?.preferred ?? '0'));
  const due = isWoundUp ? max('0', [ofProfit, afterPreferred].reduce(min, tiers.gp)) : tiers.gp;
  const money = (value: DecimalText) => round(value, digits);
  return { received: money(received), due: money(due), owed: money(max('0', subtract(received, due))) };
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
