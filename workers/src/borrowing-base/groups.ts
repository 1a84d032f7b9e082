import { type Grouping, groupingKey, type PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import { SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import type { Labels } from './labels.ts';
import { ChunkReader, type Input } from './tape-inputs.ts';
import type { TapeParts } from './tape-parts.ts';

/** What makes the groups of each rule, without duplicates, by `groupingKey`. */
export function groupingsOf(prepared: PreparedContract): Map<string, Grouping> {
  const groupings = [
    ...prepared.concentration.flatMap(({ groupBy }) => (groupBy ? [{ field: groupBy, parent: null }] : [])),
    ...prepared.eligibility.flatMap(({ wholeGroup }) => (wholeGroup ? [wholeGroup.grouping] : [])),
    ...prepared.offsets.map(({ grouping }) => grouping),
  ];
  return new Map(groupings.map((grouping) => [groupingKey(grouping), grouping]));
}

const integer = (index: number): Input => ({ index, kind: 'integer', nullable: false, source: null });

/**
 * The group of each asset where a parent can name it: 0 if it has neither, otherwise a code starting at 1. The stored
 * codes of the two fields do not compare, so their texts are.
 */
export async function readParentCodes(parts: TapeParts, { field, parent }: Grouping): Promise<Int32Array> {
  const codes = new Int32Array(parts.length);
  if (parent === null || parts.length === 0) return codes;
  const key = `coalesce(${parts.column(parent)}, ${parts.column(field)})`;
  const position = quoteName(SEQUENCE_COLUMN);
  const code = 'CASE WHEN k IS NULL THEN 0 ELSE dense_rank() OVER (ORDER BY k) END';
  const result = await parts.run(
    `SELECT CAST(p AS INTEGER), CAST(${code} AS INTEGER) FROM (SELECT ${position} AS p, ${key} AS k FROM ${parts.from})`,
    [],
  );
  const reader = new ChunkReader([integer(0), integer(1)]);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return codes;
    reader.read(chunk, chunk.rowCount);
    const [positions, found] = reader.values as [Int32Array, Int32Array];
    for (let row = 0; row < chunk.rowCount; row += 1) codes[positions[row]!] = found[row]!;
  }
}

/** Starts to read the names of groups, by the position of one of their assets. */
export function askForNames(labels: Labels, { field, parent }: Grouping, positions: readonly number[]): void {
  labels.ask(field, positions);
  if (parent !== null) labels.ask(parent, positions);
}

/** The names of groups, by the position of one of their assets. */
export async function groupNames(
  labels: Labels,
  { field, parent }: Grouping,
  positions: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  const own = await labels.get(field, positions);
  if (parent === null) return own;
  const above = await labels.get(parent, positions);
  return new Map(positions.map((position) => [position, above.get(position) ?? own.get(position) ?? null]));
}
