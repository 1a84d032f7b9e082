import type { DecimalText } from '../../money/decimal.ts';
import type { BorrowingBaseResult } from '../result.ts';
import { ASSET_CAUSES, type AssetCause } from './causes.ts';
import type { ExplainedDifference } from './explain-difference.ts';

/** The assets behind a cause. */
export interface CauseAssets {
  readonly cause: AssetCause;
  /** Assets whose own value differs, and those that are advanced another amount because of it. */
  readonly count: number;
  /**
   * Those whose own value differs, which has no effect on an asset outside the pool. The others are advanced more or less
   * because the limits measure another pool.
   */
  readonly ownCount: number;
  /** Added up, at scale 12. It is the effect on the net borrowing base before that is rounded to the minor unit. */
  readonly effect: DecimalText;
}

/** Why one certificate differs from another, and how many assets are behind each cause. */
export interface BaseComparison {
  readonly difference: ExplainedDifference;
  readonly assets: readonly CauseAssets[];
}

/** The positions in the results of steps, from 0, of the step before a cause and of the cause. */
export const stepsOf = (cause: AssetCause): readonly [before: number, after: number] => {
  const after = ASSET_CAUSES.indexOf(cause) + 1;
  return [after - 1, after];
};

/** The title of an eligibility or performance rule by its key in the result of an asset: `eligible:0`. */
export function ruleTitles({ rulesTracking }: Pick<BorrowingBaseResult, 'rulesTracking'>): ReadonlyMap<string, string> {
  return new Map([
    ...rulesTracking.eligible.map(({ rule, title }) => [`eligible:${rule}`, title] as const),
    ...rulesTracking.performing.map(({ rule, title }) => [`performing:${rule}`, title] as const),
  ]);
}
