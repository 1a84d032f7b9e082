import { type Fraction, fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { OffsetOutcome, Tally } from '@tapeline/domain/borrowing-base/outcome.ts';
import { groupingKey, type PreparedContract, type PreparedOffset } from '@tapeline/domain/borrowing-base/prepare.ts';
import { LISTED_GROUPS } from '@tapeline/domain/borrowing-base/result.ts';
import { type AmountColumn, makeAmounts, PARTS, Sums } from './amount-columns.ts';
import { addMembers, coverPool } from './apply-limit.ts';
import { CUTS_PER_WORD, type CutTogether, cutGroups } from './cuts.ts';
import { groupNames } from './groups.ts';
import type { Labels } from './labels.ts';
import type { LimitedPool } from './limited-pool.ts';
import type { TapeColumns } from './pools.ts';
import { bySum, leaders, rank } from './ranking.ts';

/** What the offsets of a contract took off the pool. */
export interface OffsetsTaken {
  /** By tape position: one bit for each offset that reduced the asset, 30 bits per word. */
  readonly cuts: readonly Int32Array[];
  readonly outcomes: readonly OffsetOutcome[];
}

/** Takes the offsets of a contract, in order, off `pool.remaining`. */
export async function applyOffsets(
  prepared: PreparedContract,
  columns: TapeColumns,
  pool: LimitedPool,
  labels: Labels,
): Promise<OffsetsTaken> {
  const words = Math.ceil(prepared.offsets.length / CUTS_PER_WORD);
  const cuts = Array.from({ length: words }, () => new Int32Array(columns.length));
  const outcomes: OffsetOutcome[] = [];
  for (const [index, offset] of prepared.offsets.entries()) {
    const outcome = await applyOffset(offset, index, prepared, columns, { ...pool, greatest: null, cuts }, labels);
    outcomes.push(outcome);
  }
  return { cuts, outcomes };
}

const NOTHING: Tally = { count: 0, amount: 0n };

async function applyOffset(
  offset: PreparedOffset,
  index: number,
  prepared: PreparedContract,
  columns: TapeColumns,
  pool: LimitedPool,
  labels: Labels,
): Promise<OffsetOutcome> {
  const key = groupingKey(offset.grouping);
  const { owed, firstOf } = owedByGroup(offset, columns.codes.get(key)!, columns, prepared);
  const owing = Int32Array.from(owed.whole.keys()).filter((group) => owed.whole[group]! > 0 || owed.part[group]! > 0);
  const covered = coverPool(pool, columns, key);
  const before = new Sums(covered.groupCount);
  addMembers(before, covered.members, covered.groups, pool.remaining);
  const eligibleOf = (group: number): Tally => (group < covered.groupCount ? before.tally(group) : NOTHING);
  const takenOf = (group: number): bigint => {
    const [asked, had] = [owed.amount(group), eligibleOf(group).amount];
    if (asked > had) return had;
    return asked;
  };

  let total = 0n;
  const whole: number[] = [];
  const cuts: CutTogether[] = [];
  for (const group of owing) {
    const [asked, had] = [owed.amount(group), eligibleOf(group).amount];
    total += asked;
    if (had === 0n) continue;
    if (asked >= had) whole.push(group);
    else cuts.push({ groups: [group], kept: keptOf(asked, had) });
  }
  if (whole.length > 0) cuts.push({ groups: whole, kept: fraction(0n) });
  const { cut, removed } = cutGroups(cuts, covered, pool, index, before);

  const keysOf = async (groups: readonly number[]) => {
    const positions = groups.map((group) => firstOf[group]!);
    const names = await groupNames(labels, offset.grouping, positions);
    return new Map(groups.map((group) => [group, names.get(firstOf[group]!) ?? null]));
  };
  const ranked = await rank(leaders(owing, owed.whole, LISTED_GROUPS), bySum(owed), LISTED_GROUPS, keysOf);
  const listed = ranked.slice(0, LISTED_GROUPS);
  const keys = await keysOf(listed);
  return {
    groupCount: owing.length,
    owed: total,
    taken: { count: cut.count, amount: removed },
    groups: listed.map((group) => ({
      key: keys.get(group) ?? null,
      eligible: eligibleOf(group),
      owed: owed.amount(group),
      taken: takenOf(group),
    })),
  };
}

const keptOf = (asked: bigint, had: bigint): Fraction => fraction(had - asked, had);

/** What an offset takes of each group, from all its assets in scope, and one of these. */
function owedByGroup(
  { kind, measured, amounts }: PreparedOffset,
  codes: Int32Array,
  columns: TapeColumns,
  prepared: PreparedContract,
): { owed: Sums; firstOf: Int32Array } {
  const groupCount = largestOf(codes) + 1;
  const owed = new Sums(groupCount);
  const firstOf = new Int32Array(groupCount);
  const { scope } = columns;
  if (kind === 'negatives' || measured === null) {
    addNegatives(owed, firstOf, codes, scope, columns.measured.get(prepared.outstanding.field.path)!);
  } else {
    const stated = columns.measured.get(measured.field.path)!;
    if (amounts === 'perAsset') addStated(owed, firstOf, codes, scope, stated);
    else keepLargest(owed, firstOf, codes, scope, stated);
  }
  owed.normalize();
  return { owed, firstOf };
}

// Loops over all assets. Each is a separate function so that V8 compiles it early.

function largestOf(codes: Int32Array): number {
  let most = 0;
  for (let index = 0; index < codes.length; index += 1) if (codes[index]! > most) most = codes[index]!;
  return most;
}

function addStated(owed: Sums, firstOf: Int32Array, codes: Int32Array, scope: Int16Array, stated: AmountColumn): void {
  for (let index = 0; index < codes.length; index += 1) {
    // A negative amount owes nothing.
    if (scope[index]! < 0 || stated.whole[index]! < 0) continue;
    const group = codes[index]!;
    if (owed.count[group] === 0) firstOf[group] = index;
    owed.addFrom(group, stated, index);
  }
}

function keepLargest(
  owed: Sums,
  firstOf: Int32Array,
  codes: Int32Array,
  scope: Int16Array,
  { whole, part }: AmountColumn,
): void {
  for (let index = 0; index < codes.length; index += 1) {
    if (scope[index]! < 0 || whole[index]! < 0) continue;
    const group = codes[index]!;
    if (owed.count[group] === 0) firstOf[group] = index;
    owed.count[group] = owed.count[group]! + 1;
    const most = owed.whole[group]!;
    if (whole[index]! < most || (whole[index]! === most && part[index]! <= owed.part[group]!)) continue;
    owed.whole[group] = whole[index]!;
    owed.part[group] = part[index]!;
  }
}

function addNegatives(
  owed: Sums,
  firstOf: Int32Array,
  codes: Int32Array,
  scope: Int16Array,
  { whole, part }: AmountColumn,
): void {
  const positive = makeAmounts(1);
  for (let index = 0; index < codes.length; index += 1) {
    if (scope[index]! < 0 || whole[index]! >= 0) continue;
    const group = codes[index]!;
    if (owed.count[group] === 0) firstOf[group] = index;
    const hasPart = part[index]! > 0;
    positive.whole[0] = hasPart ? -whole[index]! - 1 : -whole[index]!;
    positive.part[0] = hasPart ? PARTS - part[index]! : 0;
    owed.addFrom(group, positive, 0);
  }
}
