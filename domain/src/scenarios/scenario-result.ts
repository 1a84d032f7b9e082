import type { BorrowingBaseResult } from '../borrowing-base/result.ts';
import type { DecimalText } from '../money/decimal.ts';

/** How many assets have one status under the certificate and another under a scenario. */
export interface StatusChange {
  /** Names of `STATUS_IN_BASE_LABELS`. */
  readonly from: string;
  readonly to: string;
  readonly assets: number;
}

/** What a scenario gives. It is never a borrowing base: it has no id, and nothing is drawn against it. */
export interface ScenarioResult {
  readonly result: BorrowingBaseResult;
  readonly assets: {
    /** Assets of another amount, status, rule or rate, and those that are advanced another amount through limits. */
    readonly count: number;
    /** Those with another amount, status, rule or rate. */
    readonly ownCount: number;
    /** On what is advanced, added up at scale 12. */
    readonly effect: DecimalText;
    readonly statusChanges: readonly StatusChange[];
  };
  /** The obligors that default, by the position of the change. */
  readonly defaulted: readonly { readonly change: number; readonly keys: readonly string[] }[];
}
