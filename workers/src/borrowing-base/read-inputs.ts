import { type ColumnToRead, readColumns, type TakeBlock, UnfamiliarParquet } from '@tapeline/parquet';
import type { Input, TapeInputs } from './tape-inputs.ts';

/** Number of queries, each over a range of the tape: while TypeScript processes one range, DuckDB reads the next. */
export const STRETCHES = 5;

/**
 * Reads the inputs directly from the tape's files, one row group at a time.
 * @param claim the next row group to read. Several threads that share it read each row group once
 * @returns false if an input is computed by SQL, or if only DuckDB can read the files. The caller must then read all
 *   rows by SQL, including those already passed to `take`
 */
export async function readFromFiles(
  paths: readonly string[],
  inputs: readonly Input[],
  take: TakeBlock,
  claim: () => number,
): Promise<boolean> {
  const columns = inputs.flatMap(({ kind, nullable, source }): ColumnToRead[] => {
    if (source === null) return [];
    const { column: name, literals } = source;
    return [literals ? { name, kind: 'listed', literals, isOptional: nullable } : { name, kind, isOptional: nullable }];
  });
  if (columns.length < inputs.length) return false;
  try {
    await readColumns(paths, columns, take, claim);
    return true;
  } catch (error) {
    if (error instanceof UnfamiliarParquet) return false;
    throw error;
  }
}

/** Reads the inputs with at most `count` SQL queries, in whatever order DuckDB returns the rows. */
export async function readBySql(inputs: TapeInputs, count: number, take: TakeBlock): Promise<void> {
  const { parts } = inputs;
  const reader = inputs.reader();
  const { select, values } = inputs.toSql();
  const stretches = parts.length === 0 ? [] : count === 1 ? [parts.from] : parts.stretches(count);
  const run = (from: string | undefined) =>
    from === undefined ? null : parts.run(`SELECT ${select} FROM ${from}`, values);
  let next = run(stretches[0]);
  for (const [at] of stretches.entries()) {
    const result = await next!;
    next = run(stretches[at + 1]);
    next?.catch(() => undefined);
    let fetching = result.fetchChunk();
    for (;;) {
      const chunk = await fetching;
      if (chunk === null || chunk.rowCount === 0) break;
      fetching = result.fetchChunk();
      reader.read(chunk, chunk.rowCount);
      take(chunk.rowCount, reader);
    }
  }
}
