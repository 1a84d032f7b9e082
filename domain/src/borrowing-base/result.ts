import type { BorrowingBaseStatus, ValuePool } from '../facilities/pools.ts';
import type { Field } from '../filters/catalog.ts';
import type { Amount } from '../money/amount.schema.ts';
import type { DecimalText } from '../money/decimal.ts';

/** A number of assets and what they come to, rounded to the minor unit. */
export interface CountAndAmount {
  count: number;
  amount: Amount;
}

export type PoolFigures = Record<ValuePool, CountAndAmount>;

/** One value of the contract: the two default ones first, then its own in order. */
export interface ValueResult {
  title: string;
  pool: ValuePool;
  /** A sum of money, an average, or null where nothing was there to average. Unrounded beyond 8 digits. */
  value: DecimalText | null;
  /** Currency of a sum of money; null for an average or a sum of another number. */
  currency: string | null;
  count: number;
  /** Assets of the pool that the filter could not judge, for lack of a field. */
  unknown: CountAndAmount;
}

export interface Totals {
  /** Assets of the tape, in scope or not. */
  assets: number;
  pools: PoolFigures;
  outOfScope: CountAndAmount;
  values: ValueResult[];
  /** Amount x rate before concentration removal. */
  firstBB: Amount;
  /** Removed by concentration rules. */
  excess: Amount;
  /** Remaining amount of Eligible Or Performing after removal. */
  remaining: Amount;
  /** Remaining amount less what is lent against it. */
  advanceHaircut: Amount;
  /** Remaining amount x rate. */
  netBB: Amount;
  /** netBB in per cent of the remaining amount, 8 digits; null for an empty pool. */
  weightedAdvanceRatePercent: DecimalText | null;
  /** Approved draws less active repayments; null where they are not recorded ("n/a"). */
  balance: Amount | null;
  commitments: Amount | null;
  /** min(netBB, commitments) - balance in the note's main currency; negative is a deficit; null ("n/a") without a balance. */
  availability: Amount | null;
}

/** Figures of one scope; over all scopes they add up to the totals. */
export interface ScopeResult {
  /** Null: the one unnamed scope of a contract without scopes. */
  title: string | null;
  pools: PoolFigures;
  firstBB: Amount;
  excess: Amount;
  remaining: Amount;
  netBB: Amount;
  /** Assets that no earlier scope took and that this scope's filter could not judge. */
  unknown: CountAndAmount;
}

export interface GroupExcess {
  /** Text of the group's key; null for the assets that lack it, shown as unknown, and for a rule without groups. */
  key: string | null;
  /** 1 is the largest. */
  rank: number;
  /** Passed over by skipN, measured, or beyond topN. */
  part: 'skipped' | 'measured' | 'beyond';
  count: number;
  measure: DecimalText | null;
  limit: DecimalText;
  /** Removed from the group. */
  excess: { sum: Amount; percentage: DecimalText };
  breached: boolean;
}

export interface ConcentrationResult {
  /** Position in the contract's concentrationRules. */
  rule: number;
  title: string;
  groupBy: string | null;
  accumulator: '$sum' | '$avg' | '$wAvg';
  operand: 'gt' | 'lt' | 'gte' | 'lte' | 'eq' | 'neq';
  topN: number | null;
  skipN: number;
  /** Whether measure and limit are money of the tape's main currency. */
  money: boolean;
  /** What each measure is held against. */
  limit: DecimalText;
  /** The top groups together, or the single group; null where each group is measured by itself. */
  measure: DecimalText | null;
  breached: boolean;
  /** How far beyond the limit: the worst breach, in the unit of the measure; null where nothing is breached. */
  distance: DecimalText | null;
  /** Excess that is removed ($sum with lt or lte), or only flagged. */
  removes: boolean;
  excess: { sum: Amount; percentage: DecimalText };
  groupCount: number;
  breachedGroupCount: number;
  /** Every breached group and the largest others, in rank order, at most `LISTED_GROUPS` unless more are breached. */
  groups: GroupExcess[];
  /** Assets the rule's filter could not judge. */
  unknown: CountAndAmount;
  /** Assets passed over by exceptions. */
  excepted: CountAndAmount;
}

/** Groups listed of a rule that breaches fewer. */
export const LISTED_GROUPS = 100;

export interface RuleTracking {
  /** Position in the contract's list; -1 for the built-in test that an outstanding amount is there. */
  rule: number;
  title: string;
  /** Fails the rule at all. For a concentration rule: the assets that are cut, with what they had left before it. */
  failed: CountAndAmount;
  /** First excluded by it: these add up to the waterfall. For a concentration rule: the amount it removes. */
  first: CountAndAmount;
}

export interface AdvanceTracking extends RuleTracking {
  /** Per cent. */
  rate: DecimalText;
  scope: string | null;
  /** Assets that take this rate: amount before removal, remaining after it, lent, and not lent. */
  taken: CountAndAmount;
  remaining: Amount;
  advanced: Amount;
  haircut: Amount;
}

export interface RulesTracking {
  eligible: RuleTracking[];
  performing: RuleTracking[];
  concentration: RuleTracking[];
  /** The cases in order, then the default rate (rule -1). `failed` did not match the case, `first` takes its rate. */
  advancing: AdvanceTracking[];
}

export type WarningCode = 'missingRate' | 'negativeOutstanding' | 'noOutstanding' | 'emptyPool';

export interface BorrowingBaseWarning {
  code: WarningCode;
  message: string;
  /** Assets concerned; null where the warning is about the tape. */
  count: number | null;
}

/** Everything a borrowing base stores; money rounded to the minor unit of the tape's main currency, parts adding up. */
export interface BorrowingBaseResult {
  cutOffDate: string;
  currency: string;
  totals: Totals;
  scopes: ScopeResult[];
  excessBreachDistribution: ConcentrationResult[];
  rulesTracking: RulesTracking;
  firstBB: Amount;
  netBB: Amount;
  warnings: BorrowingBaseWarning[];
}

/** What one asset counts for. Amounts in the tape's main currency at scale 12, exact. */
export interface AssetResult {
  /** Null: out of scope. */
  status: BorrowingBaseStatus | null;
  /** Position in the contract's scopes (0 for the unnamed one); null out of scope. */
  scope: number | null;
  /** Null: the asset has no outstanding sum. */
  amount: DecimalText | null;
  /** Rules failed, as `ruleKey` writes them, in order; concentration rules are those that cut it. */
  failed: string[];
  excessRemoved: DecimalText;
  remaining: DecimalText;
  /** Per cent; null where the asset is not advanced against. */
  rate: DecimalText | null;
  advanced: DecimalText;
}

export type RuleStage = 'eligible' | 'performing' | 'concentration';

/** `eligible:0`: how a per-asset result names a rule. `eligible:-1` is a missing outstanding amount. */
export const ruleKey = (stage: RuleStage, rule: number): string => `${stage}:${rule}`;

/** Digits carried after the point of remaining amounts. */
export const AMOUNT_SCALE = 12;

/** Per-asset results by the paths that filters and the lake's result columns share. `failed` is JSON-free text: `,eligible:0,`. */
export const ASSET_RESULT_FIELDS: readonly Field[] = [
  {
    path: 'borrowingBase.status',
    label: 'Borrowing base status',
    type: 'text',
    values: ['inEligible', 'eligible', 'performing', 'nonPerforming', 'outOfScope'],
  },
  { path: 'borrowingBase.scope', label: 'Scope', type: 'text' },
  { path: 'borrowingBase.failed', label: 'Failed rules', type: 'text' },
  { path: 'borrowingBase.firstFailed', label: 'First failed rule', type: 'text' },
  { path: 'borrowingBase.amount', label: 'Amount', type: 'decimal' },
  { path: 'borrowingBase.excessRemoved', label: 'Excess removed', type: 'decimal' },
  { path: 'borrowingBase.remaining', label: 'Remaining amount', type: 'decimal' },
  { path: 'borrowingBase.rate', label: 'Advance rate', type: 'decimal', unit: '%' },
  { path: 'borrowingBase.advanced', label: 'Advanced amount', type: 'decimal' },
];
