import { isAscii, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { BatchTexts } from './batch-texts.ts';
import { makeBatch, type ReadOptions, rowsPerBatch } from './batches.ts';
import { ColumnTarget } from './column-target.ts';
import { CsvScanner, sniffDelimiter } from './csv-scanner.ts';
import { findHeader, HEAD_ROWS } from './header-row.ts';
import { refuseSheet } from './limits.ts';
import { MAX_SHEET_COLUMNS, type RawBatch, type SheetHead } from './raw-batch.ts';
import { TextArena } from './text-arena.ts';

/** The name a CSV file's only sheet goes by. */
export const CSV_SHEET_NAME = 'CSV';

const CHUNK_BYTES = 1 << 20;
const SNIFFED_BYTES = 256 << 10;

/**
 * Reads a CSV file's records below the header as batches of text columns. Delimiter (comma, semicolon, tab, bar),
 * quotes and encoding (UTF-8, UTF-16 by its mark, else Windows-1252) are taken as found; record n is sheet row n.
 * @throws Refusal badRequest as for a workbook.
 */
export async function* readCsvBatches(path: string, options: ReadOptions): AsyncGenerator<RawBatch> {
  const { head, delimiter } = await readCsvHead(path, options.headerRow, options.signal);
  options.onHead?.(head);
  const sheetColumns = head.columns.map((column) => column.sheetColumn);
  const capacity = rowsPerBatch(sheetColumns.length, options.batchRows);
  const scanner = new CsvScanner(new ColumnTarget(sheetColumns, capacity), delimiter, head.headerRow);
  const shared = new TextArena();
  let index = 0;
  let rowBefore = head.headerRow;
  const settle = (): RawBatch => {
    const batch = makeBatch(scanner.target, new BatchTexts(shared, scanner.texts), index, rowBefore);
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
      const batch = settle();
      if (wanted) {
        yield batch;
      }
      scanner.resume();
    }
  }
  scanner.finishRecords();
  while (scanner.isPaused) {
    const wanted = isWanted();
    const batch = settle();
    if (wanted) {
      yield batch;
    }
    scanner.resume();
  }
  if (scanner.target.rowCount > 0 && isWanted()) {
    yield settle();
  }
}

export interface CsvHead {
  readonly head: SheetHead;
  readonly delimiter: number;
  readonly cells: ColumnTarget;
  readonly texts: TextArena;
}

/** Reads as much of a CSV file as the header and the first rows take. */
export async function readCsvHead(path: string, headerRow?: number, signal?: AbortSignal): Promise<CsvHead> {
  const seen: Uint8Array[] = [];
  let scanner: CsvScanner | undefined;
  let delimiter = 0;
  for await (const chunk of readCsvText(path, signal)) {
    if (scanner === undefined) {
      delimiter = sniffDelimiter(chunk.subarray(0, SNIFFED_BYTES));
      scanner = new CsvScanner(headTarget(512), delimiter, 0);
    }
    seen.push(chunk);
    scanner.feed(chunk);
    if (scanner.isPaused) {
      break;
    }
  }
  if (scanner !== undefined && !scanner.isPaused) {
    scanner.finishRecords();
  }
  if (scanner === undefined || scanner.target.rowCount === 0) {
    throw refuseSheet('The file is empty. Upload an .xlsx or .csv file with a header row and data rows.');
  }
  if (scanner.highestColumn > scanner.target.width) {
    const isWhole = !scanner.isPaused;
    scanner = new CsvScanner(headTarget(MAX_SHEET_COLUMNS), delimiter, 0);
    for (let index = 0; index < seen.length && !scanner.isPaused; index += 1) {
      scanner.feed(seen[index]!);
    }
    if (isWhole && !scanner.isPaused) {
      scanner.finishRecords();
    }
  }
  const { target: cells, texts } = scanner;
  const header = findHeader({ cells, textOf: (code) => texts.text(code), epoch: 1900 }, headerRow);
  return { head: { sheetName: CSV_SHEET_NAME, epoch: 1900, ...header }, delimiter, cells, texts };
}

function headTarget(columns: number): ColumnTarget {
  return new ColumnTarget(
    Array.from({ length: columns }, (_, column) => column),
    HEAD_ROWS,
  );
}

/** The file's text as UTF-8 without a byte order mark, whatever it was written in. */
async function* readCsvText(
  path: string,
  signal?: AbortSignal,
  onRead?: ReadOptions['onRead'],
): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined;
  let isUtf8Sure = false;
  let isFirst = true;
  for await (const chunk of readChunks(path, signal, onRead)) {
    let bytes = chunk;
    if (isFirst) {
      isFirst = false;
      if (bytes[0] === 0xff && bytes[1] === 0xfe) {
        decoder = new TextDecoder('utf-16le');
      } else if (bytes[0] === 0xfe && bytes[1] === 0xff) {
        decoder = new TextDecoder('utf-16be');
      } else if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
        bytes = bytes.subarray(3);
        isUtf8Sure = true;
      }
    }
    // The first chunk with other than ASCII letters decides between UTF-8 and the Windows code page.
    if (decoder === undefined && !isUtf8Sure && !isAscii(bytes)) {
      isUtf8Sure = isUtf8(wholeCharacters(bytes));
      decoder = isUtf8Sure ? undefined : new TextDecoder('windows-1252');
    }
    yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }), 'utf8');
  }
}

/** Leaves out a last character that the chunk may have cut. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 4 && bytes[end - 1]! >= 0x80) {
    end -= 1;
    if (bytes[end]! >= 0xc0) {
      break;
    }
  }
  return bytes.subarray(0, end);
}

async function* readChunks(
  path: string,
  signal?: AbortSignal,
  onRead?: ReadOptions['onRead'],
): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    for (let position = 0; ; ) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) {
        return;
      }
      position += bytesRead;
      onRead?.(Math.min(1, position / size));
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
