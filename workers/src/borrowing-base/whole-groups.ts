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
  /** Tape positions of the assets that fail with their group, in any order. */
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
  // Rules that measure the same assets in the same groups share their passes.
  const shared = Map.groupBy(rules, ({ index, wholeGroup, excepted }) =>
    excepted ? `rule ${index}` : groupingKey(wholeGroup.grouping),
  );
  const { length } = assets.scope;
  const work: Work = {
    failed: { has: new Uint8Array(length), positions: new Int32Array(length), length: 0 },
    failing: new Int32Array(length),
    members: new Int32Array(length),
  };
  const found = new Map([...shared.values()].flatMap((together) => failTogether(together, assets, work)));
  return {
    measured: prepared.eligibility.map((_, index) => found.get(index) ?? null),
    failed: work.failed.positions.subarray(0, work.failed.length),
  };
}

interface RuleToApply {
  readonly index: number;
  readonly wholeGroup: NonNullable<PreparedEligibility['wholeGroup']>;
  /** Null if no asset can fail. */
  readonly answer: Answer | null;
  readonly excepted: Answer | null;
}

/** Arrays for lists of assets, which all rules use one after another. */
interface Work {
  /** Assets that fail with their group so far. */
  readonly failed: FailedAssets;
  readonly failing: Int32Array;
  readonly members: Int32Array;
}

interface FailedAssets {
  /** By tape position: 1 for those that are listed. */
  readonly has: Uint8Array;
  readonly positions: Int32Array;
  length: number;
}

/** Several rules over the same groups of the same assets. */
function failTogether(
  rules: readonly RuleToApply[],
  { words, scope, outstanding, codes: codesOf }: ReadAssets,
  work: Work,
): (readonly [index: number, groups: MeasuredGroups])[] {
  const [{ wholeGroup, excepted }] = rules as [RuleToApply];
  const measured: MeasuredAssets = {
    codes: codesOf.get(groupingKey(wholeGroup.grouping))!,
    scope,
    exceptedWord: excepted ? words[excepted.word]! : null,
    exceptedMask: excepted ? 1 << excepted.shift : 0,
    answers: answersOf(rules, words),
  };
  const slots = slotsOf(measured, work.failing);
  const { slotCount, groupCount } = slots;
  const whole = new Sums(slotCount);
  const firstOf = new Int32Array(slotCount).fill(-1);
  const members = addBySlot(measured, slots.slotOf, outstanding, { whole, firstOf }, work.members);
  const failing = new Sums(slotCount * rules.length);
  for (const answers of measured.answers) {
    addFailing(answers, slots, measured.codes, outstanding, { failing, ruleCount: rules.length });
  }
  // The comparison with the share relies on parts below a unit.
  whole.normalize();
  failing.normalize();
  const leasts = rules.map(({ wholeGroup: { percent } }) => decimalToFraction(percent));
  const failedOf = failedSlots(whole, failing, leasts);
  for (const { word, mask, ruleOf } of measured.answers) {
    const bitsOf = new Int32Array(slotCount);
    for (const [shift, at] of ruleOf.entries()) {
      if (at >= 0) for (const slot of failedOf[at]!) bitsOf[slot] = bitsOf[slot]! | (1 << shift);
    }
    clearAnswers(word, mask, slots.failing);
    if (failedOf.every((failed) => failed.length === 0)) continue;
    writeAnswers({ word, codes: measured.codes, slotOf: slots.slotOf, bitsOf }, members, work.failed);
  }
  return rules.map(({ index }, at) => {
    const failed = failedOf[at]!;
    const largestGroups = Array.from(leaders(failed, whole.whole, LISTED_GROUPS), (slot) => ({
      ...whole.tally(slot),
      first: firstOf[slot]!,
      failing: failing.amount(slot * rules.length + at),
    }));
    return [index, { groupCount, failedGroupCount: failed.length, largest: largestGroups }] as const;
  });
}

/** The rules by the word with their answers. */
function answersOf(rules: readonly RuleToApply[], words: readonly Int32Array[]): RuleAnswers[] {
  const found = new Map<number, { mask: number; ruleOf: Int32Array }>();
  for (const [at, { answer }] of rules.entries()) {
    if (answer === null) continue;
    const one = found.get(answer.word) ?? { mask: 0, ruleOf: new Int32Array(32).fill(-1) };
    found.set(answer.word, one);
    one.mask |= 1 << answer.shift;
    one.ruleOf[answer.shift] = at;
  }
  return [...found].map(([word, one]) => ({ word: words[word]!, ...one }));
}

/**
 * Hundredths of a unit: a group that is nearer to the share is compared exactly. Leaving out the parts of a unit changes the
 * difference by at most 200, and rounding two products of up to 59 bits by less than 200.
 */
const DOUBT = 1000;

const isFailed = (amount: bigint, failing: bigint, least: Fraction): boolean =>
  amount > 0n && compareFractions(fraction(failing * 100n, amount), least) >= 0;

/**
 * By rule: the groups whose failing part is at least its share.
 * @param leasts the shares, in per cent
 */
function failedSlots(whole: Sums, failing: Sums, leasts: readonly Fraction[]): Int32Array[] {
  const ruleCount = leasts.length;
  const shares = Float64Array.from(leasts, (least) => Number(least.numerator) / Number(least.denominator));
  const failed = leasts.map((): number[] => []);
  for (let slot = 1; slot < whole.count.length; slot += 1) {
    for (let at = 0; at < ruleCount; at += 1) {
      const of = slot * ruleCount + at;
      // Most groups are far from the share: integers of any size are slow.
      if (failing.count[of] === 0) continue;
      const distance = failing.whole[of]! * 100 - whole.whole[slot]! * shares[at]!;
      if (distance < -DOUBT) continue;
      if (distance > DOUBT) failed[at]!.push(slot);
      else if (isFailed(whole.amount(slot), failing.amount(of), leasts[at]!)) failed[at]!.push(slot);
    }
  }
  return failed.map((slots) => Int32Array.from(slots));
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

/** Rules whose answers are in one word. */
interface RuleAnswers {
  readonly word: Int32Array;
  readonly mask: number;
  /** By bit: the rule; -1 for the bits of other answers. */
  readonly ruleOf: Int32Array;
}

interface MeasuredAssets {
  readonly codes: Int32Array;
  readonly scope: Int16Array;
  /** Null if no asset is excepted. */
  readonly exceptedWord: Int32Array | null;
  readonly exceptedMask: number;
  readonly answers: readonly RuleAnswers[];
}

/** The groups in which any asset fails: only they can fail. Most groups of a long tape have no such asset. */
interface GroupSlots {
  /** By group: its slot, starting at 1; 0 if nothing of it fails. */
  readonly slotOf: Int32Array;
  readonly slotCount: number;
  /** Groups with a measured asset. */
  readonly groupCount: number;
  /** Tape positions of the assets that fail any of the rules. */
  readonly failing: Int32Array;
}

/** @param failing where the assets that fail are listed */
function slotsOf(
  { codes, scope, exceptedWord, exceptedMask, answers }: MeasuredAssets,
  failing: Int32Array,
): GroupSlots {
  // Codes are dense: the largest is at most the number of assets and one. Pages that are not touched take no memory.
  const slotOf = new Int32Array(codes.length + 2);
  // Bytes stay in the processor's cache where sums of all groups would not.
  const seen = new Uint8Array(codes.length + 2);
  let [slotCount, groupCount, length] = [1, 0, 0];
  for (let index = 0; index < codes.length; index += 1) {
    if (scope[index]! < 0 || (exceptedWord !== null && (exceptedWord[index]! & exceptedMask) !== 0)) continue;
    const group = codes[index]!;
    if (seen[group] === 0) {
      seen[group] = 1;
      groupCount += 1;
    }
    let fails = 0;
    for (let at = 0; at < answers.length; at += 1) fails |= answers[at]!.word[index]! & answers[at]!.mask;
    if (fails === 0) continue;
    failing[length] = index;
    length += 1;
    if (slotOf[group] !== 0) continue;
    slotOf[group] = slotCount;
    slotCount += 1;
  }
  return { slotOf, slotCount, groupCount, failing: failing.subarray(0, length) };
}

/**
 * @param members where the assets of the groups that have a slot are listed
 * @returns the part of it that is filled
 */
function addBySlot(
  { codes, scope, exceptedWord, exceptedMask }: MeasuredAssets,
  slotOf: Int32Array,
  outstanding: AmountColumn,
  { whole, firstOf }: { whole: Sums; firstOf: Int32Array },
  members: Int32Array,
): Int32Array {
  let length = 0;
  for (let index = 0; index < codes.length; index += 1) {
    const slot = slotOf[codes[index]!]!;
    if (slot === 0 || scope[index]! < 0) continue;
    if (exceptedWord !== null && (exceptedWord[index]! & exceptedMask) !== 0) continue;
    members[length] = index;
    length += 1;
    if (firstOf[slot]! < 0) firstOf[slot] = index;
    // A negative amount counts as zero, but its asset is one of the group.
    if (outstanding.whole[index]! < 0) whole.count[slot] = whole.count[slot]! + 1;
    else whole.addFrom(slot, outstanding, index);
  }
  return members.subarray(0, length);
}

/** The rules of a slot are beside each other in memory. */
function addFailing(
  { word, mask, ruleOf }: RuleAnswers,
  { slotOf, failing: positions }: GroupSlots,
  codes: Int32Array,
  outstanding: AmountColumn,
  { failing, ruleCount }: { failing: Sums; ruleCount: number },
): void {
  for (let at = 0; at < positions.length; at += 1) {
    const index = positions[at]!;
    if (outstanding.whole[index]! < 0) continue;
    const first = slotOf[codes[index]!]! * ruleCount;
    for (let bits = word[index]! & mask; bits !== 0; bits &= bits - 1) {
      failing.addFrom(first + ruleOf[31 - Math.clz32(bits & -bits)]!, outstanding, index);
    }
  }
}

function clearAnswers(word: Int32Array, mask: number, failing: Int32Array): void {
  for (let at = 0; at < failing.length; at += 1) word[failing[at]!] = word[failing[at]!]! & ~mask;
}

/** @param answers.bitsOf by slot: the bits of the rules that the group fails */
function writeAnswers(
  { word, codes, slotOf, bitsOf }: { word: Int32Array; codes: Int32Array; slotOf: Int32Array; bitsOf: Int32Array },
  members: Int32Array,
  failed: FailedAssets,
): void {
  const { has, positions } = failed;
  let { length } = failed;
  for (let at = 0; at < members.length; at += 1) {
    const index = members[at]!;
    const bits = bitsOf[slotOf[codes[index]!]!]!;
    if (bits === 0) continue;
    word[index] = word[index]! | bits;
    if (has[index] === 1) continue;
    has[index] = 1;
    positions[length] = index;
    length += 1;
  }
  failed.length = length;
}
