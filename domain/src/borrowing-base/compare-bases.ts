import { absolute, type DecimalText, subtract } from '../money/decimal.ts';
import type { BorrowingBaseResult } from './result.ts';
import { BORROWING_BASE_STEPS, type BorrowingBaseStep, waterfallOf } from './waterfall.ts';

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
 * The figures of two borrowing bases of a note side by side. Deductions are positive; adjustments have their sign. Figures in a currency other than
 * the pool's are left out because they cannot share a column.
 */
export function compareBases(earlier: BorrowingBaseResult, later: BorrowingBaseResult): ComparedFigure[] {
  const { currency } = later;
  if (earlier.currency !== currency) return [];
  const barsOf = (result: BorrowingBaseResult) => new Map(waterfallOf(result).map((bar) => [bar.step, bar] as const));
  const [before, now] = [barsOf(earlier), barsOf(later)];
  /** A base without reserves and adjustments has an available base nevertheless: the net borrowing base. */
  const read = (bars: typeof now, step: BorrowingBaseStep): DecimalText | null => {
    const bar = bars.get(step) ?? (step === 'availableBase' ? bars.get('netBB') : undefined);
    if (!bar) return step === 'reserves' || step === 'adjustments' ? '0' : null;
    if (bar.currency !== currency || bar.sum === null) return null;
    return bar.kind === 'level' || step === 'adjustments' ? bar.sum : absolute(bar.sum);
  };
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
  const sums = BORROWING_BASE_STEPS.flatMap((step) => {
    const bar = now.get(step) ?? before.get(step);
    if (!bar) return [];
    const [was, is] = [read(before, step), read(now, step)];
    return was === null && is === null ? [] : [figure(bar.label, 'money', bar.kind === 'level', was, is)];
  });
  const rate = (result: BorrowingBaseResult) => result.totals.weightedAdvanceRatePercent;
  return [...sums, figure('Weighted advance rate', 'percent', true, rate(earlier), rate(later))];
}
