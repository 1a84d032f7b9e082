import { stat } from 'node:fs/promises';
import { BatchTexts, ColumnTarget, makeBatch, type ReadOptions, rowsPerBatch } from './batches.ts';
import { CsvScanner, type CsvScannerOptions, sniffDelimiter } from './csv-scanner.ts';
import { readCsvText } from './csv-text.ts';
import { findHeader, HEAD_ROWS } from './header-row.ts';
import { refuseSheet } from './limits.ts';
import { MAX_SHEET_COLUMNS, type RawBatch, type SheetHead } from './raw-batch.ts';
import type { SheetFacts } from './sheet-facts.ts';
import { TextArena } from './text-arena.ts';
import { columnLetters } from './workbook-parts.ts';

/** The name of a CSV file's only sheet. */
export const CSV_SHEET_NAME = 'CSV';

const SNIFFED_BYTES = 256 << 10;

/**
 * Reads a CSV file's records below the header as batches of text columns. Delimiter (comma, semicolon, tab, bar),
 * quotes and encoding (UTF-8, UTF-16, Windows-1252) are detected; record n is sheet row n.
 * @throws SheetError as for a workbook
 */
export async function* readCsvBatches(path: string, options: ReadOptions): AsyncGenerator<RawBatch> {
  const { head, settings, mostRows } = await readCsvHead(path, options.headerRow, options.signal);
  options.onHead?.(head);
  const sheetColumns = head.columns.map((column) => column.sheetColumn);
  const capacity = rowsPerBatch(sheetColumns.length, options.batchRows, mostRows);
  const scanner = new CsvScanner(new ColumnTarget(sheetColumns, capacity), settings);
  const shared = new TextArena();
  let index = 0;
  let rowBefore = head.headerRow;
  const finish = (): RawBatch => {
    const texts = new BatchTexts(shared, scanner.texts);
    const batch = makeBatch(scanner.target, texts, index, rowBefore, scanner.misfits);
    options.onFacts?.(scanner.facts);
    index += 1;
    rowBefore = batch.rowNumbers[batch.rowCount - 1]!;
    scanner.openBatch(new ColumnTarget(sheetColumns, capacity));
    return batch;
  };
  const isWanted = (): boolean => index >= (options.skipBatches ?? 0);
  for await (const chunk of readCsvText(path, options.signal, options.onRead)) {
    scanner.feed(chunk);
    while (scanner.isPaused) {
      const wanted = isWanted();
      const batch = finish();
      if (wanted) {
        yield batch;
      }
      scanner.resume();
    }
  }
  scanner.finishRecords();
  while (scanner.isPaused) {
    const wanted = isWanted();
    const batch = finish();
    if (wanted) {
      yield batch;
    }
    scanner.resume();
  }
  options.onFacts?.(scanner.facts);
  if (scanner.target.rowCount > 0 && isWanted()) {
    yield finish();
  }
}

export interface CsvHead {
  readonly head: SheetHead;
  /** How to scan the rows below the header. */
  readonly settings: CsvScannerOptions;
  readonly cells: ColumnTarget;
  readonly texts: TextArena;
  /** About the first rows: those with more fields than the header, and facts that no column shows. */
  readonly misfits: ReadonlyMap<number, string>;
  readonly facts: SheetFacts;
  /** More than the number of rows with a value: each has a character and a line end. A small file needs little room. */
  readonly mostRows: number;
}

/** Reads as much of a CSV file as the header and the first rows need. */
export async function readCsvHead(path: string, headerRow?: number, signal?: AbortSignal): Promise<CsvHead> {
  const { size } = await stat(path);
  const mostRows = Math.ceil(size / 2) + 1;
  const seen: Uint8Array[] = [];
  let scanner: CsvScanner | undefined;
  let delimiter = 0;
  let isWhole = true;
  const open = (columns: number): CsvScanner =>
    new CsvScanner(headTarget(columns, mostRows), {
      delimiter,
      headerRow: 0,
      nameOf: (column) => columnLetters(column - 1),
    });
  for await (const chunk of readCsvText(path, signal)) {
    if (chunk.length === 0) {
      continue;
    }
    if (scanner === undefined) {
      delimiter = sniffDelimiter(chunk.subarray(0, SNIFFED_BYTES));
      scanner = open(USUAL_COLUMNS);
    }
    seen.push(chunk);
    scanner.feed(chunk);
    if (scanner.isPaused) {
      isWhole = false;
      break;
    }
  }
  if (scanner !== undefined && isWhole) {
    scanner.finishRecords();
  }
  if (scanner === undefined || scanner.target.rowCount === 0) {
    throw refuseSheet('The file is empty. Choose an .xlsx or .csv file with a header row and data rows.');
  }
  if (scanner.highestColumn > scanner.target.width) {
    scanner = open(MAX_SHEET_COLUMNS);
    scanAll(scanner, seen, isWhole);
  }
  const { target: cells, texts } = scanner;
  const header = findHeader({ cells, textOf: (code) => texts.text(code), epoch: 1900 }, headerRow);
  const names = new Map(header.columns.map((column) => [column.sheetColumn + 1, column.header]));
  const settings: CsvScannerOptions = {
    delimiter,
    headerRow: header.headerRow,
    headerFields: 1 + header.columns.at(-1)!.sheetColumn,
    nameOf: (column) => (names.has(column) ? `"${names.get(column)}"` : columnLetters(column - 1)),
  };
  // A second scan, with the header known: the preview has the same errors as reading these rows.
  const sheetColumns = header.columns.map((column) => column.sheetColumn);
  const below = new CsvScanner(new ColumnTarget(sheetColumns, HEAD_ROWS), settings);
  scanAll(below, seen, isWhole);
  const head = { sheetName: CSV_SHEET_NAME, epoch: 1900 as const, ...header };
  return { head, settings, cells, texts, misfits: below.misfits, facts: below.facts, mostRows };
}

/** Columns that the head is first read with. */
const USUAL_COLUMNS = 512;

function scanAll(scanner: CsvScanner, chunks: readonly Uint8Array[], isWhole: boolean): void {
  for (let index = 0; index < chunks.length && !scanner.isPaused; index += 1) {
    scanner.feed(chunks[index]!);
  }
  if (isWhole && !scanner.isPaused) {
    scanner.finishRecords();
  }
}

function headTarget(columns: number, mostRows: number): ColumnTarget {
  return new ColumnTarget(
    Array.from({ length: columns }, (_, column) => column),
    Math.min(HEAD_ROWS, mostRows),
  );
}
