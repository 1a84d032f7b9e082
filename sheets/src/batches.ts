import type { ColumnTarget } from './column-target.ts';
import type { SheetLimits } from './limits.ts';
import type { RawBatch, SheetHead, TextTable } from './raw-batch.ts';
import type { SheetFacts } from './sheet-facts.ts';
import type { TextArena } from './text-arena.ts';

export const BATCH_ROWS = 100_000;
/** Maximum cells in one batch, at 9 bytes each; batches of a wide sheet have fewer rows. */
const BATCH_CELLS = 8_000_000;

export interface ReadOptions {
  /** The sheet's name; the first visible sheet if omitted. Ignored for a CSV file. */
  readonly sheetName?: string | undefined;
  /** Sheet row number (1-based) of the header, if known from the preview; otherwise it is searched for. */
  readonly headerRow?: number | undefined;
  /** Rows in a batch; wide sheets get fewer (8 million cells at most). */
  readonly batchRows?: number | undefined;
  /**
   * Batches to skip because the caller has them already: they are scanned (a zip part can only be read from its start)
   * but not returned.
   */
  readonly skipBatches?: number | undefined;
  /** Size of a sheet's XML from which a separate thread unpacks it; if omitted, a size from which that is faster. */
  readonly threadFromBytes?: number | undefined;
  /** Limits against archives made to fill memory; those of the package if omitted. */
  readonly limits?: SheetLimits | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called in order as the file is read, with the share of the sheet that was read, 0 to 1. */
  readonly onRead?: ((share: number) => void) | undefined;
  /** Called once, before the first batch. */
  readonly onHead?: ((head: SheetHead) => void) | undefined;
  /** Called after each batch and at the end, with what was found so far. */
  readonly onFacts?: ((facts: SheetFacts) => void) | undefined;
}

/**
 * Rows in a batch of this width.
 * @param most rows that are still to come, if known
 */
export function rowsPerBatch(width: number, batchRows = BATCH_ROWS, most = Number.POSITIVE_INFINITY): number {
  return Math.max(1, Math.min(batchRows, Math.floor(BATCH_CELLS / Math.max(1, width)), most));
}

/** The texts of a batch: first the workbook's shared strings, then the inline texts of its cells. */
export class BatchTexts implements TextTable {
  private readonly shared: TextArena;
  private readonly inline: TextArena;
  private readonly sharedCount: number;

  constructor(shared: TextArena, inline: TextArena) {
    this.shared = shared;
    this.inline = inline;
    this.sharedCount = shared.count;
  }

  get count(): number {
    return this.sharedCount + this.inline.count;
  }

  bytes(code: number): Uint8Array {
    return code < this.sharedCount ? this.shared.bytes : this.inline.bytes;
  }

  start(code: number): number {
    return code < this.sharedCount ? this.shared.start(code) : this.inline.start(code - this.sharedCount);
  }

  length(code: number): number {
    return code < this.sharedCount ? this.shared.length(code) : this.inline.length(code - this.sharedCount);
  }

  text(code: number): string {
    return code < this.sharedCount ? this.shared.text(code) : this.inline.text(code - this.sharedCount);
  }
}

const NO_MISFITS: ReadonlyMap<number, string> = new Map();

/** A batch over a filled target; the arrays are views, nothing is copied. */
export function makeBatch(
  target: ColumnTarget,
  texts: BatchTexts,
  index: number,
  rowBefore: number,
  misfits: ReadonlyMap<number, string> = NO_MISFITS,
): RawBatch {
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
    misfits,
  };
}
