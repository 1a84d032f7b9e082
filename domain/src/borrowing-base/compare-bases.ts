import { absolute, type DecimalText, subtract } from '../money/decimal.ts';
import type { BorrowingBaseResult } from './result.ts';
import { waterfallOf } from './waterfall.ts';

export interface ComparedFigure {
  label: string;
  unit: 'money' | 'percent';
  /** True for standalone totals, false for the deductions between them. */
  isLevel: boolean;
  /** Null if the figure is unknown in the earlier base (`before`) or the later one (`now`). */
  before: DecimalText | null;
  now: DecimalText | null;
  change: DecimalText | null;
}

/**
 * The figures of two borrowing bases of a note side by side. Deductions are positive. Figures in a currency other than
 * the pool's are left out because they cannot share a column.
 */
export function compareBases(earlier: BorrowingBaseResult, later: BorrowingBaseResult): ComparedFigure[] {
  const { currency } = later;
  if (earlier.currency !== currency) return [];
  const sumsOf = (result: BorrowingBaseResult) =>
    new Map(waterfallOf(result).map((bar) => [bar.step, bar.currency === currency ? bar.sum : null] as const));
  const [before, now] = [sumsOf(earlier), sumsOf(later)];
  const figure = (
    label: string,
    unit: ComparedFigure['unit'],
    isLevel: boolean,
    was: DecimalText | null,
    is: DecimalText | null,
  ): ComparedFigure => ({
    label,
    unit,
    isLevel,
    before: was,
    now: is,
    change: was === null || is === null ? null : subtract(is, was),
  });
  const sums = waterfallOf(later).flatMap(({ step, label, kind }) => {
    const read = (sum: DecimalText | null | undefined) =>
      sum == null || kind === 'level' ? (sum ?? null) : absolute(sum);
    const [was, is] = [read(before.get(step)), read(now.get(step))];
    return was === null && is === null ? [] : [figure(label, 'money', kind === 'level', was, is)];
  });
  const rate = (result: BorrowingBaseResult) => result.totals.weightedAdvanceRatePercent;
  return [...sums, figure('Weighted advance rate', 'percent', true, rate(earlier), rate(later))];
}
