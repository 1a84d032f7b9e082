import { type CalendarDate, daysBetween } from '../dates/calendar-date.ts';
import { type DecimalText, toNumber } from '../money/decimal.ts';

/** Money received (above zero) or paid (below zero) on a day. */
export interface DatedFlow {
  readonly when: CalendarDate;
  readonly amount: DecimalText;
}

/** The annual rate as a fraction (0.125 is 12.5%), or the reason why there is none. */
export type RateOfReturn =
  | { readonly rate: number; readonly reason?: never }
  | { readonly rate: null; readonly reason: string };

/** Why funds have no rate of return yet. */
export const NO_NAV = 'Not every investor has a net asset value';

const DAYS_PER_YEAR = 365;
const NEWTON_START = 0.1;
const NEWTON_ITERATIONS = 20;
const NEWTON_TOLERANCE = 1e-7;
const BRACKET_ITERATIONS = 50;
const TOLERANCE = 1e-10;
/** Rates of return between -99.9999% and 1,000,000% a year are searched. */
const LOWEST = Math.log(1e-6);
const HIGHEST = Math.log(1e4);
const SEARCH_STEPS = 2_000;

interface Flow {
  /** Years since the first flow. */
  years: number;
  amount: number;
}

/** Flows of one day are one flow. Amounts are scaled, so that tolerances do not depend on the currency. */
function prepare(flows: readonly DatedFlow[]): Flow[] {
  const byDay = new Map<CalendarDate, number>();
  for (const { when, amount } of flows) byDay.set(when, (byDay.get(when) ?? 0) + toNumber(amount));
  const days = [...byDay].filter(([, amount]) => amount !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const first = days[0]?.[0];
  if (first === undefined) return [];
  const largest = Math.max(...days.map(([, amount]) => Math.abs(amount)));
  return days.map(([when, amount]) => ({
    years: daysBetween(first, when) / DAYS_PER_YEAR,
    amount: amount / largest,
  }));
}

/** The present value at `log(1 + rate)`, and its derivative. The logarithm keeps steps above a rate of -100%. */
function presentValue(flows: readonly Flow[], growth: number): { value: number; slope: number } {
  let [value, slope] = [0, 0];
  for (const { years, amount } of flows) {
    const discounted = amount * Math.exp(-growth * years);
    value += discounted;
    slope -= years * discounted;
  }
  return { value, slope };
}

function newton(flows: readonly Flow[], start: number, iterations: number, tolerance: number): number | null {
  let rate = start;
  for (let step = 0; step < iterations; step += 1) {
    const { value, slope } = presentValue(flows, Math.log1p(rate));
    // d/dr = d/dg x 1 / (1 + r)
    const next = rate - (value * (1 + rate)) / slope;
    if (!Number.isFinite(next) || next <= -1) return null;
    if (Math.abs(next - rate) <= tolerance) return next;
    rate = next;
  }
  return null;
}

/** Finds the root of a bracket by bisection with secant steps (the Illinois method). */
function solveBracket(flows: readonly Flow[], from: number, to: number): number {
  let [low, high] = [from, to];
  let [atLow, atHigh] = [presentValue(flows, low).value, presentValue(flows, high).value];
  for (let step = 0; step < BRACKET_ITERATIONS && high - low > TOLERANCE; step += 1) {
    const secant = (low * atHigh - high * atLow) / (atHigh - atLow);
    const middle = step % 3 === 2 || !(secant > low && secant < high) ? (low + high) / 2 : secant;
    const { value } = presentValue(flows, middle);
    if (value === 0) return Math.expm1(middle);
    if (Math.sign(value) === Math.sign(atLow)) {
      [low, atLow] = [middle, value];
      atHigh /= 2;
    } else {
      [high, atHigh] = [middle, value];
      atLow /= 2;
    }
    // The halved values only steer the secant: their signs are right.
  }
  return Math.expm1((low + high) / 2);
}

/** A root found within a tolerance, improved to full precision; the root itself if it cannot be improved. */
const polish = (flows: readonly Flow[], root: number): number => newton(flows, root, NEWTON_ITERATIONS, 1e-14) ?? root;

const signChanges = (flows: readonly Flow[]): number =>
  flows.slice(1).filter(({ amount }, index) => Math.sign(amount) !== Math.sign(flows[index]?.amount ?? 0)).length;

/** Every root in the searched range, lowest first. Two roots closer than a step of the search can be missed. */
function searchRoots(flows: readonly Flow[]): number[] {
  const roots: number[] = [];
  const step = (HIGHEST - LOWEST) / SEARCH_STEPS;
  let before = presentValue(flows, LOWEST).value;
  for (let index = 1; index <= SEARCH_STEPS; index += 1) {
    const growth = LOWEST + index * step;
    const { value } = presentValue(flows, growth);
    if (Math.sign(value) !== Math.sign(before)) roots.push(polish(flows, solveBracket(flows, growth - step, growth)));
    before = value;
  }
  return roots;
}

const percent = (rate: number): string => `${(rate * 100).toFixed(2)}%`;

/**
 * The internal rate of return of dated flows: the annual rate r at which the sum of amount / (1 + r)^(days / 365), with
 * days from the first flow, is zero. It is null if there is none, or if several rates solve it: then none of them
 * describes the investment.
 */
export function internalRateOfReturn(dated: readonly DatedFlow[]): RateOfReturn {
  const flows = prepare(dated);
  if (!(flows.some(({ amount }) => amount > 0) && flows.some(({ amount }) => amount < 0))) {
    return { rate: null, reason: 'An internal rate of return needs at least one positive and one negative cash flow' };
  }
  if (signChanges(flows) === 1) {
    // Descartes' rule of signs: exactly one root.
    const near = newton(flows, NEWTON_START, NEWTON_ITERATIONS, NEWTON_TOLERANCE);
    if (near !== null) return { rate: polish(flows, near) };
  }
  const roots = searchRoots(flows);
  const [only] = roots;
  if (only !== undefined && roots.length === 1) return { rate: only };
  if (roots.length > 1) {
    return { rate: null, reason: `Several rates solve these cash flows: ${roots.map(percent).join(', ')}` };
  }
  return { rate: null, reason: 'No rate between -99.9999% and 1,000,000% a year solves these cash flows' };
}
