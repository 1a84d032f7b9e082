import type { DuckDBConnection } from '@duckdb/node-api';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { pickRows, readBatchFile, readBatchRows } from '@tapeline/sheets/batch-file.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { describeBatch, longestText } from './batch-facts.ts';
import type { CompiledMapping } from './compile/compile.ts';
import { rowsAtOnce } from './compile/row-bytes.ts';
import type { MappingEngine, Written } from './mapping-engine.ts';
import { stageBatch, VECTOR_ROWS } from './stage-batch.ts';

/** Maximum bytes of text in the rows of one batch. Readers of the asset lake load 2,048 of its rows at a time. */
const MAX_TEXT_BYTES = 2 * 2 ** 30;

/**
 * Maps a staged batch file to its candidate parts: the rows that are assets so far, and the errored rows. Only the
 * columns that the mapping uses are read; all columns are read for the errored rows only. The same batch always gives
 * the same bytes.
 * @returns the number of rows in each part
 * @throws Refusal if the rules produce more text than a batch can hold
 */
export async function transformPart(
  engine: MappingEngine,
  compiled: CompiledMapping,
  staged: string,
  files: { assets: string; errored: string },
  maxTextBytes = MAX_TEXT_BYTES,
): Promise<{ assets: number; errored: number }> {
  const batch = await readBatchFile(staged, compiled.usedColumns);
  const rowsOf = (rowNumbers: Int32Array) => readBatchRows(staged, rowNumbers);
  return transformRows(engine, compiled, { batch, rowsOf }, files, { maxTextBytes });
}

/**
 * The same for a batch that is open.
 * @param rows.rowsOf the rows with these sheet row numbers, with all columns of the sheet
 * @param written what is written of the rows
 */
export async function transformRows(
  engine: MappingEngine,
  compiled: CompiledMapping,
  { batch, rowsOf }: { batch: RawBatch; rowsOf: (rowNumbers: Int32Array) => Promise<RawBatch> },
  files: { assets: string; errored: string },
  { maxTextBytes = MAX_TEXT_BYTES, ...written }: Written & { maxTextBytes?: number } = {},
): Promise<{ assets: number; errored: number }> {
  const { misfits } = batch;
  const fitting =
    misfits.size === 0
      ? batch
      : pickRows(
          batch,
          batch.rowNumbers.filter((row) => !misfits.has(row)),
        );
  const described = describeBatch(fitting, compiled.usedColumns);
  // These facts hold for all rows. The codes in `described` only cover the fitting rows.
  const ofAll = misfits.size === 0 ? described : describeBatch(batch, compiled.usedColumns, 0);
  const bytes = compiled.rowBytes((index) => ofAll.longest.get(index) ?? 0);
  const widths = { described, bytes, maxTextBytes, written };
  const failing = await writeAssets(engine, compiled, fitting, files.assets, widths);
  const errored = [...failing, ...misfits.keys()].sort((a, b) => a - b);
  const rowNumbers = Int32Array.from(errored);
  const rows = errored.length === 0 ? pickRows(batch, rowNumbers) : await rowsOf(rowNumbers);
  const originBytes = rows.columns.reduce((sum, _, index) => sum + longestText(rows, index), 0);
  const slices = slicesOf(rows, rowsAtOnce(bytes + 3 * originBytes));
  await inSlices(engine, slices, files.errored, (slice, path) =>
    engine.writeErrored(compiled, slice, path, ofAll.facts, written),
  );
  return { assets: batch.rowCount - errored.length, errored: errored.length };
}

interface Widths {
  readonly described: ReturnType<typeof describeBatch>;
  /** Upper bound for the bytes that mapping one row produces. */
  readonly bytes: number;
  readonly maxTextBytes: number;
  readonly written: Written;
}

/** @returns sheet row numbers of the errored rows, ascending */
async function writeAssets(
  engine: MappingEngine,
  compiled: CompiledMapping,
  batch: RawBatch,
  path: string,
  { described, bytes, maxTextBytes, written: what }: Widths,
): Promise<number[]> {
  const slices = slicesOf(batch, rowsAtOnce(bytes));
  if (slices.length === 1) return engine.writeAssets(compiled, batch, path, described, what);
  // One plan serves all slices, because facts about the batch hold for each slice. Codes would refer to the whole
  // batch, so coding is disabled.
  const known = describeBatch(batch, compiled.usedColumns, 0);
  let written = 0;
  const errored = await inSlices(engine, slices, path, async (slice, slicePath) => {
    const found = await engine.writeAssets(compiled, slice, slicePath, known, what);
    written += await engine.textBytes(compiled, slicePath, what);
    if (written > maxTextBytes) {
      throw new Refusal(
        'badRequest',
        `The rules make more than ${(maxTextBytes / 2 ** 30).toFixed(1)} GB of text of ${batch.rowCount} rows. Shorten the texts that they put in.`,
      );
    }
    return found;
  });
  return errored.flat();
}

/** Splits the rows into slices that are mapped one at a time. Returns a single slice if a whole DuckDB vector fits. */
function slicesOf(batch: RawBatch, most: number): RawBatch[] {
  if (most >= Math.min(VECTOR_ROWS, batch.rowCount)) return [batch];
  const slices: RawBatch[] = [];
  for (let start = 0; start < batch.rowCount; start += most) {
    const end = Math.min(batch.rowCount, start + most);
    const rowNumbers = batch.rowNumbers.subarray(start, end);
    slices.push({
      ...batch,
      firstRow: rowNumbers[0] ?? batch.firstRow,
      rowCount: end - start,
      rowNumbers,
      columns: batch.columns.map(({ tags, values }) => ({
        tags: tags.subarray(start, end),
        values: values.subarray(start, end),
      })),
    });
  }
  return slices;
}

/** Writes each slice to a file and joins the files into one. */
async function inSlices<T>(
  engine: MappingEngine,
  slices: readonly RawBatch[],
  path: string,
  write: (slice: RawBatch, path: string) => Promise<T>,
): Promise<T[]> {
  const [only] = slices;
  if (slices.length === 1 && only) return [await write(only, path)];
  const results: T[] = [];
  const paths = slices.map((_, at) => `${path}.${at}`);
  for (const [at, slice] of slices.entries()) results.push(await write(slice, paths[at]!));
  await engine.join(paths, path);
  return results;
}

/**
 * Writes the rows with these sheet row numbers (ascending) from a staged batch file to a new table in the raw layout.
 */
export async function stageRows(
  connection: DuckDBConnection,
  staged: string,
  rowNumbers: readonly number[],
  tableName: string,
): Promise<void> {
  await stageBatch(connection, await readBatchRows(staged, Int32Array.from(rowNumbers)), tableName);
}
