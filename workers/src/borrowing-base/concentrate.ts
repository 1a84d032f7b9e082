import { compareFractions, type Fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { ConcentrationOutcome, GroupOutcome } from '@tapeline/domain/borrowing-base/outcome.ts';
import type { PreparedConcentration } from '@tapeline/domain/borrowing-base/prepare.ts';
import { LISTED_GROUPS } from '@tapeline/domain/borrowing-base/result.ts';
import { breaches, distanceOf, keptFraction, limitOf } from '@tapeline/domain/borrowing-base/thresholds.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { GroupMeasures } from './measures.ts';
import { Multiplier, type Pairs, Sums, setBigInt, toBigInt } from './pairs.ts';
import type { BitPosition } from './predicates.ts';
import { byMeasure, bySum, leaders, rank } from './ranking.ts';
import type { TapeColumns } from './tape-columns.ts';

/** Fetches a field's texts at tape positions. */
export type Labels = (field: Field, positions: readonly number[]) => Promise<ReadonlyMap<number, string | null>>;

/** The assets of Eligible Or Performing, and what concentration rules have left of them. */
export interface Pool {
  /** Tape positions, ascending. */
  readonly members: Int32Array;
  readonly remaining: Pairs;
  /** By tape position, a bit for each rule that cut the asset, 30 a word. */
  readonly cuts: readonly Int32Array[];
  /** Groups of the whole pool by field, made once for all rules that neither filter nor except. */
  readonly memberships: Map<string, Membership>;
}

export const CUTS_PER_WORD = 30;

/** One rule over the pool: who belongs to which group. */
export interface Membership {
  /** Pool members under the rule, ascending, and the group of each. */
  readonly members: Int32Array;
  readonly groups: Int32Array;
  readonly groupCount: number;
  /** Groups that have a member, ascending. */
  readonly present: Int32Array;
  /** Position of a group's first asset; -1 where it has none. */
  readonly firstOf: Int32Array;
  readonly countOf: Float64Array;
}

const bitSet = (columns: TapeColumns, position: BitPosition, index: number): boolean =>
  ((columns.words[position.word]![index]! >>> position.shift) & 1) === 1;

/** Runs one concentration rule: measures, ranks, tests, and takes the excess out of `pool.remaining`. */
export async function concentrate(
  rule: PreparedConcentration,
  ruleIndex: number,
  pool: Pool,
  columns: TapeColumns,
  base: Fraction | null,
  labels: Labels,
): Promise<ConcentrationOutcome> {
  const limit = limitOf(rule, base);
  const leftOut = new Sums(2);
  const membership = membersOf(rule, ruleIndex, pool, columns, leftOut);
  const measures = measureGroups(rule, membership, pool, columns, leftOut);
  const { firstOf, countOf, present } = membership;

  const end = rule.topN === null ? present.length : Math.min(present.length, rule.skipN + rule.topN);
  // Places whose order matters: those passed over, those of the top, those listed.
  const places = Math.max(1, Math.min(present.length, Math.max(LISTED_GROUPS, rule.topN === null ? rule.skipN : end)));
  const keysOf = async (groups: readonly number[]) => {
    const keyed = new Map<number, string | null>(groups.map((group) => [group, null]));
    if (rule.groupBy === null) return keyed;
    const found = await labels(
      rule.groupBy,
      groups.map((group) => firstOf[group]!),
    );
    for (const group of groups) keyed.set(group, found.get(firstOf[group]!) ?? null);
    return keyed;
  };
  const summed = rule.accumulator === '$sum';
  const averages = new Map<number, Fraction | null>();
  if (!summed) for (const group of present) averages.set(group, measures.measure([group]));
  const candidates = summed ? leaders(present, measures.sums.whole, places) : present;
  const ranked = await rank(candidates, summed ? bySum(measures.sums) : byMeasure(averages), places, keysOf);
  const measureOf = (group: number) => averages.get(group) ?? measures.measure([group]);

  const together = rule.topN !== null || rule.groupBy === null;
  let [whole, distance] = [null as Fraction | null, null as Fraction | null];
  const bundles: { groups: number[]; measure: Fraction }[] = [];
  const test = (groups: number[], measure: Fraction | null): void => {
    if (measure === null || !breaches(rule, measure, limit)) return;
    bundles.push({ groups, measure });
    const beyond = distanceOf(measure, limit);
    if (distance === null || compareFractions(beyond, distance) > 0) distance = beyond;
  };
  if (together) {
    const inPlay = ranked.slice(rule.skipN, end);
    whole = measures.measure(inPlay);
    test(inPlay, whole);
  } else {
    const skipped = new Set(ranked.slice(0, rule.skipN));
    // A sum beyond the limit's whole units is a breach for certain, one below it for certain is none.
    const units = Number(limit.numerator / limit.denominator);
    for (const group of present) {
      if (skipped.has(group) || (rule.removes && measures.sums.whole[group]! < units - 1)) continue;
      test([group], measureOf(group));
    }
  }

  const breached = new Set(bundles.flatMap((bundle) => bundle.groups));
  const cut = rule.removes
    ? cutBundles(
        bundles.map((bundle) => ({ groups: bundle.groups, kept: keptFraction(bundle.measure, limit) })),
        membership,
        pool,
        ruleIndex,
      )
    : NOTHING_CUT;
  const listed = ranked.slice(0, LISTED_GROUPS);
  const shown = new Set(listed);
  const others = [...breached].filter((group) => !shown.has(group));
  const rankOthers = await rankBeyond(others, present, summed ? bySum(measures.sums) : byMeasure(averages), keysOf);
  const keys = await keysOf([...listed, ...others]);
  const outcome = (group: number, position: number): GroupOutcome => ({
    key: keys.get(group) ?? null,
    rank: position,
    count: countOf[group]!,
    measure: measureOf(group),
    removed: cut.removedOf.get(group) ?? 0n,
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
    firstCutCount: cut.firstCutCount,
  };
}

/** Breached groups beyond those listed, with their ranks among all. */
async function rankBeyond(
  groups: readonly number[],
  present: Int32Array,
  compare: (a: number, b: number) => number,
  keysOf: (groups: readonly number[]) => Promise<ReadonlyMap<number, string | null>>,
): Promise<[number, number][]> {
  if (groups.length === 0) return [];
  // Whatever stands behind the last of them does not matter to their places.
  const last = groups.reduce((least, group) => (compare(least, group) < 0 ? group : least));
  const ahead = present.filter((group) => compare(group, last) <= 0);
  const all = await rank(ahead, compare, ahead.length, keysOf);
  const positions = new Map(all.map((group, position) => [group, position]));
  return groups.map((group): [number, number] => [group, positions.get(group)!]).sort((a, b) => a[1] - b[1]);
}

function membersOf(
  rule: PreparedConcentration,
  ruleIndex: number,
  pool: Pool,
  columns: TapeColumns,
  leftOut: Sums,
): Membership {
  const { filter, excepted } = columns.layout.concentration[ruleIndex]!;
  const codes = rule.groupBy === null ? null : columns.codes.get(rule.groupBy.path)!;
  const { whole, part } = pool.remaining;
  const cacheKey = rule.groupBy?.path ?? '';
  const plain = filter === null && excepted === null;
  const known = plain ? pool.memberships.get(cacheKey) : undefined;
  if (known !== undefined) return known;
  let members = pool.members;
  if (filter !== null || excepted !== null) {
    const word = filter === null ? null : columns.words[filter.word]!;
    const shift = filter?.shift ?? 0;
    const found = new Int32Array(pool.members.length);
    let length = 0;
    for (let at = 0; at < pool.members.length; at += 1) {
      const index = pool.members[at]!;
      const state = word === null ? 1 : (word[index]! >>> shift) & 3;
      if (state === 0) continue;
      if (state === 2) leftOut.add(0, whole[index]!, part[index]!);
      else if (excepted !== null && bitSet(columns, excepted, index)) leftOut.add(1, whole[index]!, part[index]!);
      else {
        found[length] = index;
        length += 1;
      }
    }
    members = found.subarray(0, length);
  }
  const groups = new Int32Array(members.length);
  let groupCount = 1;
  if (codes !== null) {
    for (let at = 0; at < members.length; at += 1) {
      const group = codes[members[at]!]!;
      groups[at] = group;
      if (group >= groupCount) groupCount = group + 1;
    }
  }
  const [firstOf, countOf] = [new Int32Array(groupCount).fill(-1), new Float64Array(groupCount)];
  for (let at = 0; at < members.length; at += 1) {
    const group = groups[at]!;
    if (countOf[group] === 0) firstOf[group] = members[at]!;
    countOf[group] = countOf[group]! + 1;
  }
  const present = new Int32Array(groupCount);
  let presentCount = 0;
  for (let group = 0; group < groupCount; group += 1) {
    if (firstOf[group]! < 0) continue;
    present[presentCount] = group;
    presentCount += 1;
  }
  const membership = { members, groups, groupCount, present: present.subarray(0, presentCount), firstOf, countOf };
  if (plain) pool.memberships.set(cacheKey, membership);
  return membership;
}

function measureGroups(
  rule: PreparedConcentration,
  { members, groups, groupCount }: Membership,
  pool: Pool,
  columns: TapeColumns,
  leftOut: Sums,
): GroupMeasures {
  const source = (path: string | undefined): Pairs =>
    path === undefined ? pool.remaining : columns.measured.get(path)!;
  const [value, weight] = [source(rule.measured?.field.path), source(rule.weight?.field.path)];
  const measures = new GroupMeasures({ accumulator: rule.accumulator, value, weight }, groupCount);
  const needed = [rule.measured, rule.weight].flatMap((one) =>
    one === null ? [] : [columns.layout.missing.get(one.field.path)!],
  );
  const { sums } = measures;
  if (needed.length === 0 && rule.accumulator === '$sum') {
    for (let at = 0; at < members.length; at += 1) {
      const index = members[at]!;
      sums.add(groups[at]!, value.whole[index]!, value.part[index]!);
    }
  } else {
    for (let at = 0; at < members.length; at += 1) {
      const index = members[at]!;
      if (needed.some((position) => bitSet(columns, position, index))) {
        leftOut.add(0, pool.remaining.whole[index]!, pool.remaining.part[index]!);
      } else measures.add(groups[at]!, index);
    }
  }
  sums.normalize();
  return measures;
}

interface Cut {
  readonly removed: bigint;
  readonly removedOf: ReadonlyMap<number, bigint>;
  readonly cut: { count: number; amount: bigint };
  readonly firstCutCount: number;
}
const NOTHING_CUT: Cut = { removed: 0n, removedOf: new Map(), cut: { count: 0, amount: 0n }, firstCutCount: 0 };

/**
 * Leaves every asset of a bundle of groups its part, rounded down; the bundle as a whole keeps exactly its part rounded down, by
 * giving the residue to its last asset, and what that has no room for to the one before.
 */
function cutBundles(
  bundles: readonly { groups: readonly number[]; kept: Fraction }[],
  { members, groups, groupCount }: Membership,
  pool: Pool,
  ruleIndex: number,
): Cut {
  if (bundles.length === 0) return NOTHING_CUT;
  const { whole, part } = pool.remaining;
  const bundleOf = new Int32Array(groupCount).fill(-1);
  for (const [bundle, { groups: own }] of bundles.entries()) for (const group of own) bundleOf[group] = bundle;
  const multipliers = bundles.map(({ kept }) => new Multiplier(kept.numerator, kept.denominator));
  const [before, after] = [new Sums(groupCount), new Sums(groupCount)];
  const cuts = pool.cuts[Math.floor(ruleIndex / CUTS_PER_WORD)]!;
  const bit = 1 << (ruleIndex % CUTS_PER_WORD);
  let firstCutCount = 0;
  // What the last assets had, to know their room, is remembered by position in `members`.
  const [wholeBefore, partBefore] = [new Float64Array(members.length), new Float64Array(members.length)];
  for (let at = 0; at < members.length; at += 1) {
    const group = groups[at]!;
    const bundle = bundleOf[group]!;
    if (bundle < 0) continue;
    const index = members[at]!;
    const [units, parts] = [whole[index]!, part[index]!];
    wholeBefore[at] = units;
    partBefore[at] = parts;
    before.add(group, units, parts);
    const multiplier = multipliers[bundle]!;
    multiplier.multiply(units, parts);
    whole[index] = multiplier.whole;
    part[index] = multiplier.part;
    after.add(group, multiplier.whole, multiplier.part);
    let cutBefore = 0;
    for (let at = 0; at < pool.cuts.length; at += 1) cutBefore |= pool.cuts[at]![index]!;
    if (cutBefore === 0) firstCutCount += 1;
    cuts[index] = cuts[index]! | bit;
  }

  const residues = bundles.map(({ groups: own, kept }) => {
    const had = own.reduce((sum, group) => sum + before.amount(group), 0n);
    const has = own.reduce((sum, group) => sum + after.amount(group), 0n);
    return (had * kept.numerator) / kept.denominator - has;
  });
  const given = new Map<number, bigint>();
  let open = residues.filter((residue) => residue > 0n).length;
  for (let at = members.length - 1; at >= 0 && open > 0; at -= 1) {
    const group = groups[at]!;
    const bundle = bundleOf[group]!;
    if (bundle < 0 || residues[bundle] === 0n) continue;
    const index = members[at]!;
    const has = toBigInt(whole[index]!, part[index]!);
    const room = toBigInt(wholeBefore[at]!, partBefore[at]!) - has;
    let share = residues[bundle]!;
    if (room < share) share = room;
    setBigInt(pool.remaining, index, has + share);
    given.set(group, (given.get(group) ?? 0n) + share);
    residues[bundle] = residues[bundle]! - share;
    if (residues[bundle] === 0n) open -= 1;
  }

  const removedOf = new Map<number, bigint>();
  const cut = { count: 0, amount: 0n };
  let removed = 0n;
  for (const { groups: own } of bundles) {
    for (const group of own) {
      const taken = before.amount(group) - after.amount(group) - (given.get(group) ?? 0n);
      removedOf.set(group, taken);
      removed += taken;
      cut.count += before.count[group]!;
      cut.amount += before.amount(group);
    }
  }
  return { removed, removedOf, cut, firstCutCount };
}
