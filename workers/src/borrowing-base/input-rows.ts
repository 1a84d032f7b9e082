import { ColumnFiles, PageReader, UnfamiliarParquet } from '../parquet/column-pages.ts';
import { BLOCK_ROWS, ColumnValues } from '../parquet/column-values.ts';
import type { Input, InputRows, Inputs } from './inputs.ts';
import type { TapeParts } from './tape-parts.ts';

/** Receives a block of rows of the tape. The arrays are reused for the next block. */
export type Take = (rows: number, block: InputRows) => void;

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
  take: Take,
  claim: () => number,
): Promise<boolean> {
  const plans = inputs.map(({ source }) => source);
  if (plans.includes(null)) return false;
  const names = [...new Set(plans.map((source) => source!.column))];
  try {
    const files = await ColumnFiles.open(paths, names);
    const pages = new PageReader();
    try {
      await readGroups(files, pages, names, inputs, take, claim);
    } finally {
      pages.close();
      await files.close();
    }
    return true;
  } catch (error) {
    if (error instanceof UnfamiliarParquet) return false;
    throw error;
  }
}

const ALL_PRESENT = new Uint8Array(BLOCK_ROWS).fill(1);

async function readGroups(
  files: ColumnFiles,
  pages: PageReader,
  names: readonly string[],
  inputs: readonly Input[],
  take: Take,
  claim: () => number,
): Promise<void> {
  const readers = inputs.map(
    ({ kind, source }) => new ColumnValues(source?.literals ? 'place' : kind, source?.literals),
  );
  const places = inputs.map(({ source }) => names.indexOf(source!.column));
  const block: InputRows = {
    values: readers.map(({ values }) => values),
    // A missing text has position 0, so a position is always present.
    present: readers.map(({ present }, index) => (inputs[index]!.nullable ? present : ALL_PRESENT)),
  };
  for (;;) {
    const group = files.rowGroups[claim()];
    if (group === undefined) return;
    const { rows } = group;
    const columns = await pages.read(group);
    for (const [index, reader] of readers.entries()) reader.begin(columns[places[index]!]!);
    for (let done = 0; done < rows; done += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, rows - done);
      for (const [index, reader] of readers.entries()) {
        if (reader.read(count) && !inputs[index]!.nullable && !inputs[index]!.source?.literals) {
          throw new Error('a column lacks values that its statistics said it has');
        }
      }
      take(count, block);
    }
  }
}

/** Reads the inputs with at most `count` SQL queries, in whatever order DuckDB returns the rows. */
export async function readBySql(parts: TapeParts, inputs: Inputs, count: number, take: Take): Promise<void> {
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
