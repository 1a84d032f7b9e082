import { compareFractions, decimalToFraction, type Fraction, fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { WholeGroupOutcome } from '@tapeline/domain/borrowing-base/outcome.ts';
import {
  groupingKey,
  type PreparedContract,
  type PreparedEligibility,
} from '@tapeline/domain/borrowing-base/prepare.ts';
import { LISTED_GROUPS } from '@tapeline/domain/borrowing-base/result.ts';
import { type AmountColumn, Sums } from './amount-columns.ts';
import type { Answer, AnswerLayout } from './answers.ts';
import { askForNames, groupNames } from './groups.ts';
import type { Labels } from './labels.ts';
import type { MeasuredGroups } from './pools.ts';
import { leaders, rank } from './ranking.ts';

/** What is known of every asset before it is sorted into pools. */
interface ReadAssets {
  readonly layout: AnswerLayout;
  readonly words: readonly Int32Array[];
  /** -1 if out of scope. */
  readonly scope: Int16Array;
  readonly outstanding: AmountColumn;
  /** By grouping: 0 if missing, otherwise a code starting at 1. */
  readonly codes: ReadonlyMap<string, Int32Array>;
}

/** What the rules about whole groups decided. */
interface FailedGroups {
  /** By eligibility rule; null for those about single assets. */
  readonly measured: (MeasuredGroups | null)[];
  /** Tape positions of the assets that fail with their group, ascending. */
  readonly failed: Int32Array;
}

/**
 * Applies the rules about whole groups: the answer to such a rule becomes set for all assets of the groups that fail, and
 * for no others.
 */
export function failWholeGroups(prepared: PreparedContract, assets: ReadAssets): FailedGroups {
  const { layout } = assets;
  const rules = prepared.eligibility.flatMap(({ wholeGroup }, index): RuleToApply[] => {
    if (wholeGroup === null) return [];
    const answer = layout.eligibility[index] ?? null;
    return [{ index, wholeGroup, answer, excepted: layout.excepted[index] ?? null }];
  });
  if (rules.length === 0) return { measured: prepared.eligibility.map(() => null), failed: new Int32Array() };
  // Rules that measure the same assets in the same groups, and whose answers are in one word, share their passes.
  const shared = Map.groupBy(rules, ({ index, wholeGroup, answer, excepted }) =>
    excepted || !answer ? `rule ${index}` : `${answer.word} ${groupingKey(wholeGroup.grouping)}`,
  );
  const isFailed = new Uint8Array(assets.scope.length);
  const found = new Map([...shared.values()].flatMap((together) => failTogether(together, assets, isFailed)));
  return {
    measured: prepared.eligibility.map((_, index) => found.get(index) ?? null),
    failed: positionsOf(isFailed),
  };
}

interface RuleToApply {
  readonly index: number;
  readonly wholeGroup: NonNullable<PreparedEligibility['wholeGroup']>;
  /** Null if no asset can fail. */
  readonly answer: Answer | null;
  readonly excepted: Answer | null;
}

/** Several rules over the same groups of the same assets. @param isFailed by tape position, set for those that fail */
function failTogether(
  rules: readonly RuleToApply[],
  { words, scope, outstanding, codes: codesOf }: ReadAssets,
  isFailed: Uint8Array,
): (readonly [index: number, groups: MeasuredGroups])[] {
  const [{ wholeGroup, answer, excepted }] = rules as [RuleToApply];
  const codes = codesOf.get(groupingKey(wholeGroup.grouping))!;
  const masks = rules.map((rule) => (rule.answer ? 1 << rule.answer.shift : 0));
  const mask = masks.reduce((all, one) => all | one, 0);
  const assets: MeasuredAssets = {
    ...{ codes, scope, mask },
    word: answer ? words[answer.word]! : codes,
    exceptedWord: excepted ? words[excepted.word]! : codes,
    exceptedMask: excepted ? 1 << excepted.shift : 0,
  };
  const slots = slotsOf(assets, largest(codes) + 1);
  const { slotCount } = slots;
  const whole = new Sums(slotCount);
  const failing = rules.map(() => new Sums(slotCount));
  const firstOf = new Int32Array(slotCount).fill(-1);
  const sumOf: Sums[] = [];
  for (const [at, one] of masks.entries()) if (one !== 0) sumOf[31 - Math.clz32(one)] = failing[at]!;
  addBySlot(assets, slots.slotOf, outstanding, { whole, firstOf, sumOf });
  // The comparison with the share relies on parts below a unit.
  for (const sums of [whole, ...failing]) sums.normalize();
  const bitsOf = new Int32Array(slotCount);
  const found = rules.map(({ index, wholeGroup: { percent } }, at) => {
    const failed = failedGroups(whole, failing[at]!, decimalToFraction(percent));
    for (const slot of failed) bitsOf[slot] = bitsOf[slot]! | masks[at]!;
    const largestGroups = Array.from(leaders(failed, whole.whole, LISTED_GROUPS), (slot) => ({
      ...whole.tally(slot),
      first: firstOf[slot]!,
      failing: failing[at]!.amount(slot),
    }));
    return [index, { groupCount: slots.groupCount, failedGroupCount: failed.length, largest: largestGroups }] as const;
  });
  if (mask !== 0) writeAnswers(assets, slots.slotOf, bitsOf, isFailed);
  return found;
}

/**
 * Hundredths of a unit: a group that is nearer to the share is compared exactly. Leaving out the parts of a unit changes the
 * difference by at most 200, and rounding two products of up to 59 bits by less than 200.
 */
const DOUBT = 1000;

const isFailed = (amount: bigint, failing: bigint, least: Fraction): boolean =>
  amount > 0n && compareFractions(fraction(failing * 100n, amount), least) >= 0;

/** The groups whose failing part is at least the share, in per cent. */
function failedGroups(whole: Sums, failing: Sums, least: Fraction): Int32Array {
  const share = Number(least.numerator) / Number(least.denominator);
  const failed: number[] = [];
  for (let group = 0; group < whole.count.length; group += 1) {
    // Most groups have no asset that fails, and most others are far from the share: integers of any size are slow.
    if (failing.count[group] === 0) continue;
    const distance = failing.whole[group]! * 100 - whole.whole[group]! * share;
    if (distance < -DOUBT) continue;
    if (distance > DOUBT) failed.push(group);
    else if (isFailed(whole.amount(group), failing.amount(group), least)) failed.push(group);
  }
  return Int32Array.from(failed);
}

/**
 * Starts to read the names of the groups that can be listed, of all rules together: each reading goes over the whole
 * column.
 */
export function askForFailed(
  prepared: PreparedContract,
  measured: readonly (MeasuredGroups | null)[],
  labels: Labels,
): void {
  const rules = prepared.eligibility.flatMap(({ wholeGroup }, index) => {
    const positions = measured[index]?.largest.map(({ first }) => first) ?? [];
    return wholeGroup ? [{ grouping: wholeGroup.grouping, positions }] : [];
  });
  for (const together of Map.groupBy(rules, ({ grouping }) => groupingKey(grouping)).values()) {
    askForNames(
      labels,
      together[0]!.grouping,
      together.flatMap(({ positions }) => positions),
    );
  }
}

/** The largest groups that fail, with their keys. */
export async function describeGroups(
  { wholeGroup }: PreparedEligibility,
  measured: MeasuredGroups | null,
  labels: Labels,
): Promise<WholeGroupOutcome | null> {
  if (wholeGroup === null || measured === null) return null;
  const { largest: groups, ...counts } = measured;
  const keysOf = async (indexes: readonly number[]) => {
    const first = (index: number) => groups[index]!.first;
    const found = await groupNames(labels, wholeGroup.grouping, indexes.map(first));
    return new Map(indexes.map((index) => [index, found.get(first(index)) ?? null]));
  };
  const byAmount = (a: number, b: number) =>
    Number(groups[b]!.amount > groups[a]!.amount) - Number(groups[b]!.amount < groups[a]!.amount);
  const ranked = await rank(Int32Array.from(groups.keys()), byAmount, LISTED_GROUPS, keysOf);
  const listed = ranked.slice(0, LISTED_GROUPS);
  const keys = await keysOf(listed);
  return {
    ...counts,
    groups: listed.map((index) => {
      const { first: _, ...group } = groups[index]!;
      return { key: keys.get(index) ?? null, ...group };
    }),
  };
}

// Loops over all assets. Each is a separate function so that V8 compiles it early.

function largest(codes: Int32Array): number {
  let most = 0;
  for (let index = 0; index < codes.length; index += 1) if (codes[index]! > most) most = codes[index]!;
  return most;
}

interface MeasuredAssets {
  readonly codes: Int32Array;
  readonly scope: Int16Array;
  /** The word with the answers of the rules, and the bits of all of them. */
  readonly word: Int32Array;
  readonly mask: number;
  readonly exceptedWord: Int32Array;
  readonly exceptedMask: number;
}

/** The groups in which any asset fails: only they can fail. Most groups of a long tape have no such asset. */
interface GroupSlots {
  /** By group: its slot, starting at 1; 0 if nothing of it fails. */
  readonly slotOf: Int32Array;
  readonly slotCount: number;
  /** Groups with a measured asset. */
  readonly groupCount: number;
}

const [MEASURED, FAILING] = [1, 2];

function slotsOf(
  { codes, scope, word, mask, exceptedWord, exceptedMask }: MeasuredAssets,
  length: number,
): GroupSlots {
  // Bytes stay in the processor's cache where sums of all groups would not.
  const seen = new Uint8Array(length);
  for (let index = 0; index < codes.length; index += 1) {
    if (scope[index]! < 0 || (exceptedWord[index]! & exceptedMask) !== 0) continue;
    const group = codes[index]!;
    seen[group] = seen[group]! | ((word[index]! & mask) === 0 ? MEASURED : FAILING);
  }
  const slotOf = new Int32Array(length);
  let [slotCount, groupCount] = [1, 0];
  for (let group = 0; group < length; group += 1) {
    if (seen[group] === 0) continue;
    groupCount += 1;
    if (seen[group]! < FAILING) continue;
    slotOf[group] = slotCount;
    slotCount += 1;
  }
  return { slotOf, slotCount, groupCount };
}

/** @param sums.sumOf by the bit of a rule: what fails it */
function addBySlot(
  { codes, scope, word, mask, exceptedWord, exceptedMask }: MeasuredAssets,
  slotOf: Int32Array,
  outstanding: AmountColumn,
  { whole, firstOf, sumOf }: { whole: Sums; firstOf: Int32Array; sumOf: readonly Sums[] },
): void {
  for (let index = 0; index < codes.length; index += 1) {
    const slot = slotOf[codes[index]!]!;
    if (slot === 0 || scope[index]! < 0 || (exceptedWord[index]! & exceptedMask) !== 0) continue;
    if (firstOf[slot]! < 0) firstOf[slot] = index;
    // A negative amount counts as zero, but its asset is one of the group.
    if (outstanding.whole[index]! < 0) {
      whole.count[slot] = whole.count[slot]! + 1;
      continue;
    }
    whole.addFrom(slot, outstanding, index);
    for (let bits = word[index]! & mask; bits !== 0; bits &= bits - 1) {
      sumOf[31 - Math.clz32(bits & -bits)]!.addFrom(slot, outstanding, index);
    }
  }
}

/** An excepted asset never fails, so its answers stay. @param bitsOf by slot: the bits of the rules that it fails */
function writeAnswers(
  { codes, scope, word, mask, exceptedWord, exceptedMask }: MeasuredAssets,
  slotOf: Int32Array,
  bitsOf: Int32Array,
  isFailed: Uint8Array,
): void {
  for (let index = 0; index < codes.length; index += 1) {
    const slot = slotOf[codes[index]!]!;
    // Nothing of the group fails, so no bit is set.
    if (slot === 0 || scope[index]! < 0 || (exceptedWord[index]! & exceptedMask) !== 0) continue;
    const bits = bitsOf[slot]!;
    word[index] = (word[index]! & ~mask) | bits;
    if (bits !== 0) isFailed[index] = 1;
  }
}

function positionsOf(flags: Uint8Array): Int32Array {
  const positions = new Int32Array(flags.length);
  let length = 0;
  for (let index = 0; index < flags.length; index += 1) {
    if (flags[index] === 0) continue;
    positions[length] = index;
    length += 1;
  }
  return positions.subarray(0, length);
}
