import type { Fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { Residue, Tally } from '@tapeline/domain/borrowing-base/outcome.ts';
import { type AmountColumn, Multiplier, Sums, setBigInt, toBigInt } from './amount-columns.ts';
import type { CoveredAssets, GreatestCuts, LimitedPool } from './limited-pool.ts';

/** Number of rules whose cuts fit in one word of `LimitedPool.cuts`. */
export const CUTS_PER_WORD = 30;

/** The exact amounts that a rule removed, at AMOUNT_SCALE. */
export interface Cut {
  readonly removed: bigint;
  readonly removedOf: ReadonlyMap<number, bigint>;
  readonly cut: Tally;
  readonly firstCutCount: number;
  readonly residues: Residue[];
}
export const NOTHING_CUT: Cut = {
  removed: 0n,
  removedOf: new Map(),
  cut: { count: 0, amount: 0n },
  firstCutCount: 0,
  residues: [],
};

/** Groups that are cut together, and the fraction that each of their assets keeps. */
export interface CutTogether {
  readonly groups: readonly number[];
  readonly kept: Fraction;
}

/**
 * Cuts every asset of groups to its part, rounded down. Groups that are cut together keep exactly their part rounded
 * down: the residue goes to its last asset, and whatever would raise that asset above its previous amount goes
 * to the one before it.
 * @param before by group: the amounts of its members before the rule
 */
export function cutGroups(
  cutTogether: readonly CutTogether[],
  { members, groups, groupCount }: CoveredAssets,
  pool: LimitedPool,
  ruleIndex: number,
  before: Sums,
): Cut {
  if (cutTogether.length === 0) return NOTHING_CUT;
  const { remaining } = pool;
  const { whole, part } = remaining;
  // Only the groups that are cut are summed. Each has a slot, starting at 1.
  const slotOf = new Int32Array(groupCount);
  const togetherOf: number[] = [-1];
  for (const [together, { groups: own }] of cutTogether.entries()) {
    for (const group of own) {
      slotOf[group] = togetherOf.length;
      togetherOf.push(together);
    }
  }
  const multipliers = cutTogether.map(({ kept }) => new Multiplier(kept.numerator, kept.denominator));
  // Pushed one by one: `map` makes arrays of different kinds, and the loop over all assets would be compiled for each.
  const multiplierOf: Multiplier[] = [];
  for (const together of togetherOf) multiplierOf.push(multipliers[Math.max(together, 0)]!);
  const after = new Sums(togetherOf.length);
  const cuts = pool.cuts[Math.floor(ruleIndex / CUTS_PER_WORD)]!;
  const bit = 1 << (ruleIndex % CUTS_PER_WORD);
  const otherCuts = pool.cuts.filter((word) => word !== cuts);
  // The previous amounts, by position in `members`. They limit how much residue the last assets can receive.
  const { whole: wholeBefore, part: partBefore } = pool.scratch;
  const memberCount = members.length;
  const cutting = { slotOf, multiplierOf, after, cuts, otherCuts, bit };
  const firstCutCount = cutMembers(members, groups, remaining, pool.scratch, cutting);

  const residues = cutTogether.map(({ groups: own, kept }) => {
    const had = own.reduce((sum, group) => sum + before.amount(group), 0n);
    const has = own.reduce((sum, group) => sum + after.amount(slotOf[group]!), 0n);
    return (had * kept.numerator) / kept.denominator - has;
  });
  const given = new Map<number, bigint>();
  const residuesGiven: Residue[] = [];
  let open = residues.filter((residue) => residue > 0n).length;
  for (let at = memberCount - 1; at >= 0 && open > 0; at -= 1) {
    const group = groups[at]!;
    const together = togetherOf[slotOf[group]!]!;
    if (together < 0 || residues[together] === 0n) continue;
    const index = members[at]!;
    const has = toBigInt(whole[index]!, part[index]!);
    const room = toBigInt(wholeBefore[at]!, partBefore[at]!) - has;
    let share = residues[together]!;
    if (room < share) share = room;
    setBigInt(remaining, index, has + share);
    given.set(group, (given.get(group) ?? 0n) + share);
    if (share > 0n) residuesGiven.push({ asset: index, amount: share });
    residues[together] = residues[together]! - share;
    if (residues[together] === 0n) open -= 1;
  }

  if (pool.greatest !== null) keepGreatest(pool.greatest, members, groups, slotOf, pool, ruleIndex);

  const removedOf = new Map<number, bigint>();
  let [cutCount, cutAmount, removed] = [0, 0n, 0n];
  for (const { groups: own } of cutTogether) {
    for (const group of own) {
      const slot = slotOf[group]!;
      const had = before.amount(group);
      const taken = had - after.amount(slot) - (given.get(group) ?? 0n);
      removedOf.set(group, taken);
      removed += taken;
      cutCount += before.count[group]!;
      cutAmount += had;
    }
  }
  const cut = { count: cutCount, amount: cutAmount };
  return { removed, removedOf, cut, firstCutCount, residues: residuesGiven };
}

interface Cutting {
  /** By group: its slot, starting at 1, or 0 if the group is not cut. The other arrays are indexed by slot. */
  readonly slotOf: Int32Array;
  readonly multiplierOf: readonly Multiplier[];
  readonly after: Sums;
  readonly cuts: Int32Array;
  readonly otherCuts: readonly Int32Array[];
  readonly bit: number;
}

/**
 * A separate function, like every loop over all assets, so that V8 compiles it early and keeps it compiled. Inside a
 * larger function the same loop runs uncompiled for a long time and allocates an object for every number.
 * @returns the number of assets that no earlier rule had cut
 */
function cutMembers(
  members: Int32Array,
  groups: Int32Array,
  remaining: AmountColumn,
  had: AmountColumn,
  { slotOf, multiplierOf, after, cuts, otherCuts, bit }: Cutting,
): number {
  const { whole, part } = remaining;
  const { whole: wholeBefore, part: partBefore } = had;
  const memberCount = members.length;
  let firstCutCount = 0;
  for (let at = 0; at < memberCount; at += 1) {
    const slot = slotOf[groups[at]!]!;
    if (slot === 0) continue;
    const index = members[at]!;
    wholeBefore[at] = whole[index]!;
    partBefore[at] = part[index]!;
    multiplierOf[slot]!.multiplyAt(remaining, index);
    after.addFrom(slot, remaining, index);
    const earlier = cuts[index]!;
    if (earlier === 0 && isUncut(otherCuts, index)) firstCutCount += 1;
    cuts[index] = earlier | bit;
  }
  return firstCutCount;
}

/** Keeps a rule's cuts where they are the greatest so far, and restores the amounts for the next rule. */
function keepGreatest(
  { kept, rule }: GreatestCuts,
  members: Int32Array,
  groups: Int32Array,
  slotOf: Int32Array,
  { remaining, scratch }: LimitedPool,
  ruleIndex: number,
): void {
  for (let at = 0; at < members.length; at += 1) {
    if (slotOf[groups[at]!] === 0) continue;
    const index = members[at]!;
    const [whole, part] = [remaining.whole[index]!, remaining.part[index]!];
    const keptWhole = kept.whole[index]!;
    const isLess = whole < keptWhole || (whole === keptWhole && part < kept.part[index]!);
    if (isLess || rule[index] === -1) {
      kept.whole[index] = whole;
      kept.part[index] = part;
      rule[index] = ruleIndex;
    }
    remaining.whole[index] = scratch.whole[at]!;
    remaining.part[index] = scratch.part[at]!;
  }
}

/** By rule: the assets whose greatest cut is the rule's, and what they lose by it. */
export function countGreatest(
  { kept, rule }: GreatestCuts,
  { members, remaining }: LimitedPool,
  rules: number,
): Tally[] {
  const [had, has] = [new Sums(rules), new Sums(rules)];
  for (let at = 0; at < members.length; at += 1) {
    const index = members[at]!;
    const of = rule[index]!;
    if (of === -1) continue;
    had.addFrom(of, remaining, index);
    has.addFrom(of, kept, index);
  }
  return Array.from(had.count, (count, of) => ({ count, amount: had.amount(of) - has.amount(of) }));
}

function isUncut(cuts: readonly Int32Array[], index: number): boolean {
  for (let at = 0; at < cuts.length; at += 1) if (cuts[at]![index] !== 0) return false;
  return true;
}
