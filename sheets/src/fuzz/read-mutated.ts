import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadOptions } from '../batches.ts';
import { inspectSheetFile } from '../inspect-sheet.ts';
import { readCell, type SheetHead } from '../raw-batch.ts';
import { readSheetBatches } from '../read-sheet.ts';
import { SheetError } from '../sheet-error.ts';
import { type PlainCell, type PlainWorkbook, readPlainly } from '../testing/plain-workbook.ts';
import { mutate, type Source } from './mutate.ts';
import { fuzzSources } from './sources.ts';

// A separate process reads the mutated files of a range of numbers, so that one that hangs or fills memory can be
// stopped and named: `read-mutated.ts SEED FROM TO` prints a line for each file.

export interface FuzzOutcome {
  readonly index: number;
  readonly source: string;
  /**
   * `same`: read as if nothing had been changed; `right`: read as the plain reader reads it; `refused`: a SheetError;
   * `wrong`: read, but neither of the above; `crashed`: any other error.
   */
  readonly outcome: 'same' | 'right' | 'refused' | 'wrong' | 'crashed';
  readonly detail?: string;
  /** Peak resident memory of the process so far. */
  readonly peakBytes: number;
}

interface Read {
  readonly head: SheetHead;
  /** Cells by row, without blank ones. */
  readonly rows: ReadonlyMap<number, ReadonlyMap<number, PlainCell>>;
}

/** One in this many files is unpacked by a thread, as large ones are. */
const FILES_A_THREAD = 20;

const folder = mkdtempSync(join(tmpdir(), 'tapeline-fuzz-'));
const path = join(folder, 'file.xlsx');
const [seed, from, to] = process.argv.slice(2).map(Number) as [number, number, number];
const sources = fuzzSources();
const untouched = new Map<Source, string>();
try {
  for (const source of sources) {
    untouched.set(source, fingerprint(await read(source.bytes)));
    const wrong = difference(await read(source.bytes), readPlainly(source.bytes));
    if (wrong !== undefined) throw new Error(`${source.name} itself is misread: ${wrong}`);
  }
  for (let index = from; index < to; index += 1) {
    const { source, bytes } = mutate(sources, seed, index);
    const found = await judge(source, bytes, index % FILES_A_THREAD === 0 ? { threadFromBytes: 0 } : {});
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    process.stdout.write(`${JSON.stringify({ index, source: source.name, ...found, peakBytes })}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function judge(
  source: Source,
  bytes: Buffer,
  options: ReadOptions,
): Promise<Pick<FuzzOutcome, 'outcome' | 'detail'>> {
  try {
    const found = await read(bytes, options);
    await inspectSheetFile(path);
    if (fingerprint(found) === untouched.get(source)) {
      return { outcome: 'same' };
    }
    const detail = compare(found, bytes);
    return detail === undefined ? { outcome: 'right' } : { outcome: 'wrong', detail };
  } catch (error) {
    if (error instanceof SheetError) {
      return { outcome: 'refused', detail: error.message };
    }
    return { outcome: 'crashed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function read(bytes: Buffer, options: ReadOptions = {}): Promise<Read> {
  writeFileSync(path, bytes);
  let head: SheetHead | undefined;
  const rows = new Map<number, Map<number, PlainCell>>();
  const onHead = (found: SheetHead): void => {
    head = found;
  };
  for await (const batch of readSheetBatches(path, { onHead, batchRows: 16, ...options })) {
    for (let row = 0; row < batch.rowCount; row += 1) {
      const cells = new Map<number, PlainCell>();
      for (const { index, sheetColumn } of head!.columns) {
        const value = readCell(batch, index, row);
        if (value !== null) {
          cells.set(sheetColumn + 1, { tag: batch.columns[index]!.tags[row]!, value });
        }
      }
      rows.set(batch.rowNumbers[row]!, cells);
    }
  }
  return { head: head!, rows };
}

function fingerprint({ head, rows }: Read): string {
  return JSON.stringify([head, [...rows].map(([row, cells]) => [row, [...cells]])]);
}

/** What is wrong with the result for these bytes; undefined if nothing is. */
function compare(found: Read, bytes: Buffer): string | undefined {
  let plain: PlainWorkbook;
  try {
    plain = readPlainly(bytes);
  } catch (error) {
    return `the plain reader does not read it: ${error instanceof Error ? error.message : String(error)}`;
  }
  return difference(found, plain);
}

/** The first cell in which the two readers differ; undefined if there is none. */
function difference({ head, rows }: Read, workbook: PlainWorkbook): string | undefined {
  const sheet = workbook.sheets.find(({ name }) => name === head.sheetName);
  if (sheet === undefined || workbook.epoch !== head.epoch) {
    return `the sheet ${head.sheetName} of ${head.epoch} is missing`;
  }
  const columns = head.columns.map(({ sheetColumn }) => sheetColumn + 1);
  for (const row of new Set([...rows.keys(), ...sheet.rows.keys()])) {
    if (row <= head.headerRow) continue;
    const [mine, theirs] = [rows.get(row), sheet.rows.get(row)];
    const isShown = columns.some((column) => {
      const value = theirs?.get(column)?.value;
      return value !== undefined && String(value).trim() !== '';
    });
    if (mine === undefined && !isShown) continue;
    for (const column of columns) {
      const [one, other] = [mine?.get(column), theirs?.get(column)];
      if (one?.tag !== other?.tag || !Object.is(one?.value, other?.value)) {
        return `row ${row}, column ${column}: ${JSON.stringify(one)} instead of ${JSON.stringify(other)}`;
      }
    }
  }
  return undefined;
}
