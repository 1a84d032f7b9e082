import { add, type DecimalText, fromScaled, round, toScaled } from '../money/decimal.ts';
import { CROSS_RATE_DIGITS } from '../money/rates.ts';
import { PoolConverter, type PoolCurrency } from './conversion.ts';
import type { LoanFate } from './loan-fate.ts';
import type { VintagePeriod } from './vintage-period.ts';
import { vintageOf } from './vintage-period.ts';

/** Loans of one month of origination that were watched over the same months on book and ended alike. */
export interface LifeCell {
  /** Month of origination, 'YYYY-MM'. */
  readonly originated: string;
  /** The last month on book before the loans were watched: -1 where they were watched from the first. */
  readonly entry: number;
  /** The month on book of their fate, or the last they were seen at. */
  readonly exit: number;
  /** Null: open when last seen. */
  readonly fate: LoanFate | null;
  /** Null: the loans name no original sum. */
  readonly currency: string | null;
  readonly count: number;
  /** Original sums; null where no loan names one. */
  readonly original: DecimalText | null;
}

export interface VintagePoint {
  /** Months on book. */
  readonly month: number;
  /** Original balance, or number, of the loans watched over this month. */
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
  /** Original sums of its loans; null where none names one. */
  readonly original: DecimalText | null;
  readonly defaults: number;
  readonly prepayments: number;
  /** From the first month on book that any of its loans was watched over, without a gap; none where nothing was watched. */
  readonly points: readonly VintagePoint[];
}

export interface VintageCurves {
  readonly currency: string;
  readonly missingRates: readonly string[];
  readonly all: VintageCurve;
  /** The oldest first. */
  readonly vintages: readonly VintageCurve[];
}

/** Of the working figures; what is published has six. */
const WORKING_DIGITS = 18;
const ONE = 10n ** BigInt(WORKING_DIGITS);
const published = (share: bigint): DecimalText => round(fromScaled(share, WORKING_DIGITS), 6);

/**
 * Cumulative default and prepayment of each vintage against months on book. A month's rate is what ended in it over what was
 * watched through it (original balance, or number of loans); a month's share is the rate times what had not ended before
 * (the Aalen-Johansen estimate). So loans that are first seen late, or lost sight of, count for the months they were watched
 * in and for no others; where every loan is watched from its first month to the last, the shares are plain
 * ones of the vintage's original balance.
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
    const place = month - first;
    atRisk += (entering[place] ?? 0n) - (leaving[place] ?? 0n);
    // Nobody watched this month: what came after it cannot be told from here.
    if (atRisk <= 0n) break;
    const ended = (fate: LoanFate) => (open * (ending[fate][place] ?? 0n)) / atRisk;
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
