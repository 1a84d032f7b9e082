import { CellReader } from './cell-reader.ts';
import { ChunkWindow } from './chunk-window.ts';
import type { ColumnTarget } from './column-target.ts';
import { refuseDamaged, refuseSheet, SHEET_LIMITS } from './limits.ts';
import { Markup, MarkupReader } from './markup.ts';
import { divideDigits, EXACT_POWERS_OF_TEN } from './number-bytes.ts';
import { CellTag, type Epoch, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from './raw-batch.ts';
import { TextArena } from './text-arena.ts';

const POWERS = EXACT_POWERS_OF_TEN;
/** Four bytes of markup at a time, as a little-endian integer: one look instead of four. */
const word = (text: string): number => Buffer.from(text).readInt32LE(0);
const ROW_START = word('<row');
const ROW_REFERENCE = word(' r="');
const CELL_START = word('<c r');
const ROW_END = word('</ro');
const STYLE = word(' s="');
const TYPE = word(' t="');
const VALUE_END = word('</v>');
const CELL_END = word('</c>');

const Phase = { preamble: 0, rows: 1, tail: 2 } as const;

/** Inline texts held at most by one batch; a batch is cut earlier rather than outgrow it. */
const MAX_INLINE_BYTES = 128 << 20;

export interface SheetScannerOptions {
  /** Tag of a number by cell style: `CellTag.date` where the style shows a date, else `CellTag.number`. */
  readonly tagOfStyle: Uint8Array;
  /** How many shared strings there are; a cell that points beyond them is a damaged file. */
  readonly sharedCount: number;
  /** Whether a shared string shows nothing. */
  readonly isBlankShared: (code: number) => boolean;
  readonly epoch: Epoch;
  /** Rows up to this number (the header and what stands above it) are passed over. */
  readonly headerRow: number;
}

/**
 * Scans a worksheet's XML into columns, byte by byte and in place. The forms that Excel and its kin write (an `r`, then
 * `s`, then `t`, then one `v`) take a path of plain comparisons; everything else XML allows goes to `CellReader`.
 * A row that does not end in the bytes at hand is scanned again when more are there, so no state lives within a row.
 * One long class on purpose: the byte loop keeps its place in fields of one object, and calls across files cost it speed.
 */
export class SheetScanner extends ChunkWindow {
  target: ColumnTarget;
  /** Texts that stand in the cells themselves; their codes follow the shared strings'. */
  inline = new TextArena({ distinct: true });
  /** Whether a row came after one with a higher number. */
  isUnordered = false;
  /** The last sheet column (1-based) any row reached. */
  highestColumn = 0;
  private readonly options: SheetScannerOptions;
  private readonly markup = new MarkupReader();
  private readonly cells: CellReader;
  private phase: number = Phase.preamble;
  private lastRow = 0;
  private highestRow = 0;
  /** Highest row number in the batches before this one. */
  private settledRow = 0;

  constructor(target: ColumnTarget, options: SheetScannerOptions) {
    super('A row of the sheet', SHEET_LIMITS.rowBytes);
    this.target = target;
    this.options = options;
    this.cells = new CellReader(options.epoch, options.tagOfStyle);
  }

  /** Whether all rows of the sheet were seen. */
  get isPastRows(): boolean {
    return this.phase === Phase.tail;
  }

  /** Starts the next batch. */
  openBatch(target: ColumnTarget): void {
    this.settledRow = this.highestRow;
    this.target = target;
    this.inline = new TextArena({ distinct: true });
    this.isUnordered = false;
  }

  /** @throws Refusal where the sheet ends before its rows do. */
  refuseUnfinished(): void {
    if (this.phase !== Phase.tail) {
      throw refuseDamaged('the sheet ends too early');
    }
  }

  protected override scan(bytes: Uint8Array, start: number, limit: number): number {
    let at = start;
    if (this.phase === Phase.preamble) {
      at = this.scanPreamble(bytes, at, limit);
    }
    if (this.phase === Phase.rows) {
      at = this.scanRows(bytes, at, limit);
    }
    return this.phase === Phase.tail ? bytes.length : at;
  }

  private scanPreamble(bytes: Uint8Array, start: number, limit: number): number {
    const markup = this.markup.over(bytes, limit);
    let at = start;
    while (at < this.handover) {
      const next = markup.read(at);
      if (next === -1) {
        break;
      }
      at = next;
      if (markup.is('sheetData') && markup.kind <= Markup.empty) {
        this.phase = markup.kind === Markup.open ? Phase.rows : Phase.tail;
        break;
      }
      if (markup.is('worksheet') && markup.kind === Markup.close) {
        this.phase = Phase.tail;
        break;
      }
    }
    return at;
  }

  private scanRows(bytes: Uint8Array, start: number, limit: number): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const handover = this.handover;
    let at = start;
    while (at < handover && at < limit && this.phase === Phase.rows) {
      if (this.target.rowCount === this.target.capacity || this.inline.usedBytes > MAX_INLINE_BYTES) {
        this.paused = true;
        break;
      }
      const next = this.scanRow(bytes, view, at, limit);
      if (next === -1) {
        break;
      }
      at = next;
    }
    return at;
  }

  /**
   * Scans what stands at `start`: a row, or markup between rows. One call a row, so that the engine compiles it early
   * and once.
   * @returns the place after it, or -1 where it does not end before the limit.
   */
  private scanRow(bytes: Uint8Array, view: DataView, start: number, limit: number): number {
    const { target, options } = this;
    const { tags, values, baseOfColumn } = target;
    const { tagOfStyle, sharedCount } = options;
    const styleCount = tagOfStyle.length;
    const plainTag = styleCount > 0 ? tagOfStyle[0]! : CellTag.number;
    const row = target.rowCount;
    let q = start;
    let rowNumber = 0;
    let isEmptyRow = false;
    // <row r="12" ...>
    if (view.getInt32(q, true) === ROW_START && view.getInt32(q + 4, true) === ROW_REFERENCE) {
      q += 8;
      for (let digit = bytes[q]! - 48; digit >= 0 && digit <= 9 && rowNumber <= MAX_SHEET_ROWS; ) {
        rowNumber = rowNumber * 10 + digit;
        q += 1;
        digit = bytes[q]! - 48;
      }
      if (bytes[q] !== 34) {
        throw refuseRow(rowNumber);
      }
      q += 1;
      let byte = bytes[q]!;
      while (byte !== 62) {
        if (byte === 34 || byte === 39) {
          q += 1;
          while (q < limit && bytes[q] !== byte) {
            q += 1;
          }
        }
        q += 1;
        if (q >= limit) {
          return -1;
        }
        byte = bytes[q]!;
      }
      isEmptyRow = bytes[q - 1] === 47;
      q += 1;
    } else {
      const markup = this.markup.over(bytes, limit);
      q = markup.read(q);
      if (q === -1) {
        return -1;
      }
      if (markup.kind === Markup.close && markup.is('sheetData')) {
        this.phase = Phase.tail;
        return q;
      }
      if (markup.kind > Markup.empty || markup.kind === Markup.close || !markup.is('row')) {
        return q;
      }
      isEmptyRow = markup.kind === Markup.empty;
      const stated = markup.attribute('r');
      rowNumber = stated === undefined ? this.lastRow + 1 : /^\s*\d{1,9}\s*$/.test(stated) ? Number(stated) : 0;
    }
    if (rowNumber < 1 || rowNumber > MAX_SHEET_ROWS) {
      throw refuseRow(rowNumber);
    }
    const rowDigits =
      rowNumber < 10
        ? 1
        : rowNumber < 100
          ? 2
          : rowNumber < 1000
            ? 3
            : rowNumber < 10_000
              ? 4
              : rowNumber < 100_000
                ? 5
                : rowNumber < 1_000_000
                  ? 6
                  : 7;
    let column = 0;
    let hasSolid = false;
    let hasText = false;
    while (!isEmptyRow) {
      if (q >= limit) {
        return -1;
      }
      // <c r="AB12" s="3" t="s"><v>45</v></c>
      // biome-ignore lint/suspicious/noConfusingLabels: leaves the fast path from any depth, without a call a cell
      fast: {
        const opening = view.getInt32(q, true);
        if (opening !== CELL_START || bytes[q + 4] !== 61 || bytes[q + 5] !== 34) {
          if (opening === ROW_END && bytes[q + 5] === 62) {
            q += 6;
            break;
          }
          break fast;
        }
        let p = q + 7;
        let place = bytes[q + 6]! - 64;
        if (place < 1 || place > 26) {
          break fast;
        }
        let byte = bytes[p]!;
        if (byte >= 65 && byte <= 90) {
          place = place * 26 + byte - 64;
          p += 1;
          byte = bytes[p]!;
          if (byte >= 65 && byte <= 90) {
            place = place * 26 + byte - 64;
            p += 1;
          }
        }
        p += rowDigits;
        if (bytes[p] !== 34) {
          break fast;
        }
        p += 1;
        byte = bytes[p]!;
        let tag = plainTag;
        if (view.getInt32(p, true) === STYLE) {
          let style = bytes[p + 4]! - 48;
          p += 5;
          byte = bytes[p]!;
          while (byte >= 48 && byte <= 57 && style < 100_000) {
            style = style * 10 + byte - 48;
            p += 1;
            byte = bytes[p]!;
          }
          if (byte !== 34 || style < 0 || style >= styleCount) {
            break fast;
          }
          tag = tagOfStyle[style]!;
          p += 1;
          byte = bytes[p]!;
        }
        let type = 0;
        if (view.getInt32(p, true) === TYPE) {
          type = bytes[p + 4]!;
          if (bytes[p + 5] !== 34) {
            break fast;
          }
          p += 6;
          byte = bytes[p]!;
        }
        if (byte === 47 && bytes[p + 1] === 62) {
          // a styled cell with nothing in it
          if (place > MAX_SHEET_COLUMNS) {
            throw refuseColumn();
          }
          column = place;
          q = p + 2;
          continue;
        }
        if (byte !== 62 || bytes[p + 1] !== 60) {
          break fast;
        }
        p += 1;
        if (bytes[p + 1] === 102) {
          p = skipFormula(bytes, p, limit);
          if (p === -1 || p >= limit) {
            break fast;
          }
        }
        if (bytes[p + 1] !== 118 || bytes[p + 2] !== 62 || bytes[p] !== 60) {
          break fast;
        }
        p += 3;
        let value = 0;
        byte = bytes[p]!;
        if (type === 115) {
          // shared string
          value = byte - 48;
          if (value < 0 || value > 9) {
            break fast;
          }
          p += 1;
          byte = bytes[p]!;
          while (byte >= 48 && byte <= 57 && value < 100_000_000) {
            value = value * 10 + byte - 48;
            p += 1;
            byte = bytes[p]!;
          }
        } else if (type === 0 || type === 110) {
          // number
          let isNegative = false;
          if (byte === 45) {
            isNegative = true;
            p += 1;
            byte = bytes[p]!;
          }
          let head = 0;
          let tail = 0;
          let count = 0;
          let point = -1;
          if (byte === 48 && bytes[p + 1] === 46) {
            point = 0;
            p += 2;
            byte = bytes[p]!;
          }
          for (;;) {
            const digit = byte - 48;
            if (digit >= 0 && digit <= 9) {
              if (count < 9) {
                head = Math.imul(head, 10) + digit;
              } else {
                tail = Math.imul(tail, 10) + digit;
              }
              count += 1;
              if (count > 18) {
                break fast;
              }
            } else if (byte === 46 && point < 0) {
              point = count;
            } else {
              break;
            }
            p += 1;
            byte = bytes[p]!;
          }
          if (count === 0) {
            break fast;
          }
          let fraction = point < 0 ? 0 : count - point;
          if (byte === 69 || byte === 101) {
            // 1.2345E-2, as Excel writes small numbers
            if (bytes[p + 1] !== 45) {
              break fast;
            }
            const first = bytes[p + 2]! - 48;
            if (first < 0 || first > 9) {
              break fast;
            }
            fraction += first;
            p += 3;
            byte = bytes[p]!;
          }
          if (fraction > 22) {
            break fast;
          }
          if (count <= 9) {
            value = fraction === 0 ? head : head / POWERS[fraction]!;
          } else if (count <= 15) {
            value = (head * POWERS[count - 9]! + tail) / POWERS[fraction]!;
          } else {
            value = divideDigits(head, tail, count - 9, fraction);
          }
          if (isNegative) {
            value = -value;
          }
        } else if (type === 98 && (byte === 48 || byte === 49)) {
          value = byte - 48;
          p += 1;
          byte = bytes[p]!;
        } else {
          break fast;
        }
        if (view.getInt32(p, true) !== VALUE_END || view.getInt32(p + 4, true) !== CELL_END) {
          break fast;
        }
        const base = baseOfColumn[place]!;
        if (type === 115) {
          if (value >= sharedCount) {
            throw refuseSharedIndex(value, sharedCount);
          }
          if (base >= 0) {
            values[base + row] = value;
            tags[base + row] = CellTag.text;
            hasText = true;
          }
        } else {
          if (Number.isNaN(value)) {
            break fast;
          }
          if (base >= 0) {
            values[base + row] = value;
            tags[base + row] = type === 98 ? CellTag.boolean : tag;
            hasSolid = true;
          }
        }
        if (place > MAX_SHEET_COLUMNS) {
          throw refuseColumn();
        }
        column = place;
        q = p + 8;
        continue;
      }
      const cells = this.cells;
      const next = cells.read(bytes, q, limit, column);
      if (next === -1) {
        return -1;
      }
      q = next;
      if (cells.isRowEnd) {
        break;
      }
      column = cells.column;
      if (column > MAX_SHEET_COLUMNS) {
        throw refuseColumn();
      }
      const base = baseOfColumn[column]!;
      if (base >= 0 && cells.tag !== CellTag.blank) {
        let value = cells.value;
        if (cells.isShared) {
          if (!(value >= 0 && value < sharedCount)) {
            throw refuseSharedIndex(value, sharedCount);
          }
        } else if (cells.tag === CellTag.text || cells.tag === CellTag.error) {
          value = sharedCount + this.inline.addText(cells.text);
        }
        values[base + row] = value;
        tags[base + row] = cells.tag;
        if (cells.tag === CellTag.text) {
          hasText = true;
        } else {
          hasSolid = true;
        }
      }
    }
    this.lastRow = rowNumber;
    if (column > this.highestColumn) {
      this.highestColumn = column;
    }
    if (hasSolid || hasText) {
      if (rowNumber > options.headerRow && (hasSolid || this.showsText(row))) {
        if (rowNumber <= this.highestRow) {
          this.noteDisorder(rowNumber);
        } else {
          this.highestRow = rowNumber;
        }
        target.rowNumbers[row] = rowNumber;
        target.rowCount = row + 1;
      } else {
        target.clearRow(row);
      }
    }
    return q;
  }

  private noteDisorder(rowNumber: number): void {
    if (rowNumber <= this.settledRow) {
      throw refuseSheet(
        `The sheet's rows are out of order: row ${rowNumber} comes after row ${this.settledRow}. Open the file in Excel or LibreOffice, save it again and upload the new file.`,
      );
    }
    this.isUnordered = true;
  }

  /** Whether any text of a row that holds only texts shows something. */
  private showsText(row: number): boolean {
    const { tags, values, width, capacity } = this.target;
    for (let slot = 0; slot < width; slot += 1) {
      const cell = slot * capacity + row;
      if (tags[cell] === CellTag.text) {
        const code = values[cell]!;
        const { sharedCount } = this.options;
        const isBlank = code < sharedCount ? this.options.isBlankShared(code) : this.inline.isBlank(code - sharedCount);
        if (!isBlank) {
          return true;
        }
      }
    }
    return false;
  }
}

/** From `<f` to behind the formula; -1 where its form needs the careful reader. */
function skipFormula(bytes: Uint8Array, start: number, limit: number): number {
  let at = start + 2;
  while (at < limit && bytes[at] !== 62) {
    if (bytes[at] === 34 || bytes[at] === 39) {
      return skipQuotedFormula(bytes, start, limit);
    }
    at += 1;
  }
  if (bytes[at - 1] === 47) {
    return at + 1;
  }
  return skipFormulaText(bytes, at + 1, limit);
}

function skipQuotedFormula(bytes: Uint8Array, start: number, limit: number): number {
  let at = start + 2;
  while (at < limit && bytes[at] !== 62) {
    const byte = bytes[at];
    if (byte === 34 || byte === 39) {
      at += 1;
      while (at < limit && bytes[at] !== byte) {
        at += 1;
      }
    }
    at += 1;
  }
  return bytes[at - 1] === 47 ? at + 1 : skipFormulaText(bytes, at + 1, limit);
}

function skipFormulaText(bytes: Uint8Array, start: number, limit: number): number {
  let at = start;
  while (at < limit && bytes[at] !== 60) {
    at += 1;
  }
  return at < limit && bytes[at + 1] === 47 && bytes[at + 2] === 102 && bytes[at + 3] === 62 ? at + 4 : -1;
}

function refuseRow(rowNumber: number): Error {
  return rowNumber > MAX_SHEET_ROWS
    ? refuseSheet(
        `The sheet has more than ${MAX_SHEET_ROWS.toLocaleString('en')} rows, the most a worksheet can hold. Split the tape into several.`,
      )
    : refuseDamaged('a row has no valid number');
}

function refuseColumn(): Error {
  return refuseSheet(
    `The sheet has more than ${MAX_SHEET_COLUMNS.toLocaleString('en')} columns, the most a worksheet can hold. Remove the columns that are not needed.`,
  );
}

function refuseSharedIndex(index: number, count: number): Error {
  return refuseDamaged(`a cell points at text ${index} of a table of ${count}`);
}
