import { add, type DecimalText } from '../money/decimal.ts';
import { shareOf } from '../money/shares.ts';
import type { BorrowingBaseResult, CountAndAmount } from './result.ts';
import { type AssetResultFilter, assetsFailing, assetsFirstExcludedBy } from './waterfall.ts';

export type TrackedStage = 'Eligibility' | 'Performance' | 'Offset' | 'Concentration';

/**
 * One line of the rules table: what the rule is the first to exclude, so that the lines add up to the pool's total
 * loss.
 */
export interface TrackedRule {
  key: string;
  stage: TrackedStage;
  title: string;
  failed: CountAndAmount;
  first: CountAndAmount;
  /** Percentage of the relevant pool. Null for an empty pool. */
  sharePercent: DecimalText | null;
  filter: AssetResultFilter;
}

/** Every rule of a result, in the order in which the rules were applied. */
export function trackedRules({ rulesTracking, totals }: BorrowingBaseResult): TrackedRule[] {
  const pool = totals.pools.relevant.amount.sum;
  const row = (stage: TrackedStage, key: 'eligible' | 'performing' | 'concentration') =>
    rulesTracking[key].map((tracked): TrackedRule => {
      const { rule, title, failed, first } = tracked;
      return {
        key: `${key}:${rule}`,
        stage,
        title,
        failed,
        first,
        sharePercent: shareOf(first.amount.sum, pool),
        filter: key === 'concentration' ? assetsFailing(key, rule) : assetsFirstExcludedBy(key, rule),
      };
    });
  const offsets = (totals.offsets ?? []).map(({ rule, title, count, taken }): TrackedRule => {
    const reduced = { count, amount: taken };
    const sharePercent = shareOf(taken.sum, pool);
    const filter = assetsFailing('offset', rule);
    return { key: `offset:${rule}`, stage: 'Offset', title, failed: reduced, first: reduced, sharePercent, filter };
  });
  return [
    ...row('Eligibility', 'eligible'),
    ...row('Performance', 'performing'),
    ...offsets,
    ...row('Concentration', 'concentration'),
  ];
}

/** What all rules together excluded from the relevant pool. */
export function excludedInAll(rules: readonly TrackedRule[], relevant: DecimalText) {
  const amount = rules.reduce((total, rule) => add(total, rule.first.amount.sum), '0');
  return { amount, sharePercent: shareOf(amount, relevant) };
}
