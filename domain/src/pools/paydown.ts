import { add, type DecimalText, subtract } from '../money/decimal.ts';
import { type CurrencySum, PoolConverter, type PoolCurrency } from './conversion.ts';
import type { LoanFate } from './loan-fate.ts';
import { fractionOf, monthlyRate, yearlyRate } from './speeds.ts';

/** The outcome of a loan by the next tape: still listed and open, one of the fates, or no longer listed. */
export type PaydownOutcome = LoanFate | 'open' | 'vanished';

/** The sums of loans with one outcome and currency. */
export interface PaydownCell {
  readonly outcome: PaydownOutcome;
  readonly currency: string;
  readonly count: number;
  /** Principal on the earlier tape. */
  readonly opening: DecimalText;
  /** Principal that fell due between the tapes, or was paid as agreed. */
  readonly scheduled: DecimalText;
  /** Principal paid ahead of the schedule. */
  readonly prepaid: DecimalText;
  /** Loans whose schedule is unknown (no rate, or neither instalment nor remaining term). */
  readonly withoutSchedule: number;
}

/** How fast a pool was prepaid and defaulted between two tapes. Rates are fractions of 1. */
export interface PoolSpeeds {
  readonly currency: string;
  readonly missingRates: readonly string[];
  readonly months: number;
  /** Loans followed: open, not in default and with principal on the earlier tape, and listed on the later. */
  readonly loans: number;
  readonly opening: DecimalText;
  readonly scheduled: DecimalText;
  readonly prepaid: DecimalText;
  readonly defaulted: DecimalText;
  readonly vanished: { readonly loans: number; readonly opening: DecimalText };
  readonly withoutSchedule: number;
  /** Monthly prepayment, prepaid / (opening - scheduled); null if nothing was left to prepay. */
  readonly smm: DecimalText | null;
  readonly cpr: DecimalText | null;
  /** CPR if every loan that left the tape was prepaid. */
  readonly cprWithVanished: DecimalText | null;
  /** Monthly default, defaulted / opening. */
  readonly mdr: DecimalText | null;
  readonly cdr: DecimalText | null;
}

/** CPR and CDR of the cells, in the pool's currency. */
export function poolSpeeds(cells: readonly PaydownCell[], months: number, pool: PoolCurrency): PoolSpeeds {
  const converter = new PoolConverter(pool);
  const total = (some: readonly PaydownCell[], read: (cell: PaydownCell) => DecimalText): DecimalText =>
    converter.total(some.map((cell): CurrencySum => ({ sum: read(cell), currency: cell.currency }))) ?? '0';
  const count = (some: readonly PaydownCell[], read: (cell: PaydownCell) => number) =>
    some.reduce((sum, cell) => sum + read(cell), 0);
  const followed = cells.filter(({ outcome }) => outcome !== 'vanished');
  const vanished = cells.filter(({ outcome }) => outcome === 'vanished');
  const defaults = cells.filter(({ outcome }) => outcome === 'default');
  const speedOf = (prepaid: DecimalText, some: readonly PaydownCell[]) => {
    const left = subtract(
      total(some, ({ opening }) => opening),
      total(some, ({ scheduled }) => scheduled),
    );
    const share = fractionOf(prepaid, left);
    return share === null ? null : monthlyRate(share, months);
  };
  const prepaid = total(followed, (cell) => cell.prepaid);
  const smm = speedOf(prepaid, followed);
  const leftWith = total(vanished, (cell) => subtract(cell.opening, cell.scheduled));
  const smmWithVanished = speedOf(add(prepaid, leftWith), cells);
  const opening = total(followed, (cell) => cell.opening);
  const defaulted = total(defaults, (cell) => cell.opening);
  const defaultShare = fractionOf(defaulted, opening);
  const mdr = defaultShare === null ? null : monthlyRate(defaultShare, months);
  return {
    currency: converter.currency,
    missingRates: converter.missingRates,
    months,
    loans: count(followed, (cell) => cell.count),
    opening,
    scheduled: total(followed, (cell) => cell.scheduled),
    prepaid,
    defaulted,
    vanished: { loans: count(vanished, (cell) => cell.count), opening: total(vanished, (cell) => cell.opening) },
    withoutSchedule: count(followed, (cell) => cell.withoutSchedule),
    smm,
    cpr: smm === null ? null : yearlyRate(smm),
    cprWithVanished: smmWithVanished === null ? null : yearlyRate(smmWithVanished),
    mdr,
    cdr: mdr === null ? null : yearlyRate(mdr),
  };
}
