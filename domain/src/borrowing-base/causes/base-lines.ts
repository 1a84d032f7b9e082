import { compare, type DecimalText, isZero, negate, sum } from '../../money/decimal.ts';
import type { BorrowingBaseResult } from '../result.ts';
import { type BorrowingBaseStep, type WaterfallBar, waterfallOf } from '../waterfall.ts';

/** A line of a certificate. Deductions are below zero, so that the changes lead from each level to the next. */
export interface BaseLine {
  /** The step and the title: lines of two certificates with the same key are set side by side. */
  readonly key: string;
  readonly step: BorrowingBaseStep;
  readonly label: string;
  readonly kind: WaterfallBar['kind'];
  /** Null if it is unknown. */
  readonly sum: DecimalText | null;
}

type Part = readonly [title: string, sum: DecimalText | null];

/** The rules, offsets, limits and reserves that a deduction consists of; null for one that has no parts. */
function partsOf({ totals, rulesTracking }: BorrowingBaseResult, step: BorrowingBaseStep): Part[] | null {
  switch (step) {
    case 'inEligible':
      return rulesTracking.eligible.map(({ title, first }): Part => [title, first.amount.sum]);
    case 'nonPerforming':
      return rulesTracking.performing.map(({ title, first }): Part => [title, first.amount.sum]);
    case 'offset':
      return (totals.offsets ?? []).map(({ title, taken }): Part => [title, taken.sum]);
    case 'excess':
      return rulesTracking.concentration.map(({ title, first }): Part => [title, first.amount.sum]);
    case 'reserves':
      return (totals.reserves ?? []).map(({ title, amount }): Part => [title, amount?.sum ?? null]);
    default:
      return null;
  }
}

/**
 * The waterfall of a certificate with a line for each rule, offset, limit and reserve. Lines in another currency than the
 * pool's are left out, because nothing can be added to them.
 */
export function baseLines(result: BorrowingBaseResult): BaseLine[] {
  return waterfallOf(result)
    .filter((bar) => bar.currency === result.currency)
    .flatMap((bar): BaseLine[] => {
      const line = (key: string, label: string, amount: DecimalText | null): BaseLine => ({
        key,
        step: bar.step,
        label,
        kind: bar.kind,
        sum: amount,
      });
      const whole = line(bar.step, bar.label, bar.sum);
      const parts = partsOf(result, bar.step);
      if (parts === null || bar.sum === null) return [whole];
      const titles = Map.groupBy(parts, ([title]) => title);
      const lines = [...titles].map(([title, ofTitle]) =>
        line(`${bar.step} ${title}`, title, negate(sum(ofTitle.map(([, amount]) => amount ?? '0')))),
      );
      // A rest that no part accounts for, such as that of a result of an earlier version, keeps the line of the whole.
      const rest = sum([bar.sum, ...lines.map((one) => negate(one.sum ?? '0'))]);
      const shown = lines.filter((one) => one.sum !== null && !isZero(one.sum));
      return compare(rest, '0') === 0 ? shown : [...shown, line(bar.step, bar.label, rest)];
    });
}
