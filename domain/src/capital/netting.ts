import { type DecimalText, min, subtract, sum } from '../money/decimal.ts';

/** A call and a distribution of one day, as they settle: for one investor, or added up. */
export interface NetAmounts {
  /** With interest. */
  readonly called: DecimalText;
  readonly distributed: DecimalText;
  /** What counts as contributed and as distributed, and moves no cash. */
  readonly deemed: DecimalText;
  /** What the investor pays, and what it receives: one of them is zero for one investor. */
  readonly pays: DecimalText;
  readonly receives: DecimalText;
}

/** What an investor pays or receives of what it is called for and gets on one day. */
export function netOf(called: DecimalText, distributed: DecimalText): NetAmounts {
  const deemed = min(called, distributed);
  return { called, distributed, deemed, pays: subtract(called, deemed), receives: subtract(distributed, deemed) };
}

/** The same added up over investors: what some pay is never set off against what others receive. */
export const netTotals = (lines: readonly NetAmounts[]): NetAmounts => ({
  called: sum(lines.map(({ called }) => called)),
  distributed: sum(lines.map(({ distributed }) => distributed)),
  deemed: sum(lines.map(({ deemed }) => deemed)),
  pays: sum(lines.map(({ pays }) => pays)),
  receives: sum(lines.map(({ receives }) => receives)),
});
