import { add, compare, type DecimalText, multiply, round, subtract } from '../money/decimal.ts';
import { type CurrencySum, PoolConverter, type PoolCurrency } from './conversion.ts';
import type { DelinquencyBucket } from './delinquency.ts';
import type { PoolSpeeds } from './paydown.ts';
import { fractionOf } from './speeds.ts';

/** The figures of a tape that covenants can name, in per cent. */
export const POOL_FIGURES = [
  'delinquent30',
  'delinquent60',
  'delinquent90',
  'defaulted',
  'smm',
  'cpr',
  'mdr',
  'cdr',
  'yield',
  'excessSpread',
] as const;
export type PoolFigure = (typeof POOL_FIGURES)[number];

export const POOL_FIGURE_LABELS: Readonly<Record<PoolFigure, string>> = {
  delinquent30: 'Delinquent share 30+',
  delinquent60: 'Delinquent share 60+',
  delinquent90: 'Delinquent share 90+',
  defaulted: 'Default share',
  smm: 'SMM',
  cpr: 'CPR',
  mdr: 'MDR',
  cdr: 'CDR',
  yield: 'Pool yield',
  excessSpread: 'Excess spread',
};

/** What formulas of covenants call them. */
export const POOL_FIGURE_NAMES: readonly string[] = POOL_FIGURES.map((figure) => POOL_FIGURE_LABELS[figure]);

/** Null for what is unknown. */
export type PoolFigureValues = Readonly<Record<PoolFigure, DecimalText | null>>;

/** The sums of a tape's assets in one state and currency. A balance below zero counts as zero. */
export interface PoolSum {
  readonly bucket: DelinquencyBucket;
  readonly isDefault: boolean;
  readonly currency: string;
  readonly balance: DecimalText;
  /** The balance of those whose interest rate is known, and the sum of their balances times their rates in per cent. */
  readonly rated: DecimalText;
  readonly weighed: DecimalText;
}

const FIGURE_DIGITS = 8;
const percentOf = (fraction: DecimalText | null | undefined): DecimalText | null =>
  fraction === null || fraction === undefined ? null : round(multiply(fraction, '100'), FIGURE_DIGITS);

/** The buckets from so many days past due on. */
const LATE: Readonly<Record<'delinquent30' | 'delinquent60' | 'delinquent90', readonly DelinquencyBucket[]>> = {
  delinquent30: ['30-59', '60-89', '90-119', '120+'],
  delinquent60: ['60-89', '90-119', '120+'],
  delinquent90: ['90-119', '120+'],
};

type Speeds = Pick<PoolSpeeds, 'missingRates' | 'smm' | 'cpr' | 'mdr' | 'cdr'>;

/**
 * The figures of a pool. What depends on anything unknown is unknown: days past due or the rate of an asset with a balance,
 * an exchange rate, an earlier tape.
 * @param speeds from the tape of the month before; null without one
 * @param noteRate what the note bears on the cut-off date, in per cent a year; null without a balance
 */
export function poolFigures(
  { sums, speeds, noteRate }: { sums: readonly PoolSum[]; speeds: Speeds | null; noteRate: DecimalText | null },
  pool: PoolCurrency,
): PoolFigureValues {
  const converter = new PoolConverter(pool);
  const total = (some: readonly PoolSum[], read: (sum: PoolSum) => DecimalText): DecimalText =>
    converter.total(some.map((sum): CurrencySum => ({ sum: read(sum), currency: sum.currency }))) ?? '0';
  const balanceOf = (isOf: (sum: PoolSum) => boolean) => total(sums.filter(isOf), ({ balance }) => balance);
  const share = (part: DecimalText, whole: DecimalText) => percentOf(fractionOf(part, whole));

  const isOpen = ({ bucket }: PoolSum) => bucket !== 'paidOff' && bucket !== 'chargedOff';
  const open = balanceOf(isOpen);
  const isLateKnown =
    compare(
      balanceOf(({ bucket }) => bucket === 'unknown'),
      '0',
    ) === 0;
  const late = (days: keyof typeof LATE) =>
    isLateKnown
      ? share(
          balanceOf(({ bucket }) => LATE[days].includes(bucket)),
          open,
        )
      : null;

  const isEarning = (sum: PoolSum) => isOpen(sum) && !sum.isDefault;
  const earning = sums.filter(isEarning);
  const rated = total(earning, (sum) => sum.rated);
  const isRated = compare(rated, balanceOf(isEarning)) === 0;
  const averageRate = fractionOf(
    total(earning, ({ weighed }) => weighed),
    rated,
  );
  const poolYield = isRated && averageRate !== null ? round(averageRate, FIGURE_DIGITS) : null;
  const cdr = percentOf(speeds?.cdr);
  const figures: PoolFigureValues = {
    delinquent30: late('delinquent30'),
    delinquent60: late('delinquent60'),
    delinquent90: late('delinquent90'),
    defaulted: share(
      balanceOf(({ isDefault }) => isDefault),
      balanceOf(({ bucket }) => bucket !== 'paidOff'),
    ),
    smm: percentOf(speeds?.smm),
    cpr: percentOf(speeds?.cpr),
    mdr: percentOf(speeds?.mdr),
    cdr,
    yield: poolYield,
    excessSpread:
      poolYield === null || noteRate === null || cdr === null
        ? null
        : round(subtract(poolYield, add(noteRate, cdr)), FIGURE_DIGITS),
  };
  // Amounts without an exchange rate would count as if they were in the currency of the pool.
  const lacksRates = [...converter.missingRates, ...(speeds?.missingRates ?? [])].length > 0;
  return lacksRates ? UNKNOWN_FIGURES : figures;
}

export const UNKNOWN_FIGURES = Object.fromEntries(POOL_FIGURES.map((figure) => [figure, null])) as PoolFigureValues;
