import { compareFractions, type Fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { ConcentrationOutcome, GroupOutcome } from '@tapeline/domain/borrowing-base/outcome.ts';
import type { PreparedConcentration } from '@tapeline/domain/borrowing-base/prepare.ts';
import { LISTED_GROUPS } from '@tapeline/domain/borrowing-base/result.ts';
import { breaches, distanceOf, keptFraction, limitOf } from '@tapeline/domain/borrowing-base/thresholds.ts';
import { type AmountColumn, GroupMeasures, Sums } from './amount-columns.ts';
import { isSet, stateOf } from './answers.ts';
import { cutGroups, NOTHING_CUT } from './cuts.ts';
import type { Labels } from './labels.ts';
import type { CoveredAssets, LimitedPool } from './limited-pool.ts';
import type { TapeColumns } from './pools.ts';
import { byMeasure, bySum, leaders, rank } from './ranking.ts';

/**
 * Applies one concentration limit: measures, ranks, tests, and removes the excess from `pool.remaining`, or keeps it in
 * `pool.greatest`.
 * @returns a function that builds the outcome. Call it after all rules have run: group texts are read meanwhile
 */
export async function applyLimit(
  rule: PreparedConcentration,
  ruleIndex: number,
  pool: LimitedPool,
  columns: TapeColumns,
  base: Fraction | null,
  labels: Labels,
): Promise<() => Promise<ConcentrationOutcome>> {
  const limit = limitOf(rule, base);
  const leftOut = new Sums(2);
  const covered = coveredBy(rule, ruleIndex, pool, columns, leftOut);
  const measures = measureGroups(rule, covered, pool, columns, leftOut);
  const { firstOf, countOf, present } = covered;
  /** The amounts of the groups before the rule. Most rules measure just them. */
  const amountsOf = (): Sums => {
    if (rule.accumulator === '$sum' && rule.measured === null) return measures.sums;
    const sums = new Sums(covered.groupCount);
    addMembers(sums, covered.members, covered.groups, pool.remaining);
    return sums;
  };

  const end = rule.topN === null ? present.length : Math.min(present.length, rule.skipN + rule.topN);
  // The number of ranks whose order matters: skipped groups, top groups and listed groups.
  const places = Math.max(1, Math.min(present.length, Math.max(LISTED_GROUPS, rule.topN === null ? rule.skipN : end)));
  const keysOf = async (groups: readonly number[]) => {
    if (rule.groupBy === null) return new Map(groups.map((group) => [group, null]));
    const found = await labels.get(rule.groupBy, firstsOf(groups));
    return new Map(groups.map((group) => [group, found.get(firstOf[group]!) ?? null]));
  };
  const firstsOf = (groups: readonly number[]): number[] => groups.map((group) => firstOf[group]!);
  const summed = rule.accumulator === '$sum';
  const averages = new Map<number, Fraction | null>();
  if (!summed) for (const group of present) averages.set(group, measures.measure([group]));
  const candidates = summed ? leaders(present, measures.sums.whole, places) : present;
  const ranked = await rank(candidates, summed ? bySum(measures.sums) : byMeasure(averages), places, keysOf);
  const measureOf = (group: number) => averages.get(group) ?? measures.measure([group]);

  const together = rule.topN !== null || rule.groupBy === null;
  let [whole, distance] = [null as Fraction | null, null as Fraction | null];
  const breaching: { groups: number[]; measure: Fraction }[] = [];
  const test = (groups: number[], measure: Fraction | null): void => {
    if (measure === null || !breaches(rule, measure, limit)) return;
    breaching.push({ groups, measure });
    const beyond = distanceOf(measure, limit);
    if (distance === null || compareFractions(beyond, distance) > 0) distance = beyond;
  };
  if (together) {
    const inPlay = ranked.slice(rule.skipN, end);
    whole = measures.measure(inPlay);
    test(inPlay, whole);
  } else {
    const skipped = new Set(ranked.slice(0, rule.skipN));
    // A sum above the limit's whole units is certainly a breach, and a sum below them is certainly not.
    const units = Number(limit.numerator / limit.denominator);
    for (let at = 0; at < present.length; at += 1) {
      const group = present[at]!;
      if (skipped.has(group) || (rule.removes && measures.sums.whole[group]! < units - 1)) continue;
      test([group], measureOf(group));
    }
  }

  const breached = new Set(breaching.flatMap(({ groups }) => groups));
  const kept = rule.removes
    ? breaching.map(({ groups, measure }) => ({ groups, kept: keptFraction(measure, limit) }))
    : [];
  const keptOf = new Map(kept.flatMap((together) => together.groups.map((group) => [group, together.kept] as const)));
  const listed = ranked.slice(0, LISTED_GROUPS);
  const shown = new Set(listed);
  const others = [...breached].filter((group) => !shown.has(group));
  // They are read while the groups are cut.
  if (rule.groupBy !== null) labels.ask(rule.groupBy, firstsOf([...listed, ...others]));
  const cut = kept.length > 0 ? cutGroups(kept, covered, pool, ruleIndex, amountsOf()) : NOTHING_CUT;
  return async () => {
    const rankOthers = await rankBeyond(others, present, summed ? bySum(measures.sums) : byMeasure(averages), keysOf);
    const keys = await keysOf([...listed, ...others]);
    const outcome = (group: number, position: number): GroupOutcome => ({
      key: keys.get(group) ?? null,
      rank: position,
      count: countOf[group]!,
      measure: measureOf(group),
      removed: cut.removedOf.get(group) ?? 0n,
      kept: keptOf.get(group) ?? null,
      breached: breached.has(group),
    });
    return {
      limit,
      measure: whole,
      breached: breached.size > 0,
      distance,
      removed: cut.removed,
      groupCount: present.length,
      breachedGroupCount: breached.size,
      groups: [...listed.map(outcome), ...rankOthers.map(([group, position]) => outcome(group, position))],
      unknown: leftOut.tally(0),
      excepted: leftOut.tally(1),
      cut: cut.cut,
      // As for rules that apply one after another; for others, only all rules together decide.
      counted: { count: cut.firstCutCount, amount: cut.removed },
      residues: cut.residues,
    };
  };
}

/** Breached groups beyond the listed ones, with their ranks among all groups. */
async function rankBeyond(
  groups: readonly number[],
  present: Int32Array,
  compare: (a: number, b: number) => number,
  keysOf: (groups: readonly number[]) => Promise<ReadonlyMap<number, string | null>>,
): Promise<[number, number][]> {
  if (groups.length === 0) return [];
  // Groups that rank behind the last of them do not affect their ranks.
  const last = groups.reduce((least, group) => (compare(least, group) < 0 ? group : least));
  const ahead = present.filter((group) => compare(group, last) <= 0);
  const all = await rank(ahead, compare, ahead.length, keysOf);
  const positions = new Map(all.map((group, position) => [group, position]));
  return groups.map((group): [number, number] => [group, positions.get(group)!]).sort((a, b) => a[1] - b[1]);
}

function coveredBy(
  rule: PreparedConcentration,
  ruleIndex: number,
  pool: LimitedPool,
  columns: TapeColumns,
  leftOut: Sums,
): CoveredAssets {
  const { filter, excepted } = columns.layout.concentration[ruleIndex]!;
  if (filter === null && excepted === null) return coverPool(pool, columns, rule.groupBy?.path ?? null);
  const codes = rule.groupBy === null ? null : columns.codes.get(rule.groupBy.path)!;
  const found = new Int32Array(pool.members.length);
  let length = 0;
  for (let at = 0; at < pool.members.length; at += 1) {
    const index = pool.members[at]!;
    const state = filter === null ? 1 : stateOf(columns.words, filter, index);
    if (state === 0) continue;
    if (state === 2) leftOut.addFrom(0, pool.remaining, index);
    else if (excepted !== null && isSet(columns.words, excepted, index)) leftOut.addFrom(1, pool.remaining, index);
    else {
      found[length] = index;
      length += 1;
    }
  }
  return coverMembers(found.subarray(0, length), codes);
}

/** The whole pool in groups, for all rules that neither narrow it nor have exceptions. @param key of the grouping */
export function coverPool(pool: LimitedPool, columns: Pick<TapeColumns, 'codes'>, key: string | null): CoveredAssets {
  const known = pool.coverages.get(key ?? '');
  if (known !== undefined) return known;
  const covered = coverMembers(pool.members, key === null ? null : columns.codes.get(key)!);
  pool.coverages.set(key ?? '', covered);
  return covered;
}

function coverMembers(members: Int32Array, codes: Int32Array | null): CoveredAssets {
  const groups = new Int32Array(members.length);
  let groupCount = 1;
  if (codes !== null) groupCount = groupMembers(members, codes, groups);
  const [firstOf, countOf] = [new Int32Array(groupCount).fill(-1), new Int32Array(groupCount)];
  countMembers(members, groups, firstOf, countOf);
  const present = new Int32Array(groupCount);
  let presentCount = 0;
  for (let group = 0; group < groupCount; group += 1) {
    if (firstOf[group]! < 0) continue;
    present[presentCount] = group;
    presentCount += 1;
  }
  return { members, groups, groupCount, present: present.subarray(0, presentCount), firstOf, countOf };
}

function measureGroups(
  rule: PreparedConcentration,
  { members, groups, groupCount }: CoveredAssets,
  pool: LimitedPool,
  columns: TapeColumns,
  leftOut: Sums,
): GroupMeasures {
  const source = (path: string | undefined): AmountColumn =>
    path === undefined ? pool.remaining : columns.measured.get(path)!;
  const [value, weight] = [source(rule.measured?.field.path), source(rule.weight?.field.path)];
  const measures = new GroupMeasures({ accumulator: rule.accumulator, value, weight }, groupCount, members);
  const needed = [rule.measured, rule.weight].flatMap((one) =>
    one === null ? [] : [columns.layout.missing.get(one.field.path)!],
  );
  const { sums } = measures;
  if (needed.length === 0 && rule.accumulator === '$sum') {
    addMembers(sums, members, groups, value);
  } else {
    const words = needed.map((position) => columns.words[position.word]!);
    const masks = needed.map((position) => 1 << position.shift);
    for (let at = 0; at < members.length; at += 1) {
      if (lacksAny(words, masks, members[at]!)) leftOut.addFrom(0, pool.remaining, members[at]!);
      else measures.add(groups[at]!, members[at]!);
    }
  }
  sums.normalize();
  return measures;
}

// Loops over all assets. Each is a separate function so that V8 compiles it early.

export function addMembers(sums: Sums, members: Int32Array, groups: Int32Array, value: AmountColumn): void {
  for (let at = 0; at < members.length; at += 1) sums.addFrom(groups[at]!, value, members[at]!);
}

function lacksAny(words: readonly Int32Array[], masks: readonly number[], index: number): boolean {
  for (let at = 0; at < words.length; at += 1) if ((words[at]![index]! & masks[at]!) !== 0) return true;
  return false;
}

/** Assigns each member its group. @returns the largest group plus one */
function groupMembers(members: Int32Array, codes: Int32Array, groups: Int32Array): number {
  let groupCount = 1;
  for (let at = 0; at < members.length; at += 1) {
    const group = codes[members[at]!]!;
    groups[at] = group;
    if (group >= groupCount) groupCount = group + 1;
  }
  return groupCount;
}

function countMembers(members: Int32Array, groups: Int32Array, firstOf: Int32Array, countOf: Int32Array): void {
  for (let at = 0; at < members.length; at += 1) {
    const group = groups[at]!;
    if (countOf[group] === 0) firstOf[group] = members[at]!;
    countOf[group] = countOf[group]! + 1;
  }
}
