import { BatchTexts, type ColumnTarget, makeBatch, type ReadOptions, rowsPerBatch } from './batches.ts';
import { CellTag } from './cell-tag.ts';
import { readCsvBatches } from './csv-file.ts';
import { isCsvFile } from './file-kind.ts';
import { findHeader, HEAD_ROWS } from './header-row.ts';
import { MAX_SHEET_COLUMNS, type RawBatch } from './raw-batch.ts';
import type { SharedStringScanner } from './shared-strings.ts';
import { SheetScanner } from './sheet-scanner.ts';
import type { TextArena } from './text-arena.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** Starting a thread takes about 30 ms, which it saves on a sheet of this size that is read and staged. */
const THREAD_FROM_BYTES = 96 << 20;

/**
 * Reads a sheet's data rows (below the header) as batches of columns, in sheet order. The same file always gives the
 * same batches. Memory is that of the shared strings and one batch.
 * @throws SheetError if the file cannot be read, also between batches
 */
export async function* readSheetBatches(path: string, options: ReadOptions = {}): AsyncGenerator<RawBatch> {
  if (await isCsvFile(path)) {
    yield* readCsvBatches(path, options);
    return;
  }
  const workbook = await openWorkbook(path, options.limits);
  let chunks: AsyncGenerator<Uint8Array> | undefined;
  try {
    const sheet = workbook.findSheet(options.sheetName);
    chunks = workbook.openSheet(sheet, {
      signal: options.signal,
      threadFromBytes: options.threadFromBytes ?? THREAD_FROM_BYTES,
    });
    // The sheet's first chunks are unpacked while the texts are read; errors surface when the chunks are requested.
    const first = chunks.next();
    first.catch(() => {});
    const strings = await workbook.readSharedStrings(undefined, options.signal);
    yield* new SheetReader(workbook, sheet, strings, options).batches(startingWith(first, chunks));
  } finally {
    await chunks?.return(undefined);
    await workbook.close();
  }
}

/** Reads one sheet: first its head, to find the header, then everything, reusing the head's chunks. */
class SheetReader {
  private readonly workbook: Workbook;
  private readonly sheet: Sheet;
  private readonly strings: SharedStringScanner;
  private readonly options: ReadOptions;
  private batchCount = 0;
  /** The last row of the previous batch, or the header's. */
  private rowBefore = 0;

  constructor(workbook: Workbook, sheet: Sheet, strings: SharedStringScanner, options: ReadOptions) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.strings = strings;
    this.options = options;
  }

  async *batches(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<RawBatch> {
    const { workbook, options } = this;
    const { arena } = this.strings;
    const blankCodes = this.strings.blankCodes;
    const isBlankShared = (code: number): boolean => blankCodes?.[code] === 1;
    const { cells, inline, seen } = await readHead(workbook, chunks, arena.count, isBlankShared);
    const texts = new BatchTexts(arena, inline);
    const header = findHeader({ cells, textOf: (code) => texts.text(code), epoch: workbook.epoch }, options.headerRow);
    options.onHead?.({ sheetName: this.sheet.name, epoch: workbook.epoch, ...header });

    this.rowBefore = header.headerRow;
    const sheetColumns = header.columns.map((column) => column.sheetColumn);
    const sheetBytes = workbook.sheetBytes(this.sheet);
    const maxRows = sheetBytes <= COUNTED_BYTES ? await countAhead(seen, chunks) : undefined;
    const scanner = new SheetScanner(sheetColumns, rowsPerBatch(sheetColumns.length, options.batchRows, maxRows), {
      tagOfStyle: workbook.tagOfStyle,
      sharedCount: arena.count,
      hasBlankShared: blankCodes !== undefined,
      isBlankShared,
      epoch: workbook.epoch,
      headerRow: header.headerRow,
    });
    let readBytes = 0;
    for await (const chunk of chain(seen, chunks)) {
      readBytes += chunk.length;
      options.onRead?.(Math.min(1, readBytes / sheetBytes));
      scanner.feed(chunk);
      yield* this.fullBatches(scanner);
    }
    scanner.finish();
    yield* this.fullBatches(scanner);
    scanner.refuseTruncated();
    options.onFacts?.(scanner.facts);
    if (scanner.target.rowCount > 0) {
      yield* this.finishBatch(scanner);
    }
  }

  private *fullBatches(scanner: SheetScanner): Generator<RawBatch> {
    while (scanner.isPaused) {
      yield* this.finishBatch(scanner);
      scanner.openBatch();
      scanner.resume();
    }
  }

  /** The batch that was scanned; none if it is to be skipped. */
  private *finishBatch(scanner: SheetScanner): Generator<RawBatch> {
    const { target } = scanner;
    if (scanner.isUnordered) {
      target.sortRows();
    }
    if (this.strings.hasEmpty) {
      blankEmptyTexts(target, this.strings.arena);
    }
    const texts = new BatchTexts(this.strings.arena, scanner.inline);
    const batch = makeBatch(target, texts, this.batchCount, this.rowBefore);
    this.batchCount += 1;
    this.rowBefore = batch.rowNumbers[batch.rowCount - 1]!;
    if (batch.index >= (this.options.skipBatches ?? 0)) {
      this.options.onFacts?.(scanner.facts);
      yield batch;
    }
  }
}

/**
 * A sheet of at most this size is unpacked before its rows are read. The columns of a batch are allocated for all rows that
 * it can have, and V8 would collect garbage for each small sheet, because of memory that it never fills.
 */
const COUNTED_BYTES = 4 << 20;

/**
 * Reads the chunks to the end.
 * @returns more than the number of rows: each row of XML names itself at least once. Undefined if there is more XML than
 *   the directory of the archive says
 */
async function countAhead(seen: Uint8Array[], chunks: AsyncGenerator<Uint8Array>): Promise<number | undefined> {
  let bytes = seen.reduce((sum, { length }) => sum + length, 0);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    seen.push(new Uint8Array(next.value));
    bytes += next.value.length;
    if (bytes > COUNTED_BYTES) return undefined;
  }
  // A name can be cut by the end of a chunk.
  let most = seen.length + 1;
  for (const chunk of seen) {
    const found = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = found.indexOf('row'); at >= 0; at = found.indexOf('row', at + 3)) most += 1;
  }
  return most;
}

/** Cells that refer to an empty shared string are blank. */
function blankEmptyTexts(target: ColumnTarget, arena: TextArena): void {
  for (let slot = 0; slot < target.width; slot += 1) {
    const base = slot * target.capacity;
    for (let cell = base; cell < base + target.rowCount; cell += 1) {
      if (target.tags[cell] === CellTag.text) {
        const code = target.values[cell]!;
        if (code < arena.count && arena.length(code) === 0) {
          target.tags[cell] = CellTag.blank;
          target.values[cell] = 0;
        }
      }
    }
  }
}

/** Columns that the head is first read with; the head of a wider sheet is read again with Excel's maximum. */
const USUAL_COLUMNS = 512;

export interface SheetHeadCells {
  /** Formulas without a result in the rows that were read. */
  readonly openFormulas: number;
  readonly cells: ColumnTarget;
  readonly inline: TextArena;
  /** The chunks read so far, for the reader that continues. */
  readonly seen: Uint8Array[];
}

/**
 * Reads the first rows of a sheet that are not blank, with all columns.
 * @param isBlankShared whether a shared string is blank
 */
export async function readHead(
  workbook: Workbook,
  chunks: AsyncGenerator<Uint8Array>,
  sharedCount: number,
  isBlankShared: (code: number) => boolean,
): Promise<SheetHeadCells> {
  const { tagOfStyle, epoch } = workbook;
  const open = (columns: number): SheetScanner =>
    new SheetScanner(
      Array.from({ length: columns }, (_, column) => column),
      HEAD_ROWS,
      { tagOfStyle, sharedCount, hasBlankShared: false, isBlankShared, epoch, headerRow: 0 },
    );
  let scanner = open(USUAL_COLUMNS);
  const seen: Uint8Array[] = [];
  let isEnded = false;
  while (!isEnded && !scanner.isPaused && !scanner.isPastRows) {
    const next = await chunks.next();
    if (next.done) {
      isEnded = true;
      scanner.finish();
    } else {
      const chunk = new Uint8Array(next.value);
      seen.push(chunk);
      scanner.feed(chunk);
    }
    if (scanner.highestColumn > USUAL_COLUMNS && scanner.target.width === USUAL_COLUMNS) {
      scanner = open(MAX_SHEET_COLUMNS);
      for (let index = 0; index < seen.length && !scanner.isPaused; index += 1) {
        scanner.feed(seen[index]!);
      }
      if (isEnded && !scanner.isPaused) {
        scanner.finish();
      }
    }
  }
  if (isEnded && !scanner.isPaused) {
    scanner.refuseTruncated();
  }
  if (scanner.isUnordered) {
    scanner.target.sortRows();
  }
  return { openFormulas: scanner.facts.formulasWithoutResult, cells: scanner.target, inline: scanner.inline, seen };
}

/** Continues from a first chunk that was requested earlier. */
async function* startingWith(
  first: Promise<IteratorResult<Uint8Array>>,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { done, value } = await first;
  if (!done) {
    yield value;
    yield* rest;
  }
}

async function* chain(first: Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let chunk = first.shift(); chunk !== undefined; chunk = first.shift()) {
    yield chunk;
  }
  yield* rest;
}
