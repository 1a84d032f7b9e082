import { ColumnFiles, PageReader, UnfamiliarParquet } from '../parquet/column-pages.ts';
import { BLOCK_ROWS, ColumnValues } from '../parquet/column-values.ts';
import type { Input, InputRows, Inputs } from './inputs.ts';
import type { TapeParts } from './tape-parts.ts';

/** Takes some rows of the tape; their arrays are used again for the next. */
type Take = (rows: number, block: InputRows) => void;

/** Queries over a stretch of the tape each: while TypeScript judges one, DuckDB reads the next. */
export const STRETCHES = 5;

/**
 * Reads the inputs as they lie in the tape's files, one row group after the other.
 * @returns false where an input is made by SQL, or the files are in a form that DuckDB alone reads: rows taken by then come again
 */
export async function readFromFiles(parts: TapeParts, inputs: Inputs, take: Take): Promise<boolean> {
  const plans = inputs.all.map(({ source }) => source);
  if (plans.includes(null)) return false;
  const names = [...new Set(plans.map((source) => source!.column))];
  try {
    const files = await ColumnFiles.open(parts.files, names);
    const pages = new PageReader();
    try {
      await readGroups(files, pages, names, inputs.all, take);
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
): Promise<void> {
  const readers = inputs.map(
    ({ kind, source }) => new ColumnValues(source?.literals ? 'place' : kind, source?.literals),
  );
  const places = inputs.map(({ source }) => names.indexOf(source!.column));
  const block: InputRows = {
    values: readers.map(({ values }) => values),
    // A missing text is place 0, and a place is always there.
    present: readers.map(({ present }, index) => (inputs[index]!.nullable ? present : ALL_PRESENT)),
  };
  for (const group of files.rowGroups) {
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

/** Reads the inputs by SQL, in at most `count` queries: what they hold, and in whatever order DuckDB gives it. */
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
