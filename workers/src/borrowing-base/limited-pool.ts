import { type AmountColumn, makeAmounts } from './amount-columns.ts';

/** The assets of Eligible Or Performing, and what the concentration limits so far have left of their amounts. */
export interface LimitedPool {
  /** Tape positions, ascending. */
  readonly members: Int32Array;
  /** What the next rule measures. */
  readonly remaining: AmountColumn;
  /** Null if rules apply one after another: each then measures what the ones before it left. */
  readonly greatest: GreatestCuts | null;
  /** By tape position: one bit for each rule that cut the asset, 30 bits per word. */
  readonly cuts: readonly Int32Array[];
  /** Groups of the whole pool by field, shared by all rules that have neither a filter nor exceptions. */
  readonly coverages: Map<string, CoveredAssets>;
  /** Amounts of a rule's members before the rule. Allocated once for all rules, with the length of the pool. */
  readonly scratch: AmountColumn;
}

/** The greatest cut of each asset so far, for rules that all measure the amounts before any removal. */
export interface GreatestCuts {
  /** By tape position: what the asset keeps. */
  readonly kept: AmountColumn;
  /** By tape position: the rule with the greatest cut, the first of several equal ones; -1 if no rule cut the asset. */
  readonly rule: Int16Array;
}

/** @param amount what each asset keeps without any cut */
export function makeGreatestCuts({ whole, part }: AmountColumn): GreatestCuts {
  const kept = makeAmounts(whole.length);
  kept.whole.set(whole);
  kept.part.set(part);
  return { kept, rule: new Int16Array(whole.length).fill(-1) };
}

/** The assets of the pool that one limit covers, and the group of each. */
export interface CoveredAssets {
  /** LimitedPool members that the rule covers, ascending, and the group of each. */
  readonly members: Int32Array;
  readonly groups: Int32Array;
  readonly groupCount: number;
  /** Groups that have a member, ascending. */
  readonly present: Int32Array;
  /** Position of a group's first asset; -1 if the group is empty. */
  readonly firstOf: Int32Array;
  readonly countOf: Int32Array;
}
