import { add, type DecimalText, fromScaled, round, toScaled } from '../money/decimal.ts';
import { CROSS_RATE_DIGITS } from '../money/rates.ts';
import { PoolConverter, type PoolCurrency } from './conversion.ts';
import type { LoanFate } from './loan-fate.ts';
import type { VintagePeriod } from './vintage-period.ts';
import { vintageOf } from './vintage-period.ts';

/** Loans of one month of origination that were observed over the same months on book and ended alike. */
export interface LifeCell {
  /** Month of origination, 'YYYY-MM'. */
  readonly originated: string;
  /** The last month on book before the loans were observed: -1 if they were observed from the first. */
  readonly entry: number;
  /** The month on book of their fate, or of the last observation. */
  readonly exit: number;
  /** Null: open at the last observation. */
  readonly fate: LoanFate | null;
  /** Null: the loans have no original sum. */
  readonly currency: string | null;
  readonly count: number;
  /** Original sums; null if no loan has one. */
  readonly original: DecimalText | null;
}

export interface VintagePoint {
  /** Months on book. */
  readonly month: number;
  /** Original balance, or number, of the loans observed over this month. */
  readonly atRisk: DecimalText;
  /** Share of the vintage that had defaulted by the end of this month, to six digits of 1. */
  readonly defaulted: DecimalText;
  /** Share that had been prepaid by then. */
  readonly prepaid: DecimalText;
}

export interface VintageCurve {
  /** '2024-03', '2024-Q1', '2024', or 'all'. */
  readonly vintage: string;
  readonly loans: number;
  /** Original sums of its loans; null if none has one. */
  readonly original: DecimalText | null;
  readonly defaults: number;
  readonly prepayments: number;
  /** From the first month on book in which any of its loans was observed, without gaps; empty if none was observed. */
  readonly points: readonly VintagePoint[];
}

export interface VintageCurves {
  readonly currency: string;
  readonly missingRates: readonly string[];
  readonly all: VintageCurve;
  /** The oldest first. */
  readonly vintages: readonly VintageCurve[];
}

/** Decimal places of working figures; published figures have six. */
const WORKING_DIGITS = 18;
const ONE = 10n ** BigInt(WORKING_DIGITS);
const published = (share: bigint): DecimalText => round(fromScaled(share, WORKING_DIGITS), 6);

/**
 * Cumulative default and prepayment of each vintage by months on book. A month's rate is what ended in it over what was
 * observed through it (original balance, or number of loans); a month's share is the rate times the share that had not
 * ended before (the Aalen-Johansen estimate). So loans that are first observed late, or not observed to the end, count
 * only for the months in which they were observed. If every loan is observed from its first month to the last, the
 * shares are plain shares of the vintage's original balance.
 */
export function vintageCurves(
  cells: readonly LifeCell[],
  options: { readonly by: VintagePeriod; readonly measure: 'balance' | 'count' },
  pool: PoolCurrency,
): VintageCurves {
  const converter = new PoolConverter(pool);
  const weighed = cells.map((cell): WeighedCell => {
    const original =
      cell.original === null || cell.currency === null ? null : converter.convert(cell.original, cell.currency);
    const weight = options.measure === 'count' ? String(cell.count) : (original ?? '0');
    return { ...cell, original, weight: toScaled(round(weight, CROSS_RATE_DIGITS), CROSS_RATE_DIGITS) };
  });
  const groups = Map.groupBy(weighed, (cell) => vintageOf(cell.originated, options.by));
  return {
    currency: converter.currency,
    missingRates: converter.missingRates,
    all: curveOf('all', weighed),
    vintages: [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([vintage, own]) => curveOf(vintage, own)),
  };
}

type WeighedCell = LifeCell & { readonly weight: bigint };

function curveOf(vintage: string, cells: readonly WeighedCell[]): VintageCurve {
  const count = (some: readonly WeighedCell[]) => some.reduce((total, cell) => total + cell.count, 0);
  const originals = cells.flatMap(({ original }) => original ?? []);
  return {
    vintage,
    loans: count(cells),
    original: originals.length === 0 ? null : originals.reduce(add, '0'),
    defaults: count(cells.filter(({ fate }) => fate === 'default')),
    prepayments: count(cells.filter(({ fate }) => fate === 'prepaid')),
    points: pointsOf(cells.filter(({ entry, exit, weight }) => exit > entry && weight > 0n)),
  };
}

function pointsOf(watched: readonly WeighedCell[]): VintagePoint[] {
  if (watched.length === 0) return [];
  const first = Math.min(...watched.map(({ entry }) => entry + 1));
  const last = Math.max(...watched.map(({ exit }) => exit));
  const zeros = () => new Array<bigint>(last - first + 2).fill(0n);
  const [entering, leaving] = [zeros(), zeros()];
  const ending = { default: zeros(), prepaid: zeros(), repaid: zeros() };
  const raise = (sums: bigint[], month: number, weight: bigint) => {
    sums[month - first] = (sums[month - first] ?? 0n) + weight;
  };
  for (const { entry, exit, fate, weight } of watched) {
    raise(entering, entry + 1, weight);
    raise(leaving, exit + 1, weight);
    if (fate !== null) raise(ending[fate], exit, weight);
  }
  const points: VintagePoint[] = [];
  let [atRisk, open, defaulted, prepaid] = [0n, ONE, 0n, 0n];
  for (let month = first; month <= last; month += 1) {
    const index = month - first;
    atRisk += (entering[index] ?? 0n) - (leaving[index] ?? 0n);
    // No loan was observed in this month, so later months cannot be estimated.
    if (atRisk <= 0n) break;
    const ended = (fate: LoanFate) => (open * (ending[fate][index] ?? 0n)) / atRisk;
    const [byDefault, byPrepayment, asAgreed] = [ended('default'), ended('prepaid'), ended('repaid')];
    defaulted += byDefault;
    prepaid += byPrepayment;
    open -= byDefault + byPrepayment + asAgreed;
    points.push({
      month,
      atRisk: trimmed(fromScaled(atRisk, CROSS_RATE_DIGITS)),
      defaulted: published(defaulted),
      prepaid: published(prepaid),
    });
  }
  return points;
}

const trimmed = (decimal: DecimalText): DecimalText => decimal.replace(/\.?0+$/, '');
