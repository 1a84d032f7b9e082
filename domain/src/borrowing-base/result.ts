import type { LimitOverlap, OffsetAmounts, OffsetKind, ReserveKind } from '../facilities/contract.schema.ts';
import type { BorrowingBaseStatus, ValuePool } from '../facilities/pools.ts';
import type { Field } from '../filters/catalog.ts';
import type { Amount } from '../money/amount.schema.ts';
import { type DecimalText, sum } from '../money/decimal.ts';

/** A number of assets and their total amount, rounded to the minor unit. */
export interface CountAndAmount {
  count: number;
  amount: Amount;
}

export type PoolFigures = Record<ValuePool, CountAndAmount>;

/** One value of the contract. The two default values come first, then the contract's own in order. */
export interface ValueResult {
  title: string;
  pool: ValuePool;
  /** A sum of money, or an average with up to 8 decimal places; null if there was nothing to average. */
  value: DecimalText | null;
  /** Currency of a sum of money; null for an average, or a sum that is not money. */
  currency: string | null;
  count: number;
  /** Assets of the pool that the filter could not evaluate because a field is missing. */
  unknown: CountAndAmount;
}

export interface Totals {
  /** All assets of the tape, in scope or not. */
  assets: number;
  pools: PoolFigures;
  outOfScope: CountAndAmount;
  values: ValueResult[];
  /**
   * What offsets take off the eligible or performing assets, whose pools have what is left. The relevant pool has the
   * amounts before. Not present, as `offsets`, if no offset of the contract applies.
   */
  offset?: CountAndAmount;
  offsets?: OffsetResult[];
  /** Amount x rate before concentration removal. */
  firstBB: Amount;
  /**
   * Removed by concentration rules. With `maximumPerAsset`: the sum over the assets of the largest excess that any rule
   * has on the asset.
   */
  excess: Amount;
  /** Remaining amount of Eligible Or Performing after removal. */
  remaining: Amount;
  /** Remaining amount less the amount advanced against it. */
  advanceHaircut: Amount;
  /** Remaining amount x rate. */
  netBB: Amount;
  /** netBB as a percentage of the remaining amount, 8 decimal places; null for an empty pool. */
  weightedAdvanceRatePercent: DecimalText | null;
  /** Approved draws less active repayments; null if they are not recorded ("n/a"). */
  balance: Amount | null;
  commitments: Amount | null;
  /** What the contract holds back. Not present if no reserve of the contract applies. */
  reserves?: ReserveResult[];
  /** What a second person approved for this certificate beside its tape and contract. Not present without any. */
  adjustments?: AdjustmentResult[];
  /**
   * netBB less the reserves plus the adjustments, not below zero; null if a reserve is unknown. Not present without
   * both: it is netBB then.
   */
  availableBase?: Amount | null;
  /**
   * min(available base, commitments) - balance in the note's main currency. Negative for a deficit; null ("n/a") if no
   * balance.
   */
  availability: Amount | null;
  /** The note's position in each currency. Not present in results of earlier versions. */
  byCurrency?: CurrencyPosition[];
}

/** A document of a tape, with the key of the object that it is stored as. */
export interface OffsetFile {
  name: string;
  key: string;
}

/** One offset of the contract that applies on the cut-off date. */
export interface OffsetResult {
  /** Position in the contract's offsets. */
  rule: number;
  title: string;
  kind: OffsetKind;
  groupBy: string;
  /** The field that names the parent of a group; null without one. */
  parent: string | null;
  /** The field with the amounts, and how the tape states them; null for a file and for negative balances. */
  field: string | null;
  amounts: OffsetAmounts | null;
  /** The file that the amounts were read from. Only of an offset from a file. */
  file?: OffsetFile;
  /** Groups with an amount to take. */
  groupCount: number;
  /** The assets that are reduced. */
  count: number;
  /** What is to be taken: what is taken, and what is left over because its group has too little. */
  owed: Amount;
  taken: Amount;
  leftOver: Amount;
  /** Those with the largest amounts to take; at most `LISTED_GROUPS`. */
  groups: {
    /** Null for the assets without the field. */
    key: string | null;
    /** The eligible or performing assets of the group, with their amount before the offset. */
    count: number;
    eligible: Amount;
    owed: Amount;
    taken: Amount;
    leftOver: Amount;
  }[];
}

/** One reserve of the contract that applies on the cut-off date. */
export interface ReserveResult {
  /** Position in the contract's reserves. */
  rule: number;
  title: string;
  kind: ReserveKind;
  /** Per cent of the value, the yearly rate on the balance, or the threshold of a dilution; null for a fixed amount. */
  percent: DecimalText | null;
  /** Months that are charged on the balance; null for other kinds. */
  months: DecimalText | null;
  /** Title of the value that a percentage or a dilution is taken of; null for other kinds. */
  of: string | null;
  /** That value, or the balance that months are charged on; null for a fixed amount, and if it is unknown. */
  base: Amount | null;
  /** Null if it is unknown, because the balance is not recorded, or figures of a dilution are missing. */
  amount: Amount | null;
  /** Of a dilution: the names of its figures, and their sums over twelve months. Not present for other kinds. */
  dilution?: {
    credits: string;
    sales: string;
    /** Null if a figure of the twelve months is missing. */
    sums: { creditsSum: DecimalText; salesSum: DecimalText; ratioPercent: DecimalText | null } | null;
  };
}

/** An approved adjustment of a certificate. */
export interface AdjustmentResult {
  id: string;
  /** In the currency of the result. Above zero it adds to the available base; below zero it takes off. */
  amount: Amount;
  reason: string;
  /** Names of people. */
  enteredBy: string;
  approvedBy: string;
  /** ISO instant. */
  approvedAt: string;
}

/** What reserves hold back together; null if one of them is unknown. */
export function heldBack(reserves: readonly Pick<ReserveResult, 'amount'>[]): DecimalText | null {
  const known = reserves.flatMap(({ amount }) => (amount ? [amount.sum] : []));
  return known.length < reserves.length ? null : sum(known);
}

/** What can be drawn against: the available base, which is netBB without reserves and adjustments. Null if it is unknown. */
export const availableBaseOf = ({ netBB, availableBase }: Pick<Totals, 'netBB' | 'availableBase'>): Amount | null =>
  availableBase === undefined ? netBB : availableBase;

/** The note's position in one currency that may be drawn or is outstanding. */
export interface CurrencyPosition {
  currency: string;
  /** Null if no draw or repayment was ever recorded. */
  balance: DecimalText | null;
  /** The commitments in the currency or listing it as an additional one, at the tape's exchange rates. */
  limit: DecimalText;
}

/** Figures of one scope. All scopes together add up to the totals. */
export interface ScopeResult {
  /** Null for the single unnamed scope of a contract without scopes. */
  title: string | null;
  pools: PoolFigures;
  /** Only if offsets apply. */
  offset?: Amount;
  firstBB: Amount;
  excess: Amount;
  remaining: Amount;
  netBB: Amount;
  /** Assets that no earlier scope includes and that this scope's filter could not evaluate. */
  unknown: CountAndAmount;
}

export interface GroupExcess {
  /** The group's key as text; null for assets without one (shown as unknown), and for a rule without groups. */
  key: string | null;
  /** 1 is the largest. */
  rank: number;
  /** Skipped by skipN, measured, or beyond topN. */
  part: 'skipped' | 'measured' | 'beyond';
  count: number;
  measure: DecimalText | null;
  limit: DecimalText;
  /** How far the group exceeds the limit, in the measure's unit; null if it does not, or is measured with others. */
  distance?: DecimalText | null;
  /**
   * The rule's excess on the group's assets. It differs from the distance if the measured field is not the amount.
   */
  excess: { sum: Amount; percentage: DecimalText };
  breached: boolean;
}

export interface ConcentrationResult {
  /** Position in the contract's concentrationRules. */
  rule: number;
  title: string;
  groupBy: string | null;
  accumulator: '$sum' | '$avg' | '$wAvg';
  /**
   * Path of the field that measure, limit and distance refer to; null for the remaining amount. Not present in results
   * of earlier versions.
   */
  accumulatorField?: string | null;
  operand: 'gt' | 'lt' | 'gte' | 'lte' | 'eq' | 'neq';
  topN: number | null;
  skipN: number;
  /** Whether measure and limit are money in the tape's main currency. */
  money: boolean;
  /** The number that each measure is compared with. */
  limit: DecimalText;
  /** The measure of the top groups together, or of the single group; null if each group is measured separately. */
  measure: DecimalText | null;
  breached: boolean;
  /** How far the worst breach exceeds the limit, in the unit of the measure; null if there is no breach. */
  distance: DecimalText | null;
  /** Whether the excess is removed ($sum with lt or lte) or only flagged. */
  removes: boolean;
  /**
   * The rule's own excess: what it takes off its assets, regardless of the measured field. With `maximumPerAsset`, rules
   * can have an excess on the same assets, so their excesses can add up to more than the total excess.
   */
  excess: { sum: Amount; percentage: DecimalText };
  /**
   * The part of the excess that the pool loses to this rule; the rules' parts add up to the total excess. With
   * `sequential` it equals the excess. With `maximumPerAsset`, an asset's excess counts under the rule with the greatest
   * excess on it, or the first of them. Not present in results of earlier versions, which are sequential.
   */
  removed?: { sum: Amount; percentage: DecimalText };
  groupCount: number;
  breachedGroupCount: number;
  /** All breached groups and the largest others, in rank order; at most `LISTED_GROUPS` unless more are breached. */
  groups: GroupExcess[];
  /** Assets that the rule's filter could not evaluate. */
  unknown: CountAndAmount;
  /** Assets excluded from the rule by exceptions. */
  excepted: CountAndAmount;
}

/** The groups that an eligibility rule about whole groups excludes. */
export interface WholeGroupResult {
  /** Position in the contract's eligibilityRules. */
  rule: number;
  title: string;
  groupBy: string;
  /** The field that names the parent of a group. Only for a rule about parents. */
  parent?: string;
  /** From this share of its amount on, a group fails. In per cent. */
  percent: DecimalText;
  groupCount: number;
  failedGroupCount: number;
  /** The largest groups that fail; at most `LISTED_GROUPS`. */
  groups: {
    /** Null for the assets without the field. */
    key: string | null;
    count: number;
    amount: Amount;
    /** Of its assets that do not satisfy the rule's conditions, and their share of the group. */
    failing: Amount;
    percentage: DecimalText;
  }[];
}

/** Number of groups listed for a rule, unless more of its groups are breached. */
export const LISTED_GROUPS = 100;

/**
 * Exactly how a rule cut its assets, so that its excess on each asset can be calculated again: from what earlier rules
 * left, or with `maximumPerAsset` from the whole amount.
 */
export interface CutTerms {
  /** Position in the contract's concentrationRules. */
  rule: number;
  /** The fraction that each asset of a breaching group keeps, per group; one entry if groups are measured together. */
  kept: { key: string | null; numerator: string; denominator: string }[];
  isTogether: boolean;
  /** Assets, by position in the tape, that received the rounding residue. */
  residues: { asset: number; amount: DecimalText }[];
}

export interface RuleTracking {
  /** Position in the contract's list; -1 for the built-in test that the asset has an outstanding amount. */
  rule: number;
  title: string;
  /** All assets that fail the rule. For a concentration rule: the assets that it cuts, with their amounts before it. */
  failed: CountAndAmount;
  /**
   * Assets that this rule excludes first; these add up to the waterfall. For a concentration rule: the amount that the
   * pool loses to it (`ConcentrationResult.removed`).
   */
  first: CountAndAmount;
}

export interface AdvanceTracking extends RuleTracking {
  /** In percent. */
  rate: DecimalText;
  scope: string | null;
  /** Assets at this rate: the amount before removal; then the amounts remaining, advanced, and not advanced. */
  taken: CountAndAmount;
  remaining: Amount;
  advanced: Amount;
  haircut: Amount;
}

export interface RulesTracking {
  eligible: RuleTracking[];
  performing: RuleTracking[];
  concentration: RuleTracking[];
  /** The cases in order, then the default rate (rule -1). `failed` did not match the case; `first` gets its rate. */
  advancing: AdvanceTracking[];
}

export const WARNING_CODES = [
  'missingRate',
  'negativeOutstanding',
  'noOutstanding',
  'emptyPool',
  'covenantRate',
  'offsetWithoutAssets',
] as const;

export interface BorrowingBaseWarning {
  code: (typeof WARNING_CODES)[number];
  message: string;
  /** Number of assets affected, or of groups of a file without an asset; null if the warning is about the tape. */
  count: number | null;
}

/**
 * Everything stored for a borrowing base. Money is rounded to the minor unit of the tape's main currency; parts add up.
 */
export interface BorrowingBaseResult {
  cutOffDate: string;
  currency: string;
  /** How concentration rules combine. Not present in results of earlier versions, which are sequential. */
  overlap?: LimitOverlap;
  totals: Totals;
  scopes: ScopeResult[];
  excessBreachDistribution: ConcentrationResult[];
  /** Not present if no eligibility rule that applies is about whole groups. */
  wholeGroups?: WholeGroupResult[];
  rulesTracking: RulesTracking;
  firstBB: Amount;
  netBB: Amount;
  warnings: BorrowingBaseWarning[];
  /** The rules that cut assets. Not present in results stored by earlier versions. */
  cuts?: CutTerms[];
  /** SHA-256 of what the result was calculated from, see `inputsText`. Not present in results of earlier versions. */
  inputsHash?: string;
}

/** The result of one asset. Amounts are exact, in the tape's main currency at scale 12. */
export interface AssetResult {
  /** Null if out of scope. */
  status: BorrowingBaseStatus | null;
  /** Position in the contract's scopes (0 for the unnamed one); null if out of scope. */
  scope: number | null;
  /** Before offsets. Null if the asset has no outstanding sum. */
  amount: DecimalText | null;
  /** Keys of the failed rules (see `ruleKey`), in order. For offsets and concentration rules: those that cut the asset. */
  failed: string[];
  /** By concentration rules: the amount less it and less offsets remains. */
  excessRemoved: DecimalText;
  remaining: DecimalText;
  /** In percent; null if nothing is advanced against the asset. */
  rate: DecimalText | null;
  advanced: DecimalText;
}

export type RuleStage = 'eligible' | 'performing' | 'offset' | 'concentration';

/** The key of a rule in per-asset results: `eligible:0`. `eligible:-1` is a missing outstanding amount. */
export const ruleKey = (stage: RuleStage, rule: number): string => `${stage}:${rule}`;

/** Decimal places of remaining amounts. */
export const AMOUNT_SCALE = 12;

/**
 * Per-asset results by the paths that filters and the lake's result columns share. `failed` is text: `,eligible:0,`.
 */
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

/** Per-asset results that are money, in the currency of their borrowing base. */
export const ASSET_RESULT_AMOUNTS: readonly string[] = [
  'borrowingBase.amount',
  'borrowingBase.excessRemoved',
  'borrowingBase.remaining',
  'borrowingBase.advanced',
];
