import type { BatchTexts } from './batch-texts.ts';
import type { ColumnTarget } from './column-target.ts';
import type { RawBatch, SheetHead } from './raw-batch.ts';

export const BATCH_ROWS = 100_000;
/** Cells of one batch at most; a wider sheet is cut into shorter batches. 9 bytes a cell. */
const BATCH_CELLS = 8_000_000;

export interface ReadOptions {
  /** The sheet's name; the first visible sheet where left out. Means nothing for a CSV file. */
  readonly sheetName?: string | undefined;
  /** Sheet row number (1-based) of the header, where known from the preview; else it is found. */
  readonly headerRow?: number | undefined;
  /** Rows a batch; wide sheets get fewer (8 million cells at most). */
  readonly batchRows?: number | undefined;
  /** Batches that are already staged: scanned (a zip cannot be entered in the middle) but not handed out. */
  readonly skipBatches?: number | undefined;
  /** Bytes of a sheet's XML from which on a thread of its own unpacks it; a default that pays where left out. */
  readonly threadFromBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told as the file is read, in order: how much of the sheet is behind, 0 to 1. */
  readonly onRead?: ((share: number) => void) | undefined;
  /** Told once, before the first batch. */
  readonly onHead?: ((head: SheetHead) => void) | undefined;
}

/** Rows a batch of this width holds. */
export function rowsPerBatch(width: number, batchRows = BATCH_ROWS): number {
  return Math.max(1, Math.min(batchRows, Math.floor(BATCH_CELLS / Math.max(1, width))));
}

/** A batch over a filled target; the arrays are views, nothing is copied. */
export function makeBatch(target: ColumnTarget, texts: BatchTexts, index: number, rowBefore: number): RawBatch {
  const { rowCount, capacity } = target;
  const rowNumbers = target.rowNumbers.subarray(0, rowCount);
  return {
    index,
    firstRow: rowNumbers[0]!,
    rowCount,
    rowNumbers,
    columns: Array.from({ length: target.width }, (_, slot) => ({
      tags: target.tags.subarray(slot * capacity, slot * capacity + rowCount),
      values: target.values.subarray(slot * capacity, slot * capacity + rowCount),
    })),
    texts,
    blankRows: rowNumbers[rowCount - 1]! - rowBefore - rowCount,
  };
}
