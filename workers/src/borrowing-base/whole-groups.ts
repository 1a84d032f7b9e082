import { compareFractions, decimalToFraction, fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { WholeGroupOutcome } from '@tapeline/domain/borrowing-base/outcome.ts';
import type { PreparedContract, PreparedEligibility } from '@tapeline/domain/borrowing-base/prepare.ts';
import { LISTED_GROUPS } from '@tapeline/domain/borrowing-base/result.ts';
import { type AmountColumn, Sums } from './amount-columns.ts';
import type { Answer, AnswerLayout } from './answers.ts';
import type { Labels } from './labels.ts';
import { bySum, rank } from './ranking.ts';

/** What is known of every asset before it is sorted into pools. */
interface ReadAssets {
  readonly layout: AnswerLayout;
  readonly words: readonly Int32Array[];
  /** -1 if out of scope. */
  readonly scope: Int16Array;
  readonly outstanding: AmountColumn;
  /** By path: 0 if missing, otherwise a code starting at 1. */
  readonly codes: ReadonlyMap<string, Int32Array>;
}

/** The groups that fail a rule, and those that it measured. */
export interface MeasuredGroups {
  readonly groupCount: number;
  readonly whole: Sums;
  readonly failing: Sums;
  readonly failed: Int32Array;
  /** Of each group the position of an asset in the tape; -1 for a code without assets. */
  readonly firstOf: Int32Array;
}

/**
 * Applies the rules about whole groups: the answer to such a rule becomes set for all assets of the groups that fail, and
 * for no others. The assets must be sorted into pools again.
 * @returns by eligibility rule; null for those about single assets
 */
export const failWholeGroups = (prepared: PreparedContract, assets: ReadAssets): (MeasuredGroups | null)[] =>
  prepared.eligibility.map((rule, index) => {
    if (rule.wholeGroup === null) return null;
    const answer = assets.layout.eligibility[index] ?? null;
    const excepted = assets.layout.excepted[index] ?? null;
    return failGroups(rule.wholeGroup, answer, excepted, assets);
  });

function failGroups(
  { groupBy, percent }: NonNullable<PreparedEligibility['wholeGroup']>,
  answer: Answer | null,
  excepted: Answer | null,
  { words, scope, outstanding, codes: codesOf }: ReadAssets,
): MeasuredGroups {
  const codes = codesOf.get(groupBy.path)!;
  const groupCount = largest(codes) + 1;
  const [whole, failing] = [new Sums(groupCount), new Sums(groupCount)];
  const firstOf = new Int32Array(groupCount).fill(-1);
  /** A bit that is never set if there is no answer. */
  const bitOf = (of: Answer | null): Bit =>
    of === null ? { word: codes, mask: 0 } : { word: words[of.word]!, mask: 1 << of.shift };
  const bit = bitOf(answer);
  const measured = { codes, scope, bit, excepted: bitOf(excepted) };
  addByGroup(measured, outstanding, { whole, failing, firstOf });
  whole.normalize();
  failing.normalize();
  const least = decimalToFraction(percent);
  const failed = Int32Array.from(firstOf.keys()).filter((group) => {
    const amount = whole.amount(group);
    return amount > 0n && compareFractions(fraction(failing.amount(group) * 100n, amount), least) >= 0;
  });
  const isFailed = new Uint8Array(groupCount);
  for (const group of failed) isFailed[group] = 1;
  if (bit.mask !== 0) writeAnswers(measured, isFailed);
  return { groupCount: firstOf.filter((first) => first >= 0).length, whole, failing, failed, firstOf };
}

/** The largest groups that fail, with their keys. */
export async function describeGroups(
  { wholeGroup }: PreparedEligibility,
  measured: MeasuredGroups | null,
  labels: Labels,
): Promise<WholeGroupOutcome | null> {
  if (wholeGroup === null || measured === null) return null;
  const { groupCount, whole, failing, failed, firstOf } = measured;
  const keysOf = async (groups: readonly number[]) => {
    const found = await labels.get(
      wholeGroup.groupBy,
      groups.map((group) => firstOf[group]!),
    );
    return new Map(groups.map((group) => [group, found.get(firstOf[group]!) ?? null]));
  };
  const ranked = await rank(failed, bySum(whole), LISTED_GROUPS, keysOf);
  const listed = ranked.slice(0, LISTED_GROUPS);
  const keys = await keysOf(listed);
  return {
    groupCount,
    failedGroupCount: failed.length,
    groups: listed.map((group) => ({
      key: keys.get(group) ?? null,
      count: whole.count[group]!,
      amount: whole.amount(group),
      failing: failing.amount(group),
    })),
  };
}

interface Bit {
  readonly word: Int32Array;
  readonly mask: number;
}

// Loops over all assets. Each is a separate function so that V8 compiles it early.

function largest(codes: Int32Array): number {
  let most = 0;
  for (let index = 0; index < codes.length; index += 1) if (codes[index]! > most) most = codes[index]!;
  return most;
}

interface Measured {
  readonly codes: Int32Array;
  readonly scope: Int16Array;
  readonly bit: Bit;
  readonly excepted: Bit;
}

function addByGroup(
  { codes, scope, bit, excepted }: Measured,
  outstanding: AmountColumn,
  { whole, failing, firstOf }: { whole: Sums; failing: Sums; firstOf: Int32Array },
): void {
  for (let index = 0; index < codes.length; index += 1) {
    if (scope[index]! < 0 || (excepted.word[index]! & excepted.mask) !== 0) continue;
    const group = codes[index]!;
    if (firstOf[group]! < 0) firstOf[group] = index;
    // A negative amount counts as zero, but its asset is one of the group.
    if (outstanding.whole[index]! < 0) {
      whole.count[group] = whole.count[group]! + 1;
      continue;
    }
    whole.addFrom(group, outstanding, index);
    if ((bit.word[index]! & bit.mask) !== 0) failing.addFrom(group, outstanding, index);
  }
}

/** An excepted asset never fails, so its answer stays. */
function writeAnswers({ codes, scope, bit, excepted }: Measured, isFailed: Uint8Array): void {
  const { word, mask } = bit;
  for (let index = 0; index < codes.length; index += 1) {
    if (scope[index]! < 0 || (excepted.word[index]! & excepted.mask) !== 0) continue;
    word[index] = isFailed[codes[index]!]! === 1 ? word[index]! | mask : word[index]! & ~mask;
  }
}
