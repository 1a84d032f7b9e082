import type { Fraction } from './exact.ts';
import type { OffsetFile } from './result.ts';

/** A number of assets and their exact amount at AMOUNT_SCALE. */
export interface Tally {
  count: number;
  amount: bigint;
}

/** A value before rounding; null if there was nothing to average. Money and other numbers are in their own unit. */
export interface ValueOutcome {
  value: Fraction | null;
  count: number;
  unknown: Tally;
}

export interface GroupOutcome {
  key: string | null;
  /** Zero-based. */
  rank: number;
  count: number;
  measure: Fraction | null;
  /** Taken off the group by its rule. */
  removed: bigint;
  /** The fraction that each asset of the group keeps after a cut; null if nothing is cut. */
  kept: Fraction | null;
  breached: boolean;
}

/** The rounding residue of a cut, and the asset that received it. */
export interface Residue {
  /** Position in the tape. */
  asset: number;
  amount: bigint;
}

export interface ConcentrationOutcome {
  limit: Fraction;
  /** The measure of the top groups together or of the whole pool; null if each group is measured separately. */
  measure: Fraction | null;
  breached: boolean;
  /** How far the worst breach exceeds the limit; null if there is no breach. */
  distance: Fraction | null;
  /** The rule's own excess. Rules that overlap by `maximumPerAsset` can take the same amount off an asset. */
  removed: bigint;
  groupCount: number;
  breachedGroupCount: number;
  groups: GroupOutcome[];
  unknown: Tally;
  excepted: Tally;
  /** Members of the breaching groups, with their amounts before the rule. */
  cut: Tally;
  /**
   * What the pool loses to this rule. The rules' amounts add up to the total excess, and their counts to the number of
   * assets that any rule cuts. With `sequential`: all that the rule removes, and the assets that no earlier rule had
   * cut. With `maximumPerAsset`: the assets for which this rule has the greatest excess (the first one, if several are
   * equal).
   */
  counted: Tally;
  residues: Residue[];
}

export interface RuleOutcome {
  failed: Tally;
  first: Tally;
}

/** A group of an eligibility rule about whole groups whose assets all fail. */
export interface FailedGroup extends Tally {
  /** Null for the assets without the field. */
  key: string | null;
  /** The amount of the assets that do not satisfy the rule's filter. */
  failing: bigint;
}

export interface WholeGroupOutcome {
  groupCount: number;
  failedGroupCount: number;
  /** The largest of those that fail, ties by key; at most `LISTED_GROUPS`. */
  groups: FailedGroup[];
}

/** What an offset takes off a group. All amounts are exact. */
export interface OffsetGroup {
  /** Null for the assets without the field. */
  key: string | null;
  /** The eligible or performing assets of the group, with their amounts before the offset. */
  eligible: Tally;
  /** What the offset asks for, what it takes of it, and what the group has too little for. */
  owed: bigint;
  taken: bigint;
}

export interface OffsetOutcome {
  /** Groups with an amount to take. */
  groupCount: number;
  owed: bigint;
  /** The assets that are reduced, and by how much. */
  taken: Tally;
  /** Those with the largest amounts to take, ties by key; at most `LISTED_GROUPS`. */
  groups: OffsetGroup[];
  /** Of an offset from a file: the file, and its groups that have no asset in scope, with their amounts. */
  list?: { file: OffsetFile; withoutAssets: Tally };
}

/** One scope's assets at one rate. */
export interface RateCell extends Tally {
  remaining: bigint;
}

/** All exact figures of a borrowing base, before rounding. Lists are in the order of the prepared contract. */
export interface Outcome {
  assets: number;
  outOfScope: Tally;
  /** By scope, then by status in the order of BORROWING_BASE_STATUSES. */
  pools: Tally[][];
  scopeUnknown: Tally[];
  values: ValueOutcome[];
  /** Assets in scope without an outstanding sum. */
  withoutOutstanding: number;
  /** Assets of the tape with a sum below zero, counted as zero. */
  negativeOutstanding: number;
  eligibility: RuleOutcome[];
  /** By eligibility rule; null for those about single assets. */
  wholeGroups: (WholeGroupOutcome | null)[];
  performance: RuleOutcome[];
  /** Pools have what the offsets left, except that Relevant has the amounts before. */
  offsets: OffsetOutcome[];
  /** What the offsets take together: by scope, and the number of assets that any of them reduces. */
  offsetOf: bigint[];
  offsetCount: number;
  concentration: ConcentrationOutcome[];
  /** By scope, then by case. */
  rates: RateCell[][];
  /** Assets that are advanced against and do not match the case. */
  caseFailed: Tally[];
  missingRates: string[];
}
