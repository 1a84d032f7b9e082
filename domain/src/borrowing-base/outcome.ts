import type { Fraction } from './exact.ts';

/** A number of assets and their exact amount at AMOUNT_SCALE. */
export interface Tally {
  count: number;
  amount: bigint;
}

/** A value before rounding; null where nothing was there to average. Money and numbers alike, in their own unit. */
export interface ValueOutcome {
  value: Fraction | null;
  count: number;
  unknown: Tally;
}

export interface GroupOutcome {
  key: string | null;
  /** From 0. */
  rank: number;
  count: number;
  measure: Fraction | null;
  removed: bigint;
  breached: boolean;
}

export interface ConcentrationOutcome {
  limit: Fraction;
  /** The top groups together or the whole; null where each group is measured by itself. */
  measure: Fraction | null;
  breached: boolean;
  /** Worst distance beyond the limit; null where nothing is breached. */
  distance: Fraction | null;
  removed: bigint;
  groupCount: number;
  breachedGroupCount: number;
  groups: GroupOutcome[];
  unknown: Tally;
  excepted: Tally;
  /** Members of the breaching groups, with what they had left before the rule. */
  cut: Tally;
  /** Assets that no earlier rule had cut. */
  firstCutCount: number;
}

export interface RuleOutcome {
  failed: Tally;
  first: Tally;
}

/** One scope's assets at one rate. */
export interface RateCell extends Tally {
  remaining: bigint;
}

/** Every exact figure of a borrowing base, before anything is rounded. Lists are in the order of the prepared contract. */
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
  performance: RuleOutcome[];
  concentration: ConcentrationOutcome[];
  /** By scope, then by case. */
  rates: RateCell[][];
  /** Assets advanced against that do not match the case. */
  caseFailed: Tally[];
  missingRates: string[];
}
