import { type Fraction, fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import { type OffsetList, offsetListOf } from '@tapeline/domain/borrowing-base/offset-list.ts';
import type { OffsetOutcome, Tally } from '@tapeline/domain/borrowing-base/outcome.ts';
import { groupingKey, type PreparedContract, type PreparedOffset } from '@tapeline/domain/borrowing-base/prepare.ts';
import { AMOUNT_SCALE, LISTED_GROUPS } from '@tapeline/domain/borrowing-base/result.ts';
import { toScaled } from '@tapeline/domain/money/decimal.ts';
import { type AmountColumn, makeAmounts, PARTS, Sums, setBigInt } from './amount-columns.ts';
import { addMembers, coverPool } from './apply-limit.ts';
import { CUTS_PER_WORD, type CutTogether, cutGroups } from './cuts.ts';
import { groupNames } from './groups.ts';
import type { Labels } from './labels.ts';
import type { LimitedPool } from './limited-pool.ts';
import { positionsOfGroups } from './listed-groups.ts';
import type { TapeColumns } from './pools.ts';
import { bySum, leaders, rank } from './ranking.ts';
import type { TapeParts } from './tape-parts.ts';

/** What the offsets of a contract took off the pool. */
export interface OffsetsTaken {
  /** By tape position: one bit for each offset that reduced the asset, 30 bits per word. */
  readonly cuts: readonly Int32Array[];
  readonly outcomes: readonly OffsetOutcome[];
}

/** What the amounts of offsets are read from. */
export interface OffsetSources {
  readonly parts: TapeParts;
  readonly labels: Labels;
  /** Of each offset from a file. */
  readonly lists: readonly OffsetList[] | undefined;
}

/** Takes the offsets of a contract, in order, off `pool.remaining`. */
export async function applyOffsets(
  prepared: PreparedContract,
  columns: TapeColumns,
  pool: LimitedPool,
  sources: OffsetSources,
): Promise<OffsetsTaken> {
  const words = Math.ceil(prepared.offsets.length / CUTS_PER_WORD);
  const cuts = Array.from({ length: words }, () => new Int32Array(columns.length));
  const outcomes: OffsetOutcome[] = [];
  for (const [index, offset] of prepared.offsets.entries()) {
    const outcome = await applyOffset(offset, index, prepared, columns, { ...pool, greatest: null, cuts }, sources);
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
  sources: OffsetSources,
): Promise<OffsetOutcome> {
  const key = groupingKey(offset.grouping);
  const codes = columns.codes.get(key)!;
  const list = offset.kind === 'file' ? offsetListOf(sources.lists, offset.rule) : null;
  const { owed, keysOf, withoutAssets } = list
    ? await owedByList(list, offset, codes, columns.scope, sources.parts)
    : owedByAssets(offset, codes, columns, prepared, sources.labels);
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
    ...(list && withoutAssets && { list: { file: list.file, withoutAssets } }),
  };
}

const keptOf = (asked: bigint, had: bigint): Fraction => fraction(had - asked, had);

/** What an offset takes of each group. */
interface Owed {
  readonly owed: Sums;
  /** Of a file: its groups without an asset in scope. */
  readonly withoutAssets?: Tally;
  /** The names of groups. */
  readonly keysOf: (groups: readonly number[]) => Promise<ReadonlyMap<number, string | null>>;
}

/**
 * What a file has for each group. Its groups without an asset in scope come after those of the tape, so that no asset is
 * of them.
 */
async function owedByList(
  { groups }: OffsetList,
  { grouping }: PreparedOffset,
  codes: Int32Array,
  scope: Int16Array,
  parts: TapeParts,
): Promise<Owed> {
  const positions = await positionsOfGroups(parts, grouping, [...groups.keys()]);
  const groupCount = largestOf(codes) + 1;
  const inScope = groupsInScope(codes, scope, groupCount);
  const owed = new Sums(groupCount + groups.size);
  const names = new Map<number, string>();
  const withoutAssets = { count: 0, amount: 0n };
  const amounts = makeAmounts(1);
  for (const [name, text] of groups) {
    const amount = toScaled(text, AMOUNT_SCALE);
    const position = positions.get(name);
    let group = position === undefined ? -1 : codes[position]!;
    if (group < 0 || inScope[group] === 0) {
      group = groupCount + withoutAssets.count;
      withoutAssets.count += 1;
      withoutAssets.amount += amount;
    }
    names.set(group, name);
    setBigInt(amounts, 0, amount);
    owed.addFrom(group, amounts, 0);
  }
  owed.normalize();
  const keysOf = async (wanted: readonly number[]) => new Map(wanted.map((group) => [group, names.get(group) ?? null]));
  return { owed, withoutAssets, keysOf };
}

/** What the assets in scope state for each group. */
function owedByAssets(
  { kind, measured, amounts, grouping }: PreparedOffset,
  codes: Int32Array,
  columns: TapeColumns,
  prepared: PreparedContract,
  labels: Labels,
): Owed {
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
  const keysOf = async (groups: readonly number[]) => {
    const names = await groupNames(
      labels,
      grouping,
      groups.map((group) => firstOf[group]!),
    );
    return new Map(groups.map((group) => [group, names.get(firstOf[group]!) ?? null]));
  };
  return { owed, keysOf };
}

// Loops over all assets. Each is a separate function so that V8 compiles it early.

function largestOf(codes: Int32Array): number {
  let most = 0;
  for (let index = 0; index < codes.length; index += 1) if (codes[index]! > most) most = codes[index]!;
  return most;
}

function groupsInScope(codes: Int32Array, scope: Int16Array, groupCount: number): Uint8Array {
  const found = new Uint8Array(groupCount);
  for (let index = 0; index < codes.length; index += 1) if (scope[index]! >= 0) found[codes[index]!] = 1;
  return found;
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
