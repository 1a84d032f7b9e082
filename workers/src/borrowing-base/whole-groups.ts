import { compareFractions, decimalToFraction, type Fraction, fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { WholeGroupOutcome } from '@tapeline/domain/borrowing-base/outcome.ts';
import { groupingKey, type PreparedEligibility } from '@tapeline/domain/borrowing-base/prepare.ts';
import { LISTED_GROUPS } from '@tapeline/domain/borrowing-base/result.ts';
import { type AmountColumn, PARTS, Sums } from './amount-columns.ts';
import type { Answer, AnswerLayout } from './answers.ts';
import { askForNames, groupNames } from './groups.ts';
import type { Labels } from './labels.ts';
import type { MeasuredGroups } from './pools.ts';
import { leaders, rank } from './ranking.ts';

/** The eligibility rules of a contract. */
interface RulesInOrder {
  readonly eligibility: readonly Pick<PreparedEligibility, 'wholeGroup'>[];
}

/** What is known of every asset before it is sorted into pools. */
interface ReadAssets {
  readonly layout: Pick<AnswerLayout, 'eligibility' | 'excepted'>;
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
export function failWholeGroups(prepared: RulesInOrder, assets: ReadAssets): FailedGroups {
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
  const groups = sumGroups(measured, outstanding, work.failing);
  const failing = new Float64Array(groups.slotCount * rules.length);
  for (const answers of measured.answers)
    sumFailing(answers, groups, measured.codes, outstanding, failing, rules.length);
  const leasts = rules.map(({ wholeGroup: { percent } }) => decimalToFraction(percent));
  const { failed, doubtful } = failedSlots(groups, failing, leasts);
  const close = exactSums(measured, groups, outstanding, rules.length, [doubtful.map(({ slot }) => slot)]);
  for (const { slot, rule } of doubtful) {
    const sumIndex = close.sumIndexOf[slot]!;
    const amount = close.whole.amount(sumIndex);
    if (isFailed(amount, close.failing.amount(sumIndex * rules.length + rule), leasts[rule]!)) failed[rule]!.push(slot);
  }
  const largest = failed.map((slots) => leaders(Int32Array.from(slots), groups.amountOf, LISTED_GROUPS, SUM_ERROR));
  const listed = exactSums(measured, groups, outstanding, rules.length, largest);
  for (const { word, mask, ruleOf } of measured.answers) {
    const bitsOf = new Int32Array(groups.slotCount);
    for (const [shift, rule] of ruleOf.entries()) {
      if (rule >= 0) for (const slot of failed[rule]!) bitsOf[slot] = bitsOf[slot]! | (1 << shift);
    }
    clearAnswers(word, mask, groups.failing);
    if (failed.every((slots) => slots.length === 0)) continue;
    writeAnswers(word, bitsOf, groups.slotOf, measured, work.failed);
  }
  return rules.map(({ index }, rule) => {
    const largestGroups = Array.from(largest[rule]!, (slot) => {
      const sumIndex = listed.sumIndexOf[slot]!;
      const failing = listed.failing.amount(sumIndex * rules.length + rule);
      return { ...listed.whole.tally(sumIndex), first: listed.firstOf[sumIndex]!, failing };
    });
    return [index, { groupCount: groups.groupCount, failedGroupCount: failed[rule]!.length, largest: largestGroups }];
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
 * Relative error of a sum of doubles, far above what adding up 20 million of them can make. A group nearer to its share
 * than this is compared exactly.
 */
const SUM_ERROR = 1e-8;

const isFailed = (amount: bigint, failing: bigint, least: Fraction): boolean =>
  amount > 0n && compareFractions(fraction(failing * 100n, amount), least) >= 0;

/** By rule: the groups whose failing part is at least its share; and the groups of which doubles do not tell. */
function failedSlots({ slotCount, amountOf }: GroupSums, failing: Float64Array, leasts: readonly Fraction[]) {
  const ruleCount = leasts.length;
  const shares = Float64Array.from(leasts, (least) => Number(least.numerator) / Number(least.denominator) / 100);
  const failed = leasts.map((): number[] => []);
  const doubtful: { slot: number; rule: number }[] = [];
  for (let slot = 1; slot < slotCount; slot += 1) {
    const whole = amountOf[slot]!;
    for (let rule = 0; rule < ruleCount; rule += 1) {
      const part = failing[slot * ruleCount + rule]!;
      // A share is more than nothing.
      if (part === 0) continue;
      const distance = part - whole * shares[rule]!;
      if (Math.abs(distance) <= whole * SUM_ERROR) doubtful.push({ slot, rule });
      else if (distance > 0) failed[rule]!.push(slot);
    }
  }
  return { failed, doubtful };
}

/** Exact sums of some groups. Reading one makes integers of any size, which are slow, so only what is asked for is read. */
interface ExactSums {
  /** By slot: the index of its sums, starting at 1; 0 for groups that are not added up. */
  readonly sumIndexOf: Int32Array;
  /** By index: its measured assets. */
  readonly whole: Sums;
  /** By index and rule: those that fail the rule. */
  readonly failing: Sums;
  /** By index: its first measured asset. */
  readonly firstOf: Int32Array;
}

/** @param lists slots, of which some are in several lists or several times in one */
function exactSums(
  measured: MeasuredAssets,
  groups: GroupSums,
  outstanding: AmountColumn,
  ruleCount: number,
  lists: readonly (readonly number[] | Int32Array)[],
): ExactSums {
  const sumIndexOf = new Int32Array(groups.slotCount);
  let sumCount = 1;
  for (const slots of lists) {
    for (const slot of slots) {
      if (sumIndexOf[slot] !== 0) continue;
      sumIndexOf[slot] = sumCount;
      sumCount += 1;
    }
  }
  const whole = new Sums(sumCount);
  const failing = new Sums(sumCount * ruleCount);
  const firstOf = new Int32Array(sumCount).fill(-1);
  if (sumCount === 1) return { sumIndexOf, whole, failing, firstOf };
  addExactly(measured, groups.slotOf, sumIndexOf, outstanding, whole, firstOf);
  for (const answers of measured.answers) {
    addFailingExactly(answers, groups, measured.codes, sumIndexOf, outstanding, failing, ruleCount);
  }
  return { sumIndexOf, whole, failing, firstOf };
}

/**
 * Starts to read the names of the groups that can be listed, of all rules together: each reading goes over the whole
 * column.
 */
export function askForFailed(
  prepared: RulesInOrder,
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
interface GroupSums {
  /** By group: its slot, starting at 1; 0 if nothing of it fails. */
  readonly slotOf: Int32Array;
  readonly slotCount: number;
  /** By slot: about what its measured assets add up to. */
  readonly amountOf: Float64Array;
  /** Groups with a measured asset. */
  readonly groupCount: number;
  /** Tape positions of the assets that fail any of the rules. */
  readonly failing: Int32Array;
}

const PART = 1 / PARTS;

/**
 * One pass over the assets. Sums are doubles, which the processor's cache holds for more groups than exact ones; what they
 * do not tell for sure is added up exactly afterwards.
 * @param failing where the assets that fail are listed
 */
function sumGroups(
  { codes, scope, exceptedWord, exceptedMask, answers }: MeasuredAssets,
  { whole, part }: AmountColumn,
  failing: Int32Array,
): GroupSums {
  // Codes are dense: the largest is at most the number of assets and one. Pages that are not touched take no memory.
  const slotOf = new Int32Array(codes.length + 2);
  const sums = new Float64Array(codes.length + 2);
  const seen = new Uint8Array(codes.length + 2);
  let [slotCount, groupCount, length] = [1, 0, 0];
  for (let index = 0; index < codes.length; index += 1) {
    if (scope[index]! < 0 || (exceptedWord !== null && (exceptedWord[index]! & exceptedMask) !== 0)) continue;
    const group = codes[index]!;
    if (seen[group] === 0) {
      seen[group] = 1;
      groupCount += 1;
    }
    // A negative amount counts as zero.
    if (whole[index]! >= 0) sums[group] = sums[group]! + whole[index]! + part[index]! * PART;
    let fails = 0;
    for (let at = 0; at < answers.length; at += 1) fails |= answers[at]!.word[index]! & answers[at]!.mask;
    if (fails === 0) continue;
    failing[length] = index;
    length += 1;
    if (slotOf[group] !== 0) continue;
    slotOf[group] = slotCount;
    slotCount += 1;
  }
  const amountOf = new Float64Array(slotCount);
  for (let at = 0; at < length; at += 1) {
    const group = codes[failing[at]!]!;
    amountOf[slotOf[group]!] = sums[group]!;
  }
  return { slotOf, slotCount, amountOf, groupCount, failing: failing.subarray(0, length) };
}

/** The rules of a slot are beside each other in memory. */
function sumFailing(
  { word, mask, ruleOf }: RuleAnswers,
  { slotOf, failing: positions }: GroupSums,
  codes: Int32Array,
  { whole, part }: AmountColumn,
  failing: Float64Array,
  ruleCount: number,
): void {
  for (let at = 0; at < positions.length; at += 1) {
    const index = positions[at]!;
    if (whole[index]! < 0) continue;
    const amount = whole[index]! + part[index]! * PART;
    const first = slotOf[codes[index]!]! * ruleCount;
    for (let bits = word[index]! & mask; bits !== 0; bits &= bits - 1) {
      const of = first + ruleOf[31 - Math.clz32(bits & -bits)]!;
      failing[of] = failing[of]! + amount;
    }
  }
}

/** @param sumIndexOf by slot: the index of its sums; 0 for groups that are not added up */
function addExactly(
  { codes, scope, exceptedWord, exceptedMask }: MeasuredAssets,
  slotOf: Int32Array,
  sumIndexOf: Int32Array,
  outstanding: AmountColumn,
  sums: Sums,
  firstOf: Int32Array,
): void {
  for (let index = 0; index < codes.length; index += 1) {
    const sumIndex = sumIndexOf[slotOf[codes[index]!]!]!;
    if (sumIndex === 0 || scope[index]! < 0) continue;
    if (exceptedWord !== null && (exceptedWord[index]! & exceptedMask) !== 0) continue;
    if (firstOf[sumIndex]! < 0) firstOf[sumIndex] = index;
    // A negative amount counts as zero, but its asset is one of the group.
    if (outstanding.whole[index]! < 0) sums.count[sumIndex] = sums.count[sumIndex]! + 1;
    else sums.addFrom(sumIndex, outstanding, index);
  }
}

function addFailingExactly(
  { word, mask, ruleOf }: RuleAnswers,
  { slotOf, failing: positions }: GroupSums,
  codes: Int32Array,
  sumIndexOf: Int32Array,
  outstanding: AmountColumn,
  sums: Sums,
  ruleCount: number,
): void {
  for (let at = 0; at < positions.length; at += 1) {
    const index = positions[at]!;
    const sumIndex = sumIndexOf[slotOf[codes[index]!]!]!;
    if (sumIndex === 0 || outstanding.whole[index]! < 0) continue;
    for (let bits = word[index]! & mask; bits !== 0; bits &= bits - 1) {
      sums.addFrom(sumIndex * ruleCount + ruleOf[31 - Math.clz32(bits & -bits)]!, outstanding, index);
    }
  }
}

function clearAnswers(word: Int32Array, mask: number, failing: Int32Array): void {
  for (let at = 0; at < failing.length; at += 1) word[failing[at]!] = word[failing[at]!]! & ~mask;
}

/** @param bitsOf by slot: the bits of the rules that the group fails */
function writeAnswers(
  word: Int32Array,
  bitsOf: Int32Array,
  slotOf: Int32Array,
  { codes, scope, exceptedWord, exceptedMask }: MeasuredAssets,
  failed: FailedAssets,
): void {
  const { has, positions } = failed;
  let { length } = failed;
  for (let index = 0; index < codes.length; index += 1) {
    const bits = bitsOf[slotOf[codes[index]!]!]!;
    if (bits === 0 || scope[index]! < 0) continue;
    if (exceptedWord !== null && (exceptedWord[index]! & exceptedMask) !== 0) continue;
    word[index] = word[index]! | bits;
    if (has[index] === 1) continue;
    has[index] = 1;
    positions[length] = index;
    length += 1;
  }
  failed.length = length;
}
