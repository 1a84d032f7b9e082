import type { BorrowingBaseResult } from '../borrowing-base/result.ts';
import { type TrackedRule, trackedRules } from '../borrowing-base/tracked-rules.ts';
import { type BorrowingBaseStep, type WaterfallBar, waterfallOf } from '../borrowing-base/waterfall.ts';
import { type DecimalText, negate } from '../money/decimal.ts';

/** One line of a certificate that both sides state: the calculated figure, under a key that stays from month to month. */
export interface CertifiedLine {
  /** "netBB", or for a part of a step its step and title: "inEligible/FICO is at least 600". */
  readonly key: string;
  readonly label: string;
  /** A level, what is taken off (positive), a part of the line before that is no part, or a figure with its sign. */
  readonly kind: 'level' | 'deduction' | 'part' | 'signed';
  /** Null if it is unknown. */
  readonly amount: DecimalText | null;
  readonly currency: string;
}

/** The line that every certificate states. */
export const NET_BASE_LINE = 'netBB';

const STAGE_OF: Partial<Record<BorrowingBaseStep, TrackedRule['stage']>> = {
  inEligible: 'Eligibility',
  nonPerforming: 'Performance',
  offset: 'Offset',
  excess: 'Concentration',
};

const kindOf = ({ step, kind }: WaterfallBar): CertifiedLine['kind'] =>
  step === 'adjustments' ? 'signed' : kind === 'level' ? 'level' : 'deduction';

/**
 * The lines of a certificate, in the order of the waterfall: each step, and below it the rules or reserves that make it.
 * The page, the file that is sealed and the comparison with the borrower's own figures have these.
 */
export function certifiedLines(result: BorrowingBaseResult): CertifiedLine[] {
  const rules = trackedRules(result);
  const seen = new Map<string, number>();
  /** Two rules can have the same title: the second one gets a number. */
  const keyOf = (step: string, title: string): string => {
    const key = `${step}/${title}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key} (${count})`;
  };
  return waterfallOf(result).flatMap((bar): CertifiedLine[] => {
    const { step, label, currency } = bar;
    const kind = kindOf(bar);
    const amount = bar.sum !== null && kind === 'deduction' ? negate(bar.sum) : bar.sum;
    const part = (title: string, sum: DecimalText | null): CertifiedLine => ({
      key: keyOf(step, title),
      label: title,
      kind: 'part',
      amount: sum,
      currency,
    });
    const stage = STAGE_OF[step];
    return [
      { key: step, label, kind, amount, currency },
      ...(stage === undefined
        ? []
        : rules.filter((rule) => rule.stage === stage).map(({ title, first }) => part(title, first.amount.sum))),
      ...(step === 'reserves'
        ? (result.totals.reserves ?? []).map((reserve) => part(reserve.title, reserve.amount?.sum ?? null))
        : []),
    ];
  });
}
