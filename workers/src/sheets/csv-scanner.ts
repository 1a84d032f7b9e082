import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import { ChunkWindow } from './chunk-window.ts';
import type { ColumnTarget } from './column-target.ts';
import { refuseSheet, SHEET_LIMITS } from './limits.ts';
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from './raw-batch.ts';
import { TextArena } from './text-arena.ts';

const QUOTE = 34;
const LINE_FEED = 10;
const RETURN = 13;
const MAX_TEXT_BYTES = 256 << 20;

/**
 * Scans delimited text (UTF-8 bytes, RFC 4180 with the liberties spreadsheets take) into columns of texts. A record is
 * a row, also where a quoted field runs over several lines; rows that show nothing are passed over.
 */
export class CsvScanner extends ChunkWindow {
  target: ColumnTarget;
  texts = new TextArena({ distinct: true });
  /** The last column (1-based) any record reached. */
  highestColumn = 0;
  private readonly delimiter: number;
  private readonly headerRow: number;
  private recordNumber = 0;
  private isLast = false;
  private unquoted: Uint8Array = new Uint8Array(1024);

  constructor(target: ColumnTarget, delimiter: number, headerRow: number) {
    super('A row of the file', SHEET_LIMITS.rowBytes);
    this.target = target;
    this.delimiter = delimiter;
    this.headerRow = headerRow;
  }

  openBatch(target: ColumnTarget): void {
    this.target = target;
    this.texts = new TextArena({ distinct: true });
  }

  /** The end of the file ends the last record. */
  finishRecords(): void {
    this.isLast = true;
    this.finish();
  }

  protected override scan(bytes: Uint8Array, start: number, limit: number): number {
    const { target, delimiter } = this;
    const { tags, values, baseOfColumn, capacity } = target;
    let at = start;
    while (at < limit && at < this.handover) {
      const row = target.rowCount;
      if (row === capacity || this.texts.usedBytes > MAX_TEXT_BYTES) {
        this.paused = true;
        break;
      }
      const isWanted = this.recordNumber + 1 > this.headerRow;
      let column = 0;
      let showsAnything = false;
      let q = at;
      for (;;) {
        let from = q;
        let to: number;
        let source = bytes;
        let isQuoted = false;
        if (bytes[q] === QUOTE && q < limit) {
          // "quoted ""text""", up to the quote that stands alone
          isQuoted = true;
          q += 1;
          from = q;
          let doubled = 0;
          for (;;) {
            while (q < limit && bytes[q] !== QUOTE) {
              q += 1;
            }
            if (q < limit && bytes[q + 1] === QUOTE) {
              doubled += 1;
              q += 2;
              continue;
            }
            break;
          }
          if (q >= limit && !this.isLast) {
            return at;
          }
          to = q;
          if (doubled > 0) {
            const length = this.undouble(bytes, from, to);
            source = this.unquoted;
            from = 0;
            to = length;
          }
          q += 1;
          // what follows the closing quote up to the delimiter is not the field's
        }
        const bareStart = q;
        while (q < limit) {
          const byte = bytes[q]!;
          if (byte === delimiter || byte === LINE_FEED || byte === RETURN) {
            break;
          }
          q += 1;
        }
        if (q >= limit && !this.isLast) {
          return at;
        }
        if (!isQuoted) {
          from = bareStart;
          to = Math.min(q, limit);
        } else {
          to = to!;
        }
        column += 1;
        if (column > MAX_SHEET_COLUMNS) {
          throw refuseSheet(
            `The file has more than ${MAX_SHEET_COLUMNS.toLocaleString('en')} columns, the most a worksheet can hold. Remove the columns that are not needed.`,
          );
        }
        if (to > from && isWanted) {
          const base = baseOfColumn[column]!;
          if (base >= 0) {
            const code = this.texts.add(source, from, to);
            values[base + row] = code;
            tags[base + row] = CellTag.text;
            showsAnything ||= !this.texts.isBlank(code);
          }
        }
        if (q < limit && bytes[q] === delimiter) {
          q += 1;
          continue;
        }
        if (q < limit && bytes[q] === RETURN) {
          if (q + 1 >= limit && !this.isLast) {
            return at;
          }
          q += 1;
        }
        if (q < limit && bytes[q] === LINE_FEED) {
          q += 1;
        }
        break;
      }
      at = Math.min(q, limit);
      this.recordNumber += 1;
      if (this.recordNumber > MAX_SHEET_ROWS) {
        throw refuseSheet(
          `The file has more than ${MAX_SHEET_ROWS.toLocaleString('en')} rows, the most a worksheet can hold. Split the tape into several.`,
        );
      }
      if (column > this.highestColumn) {
        this.highestColumn = column;
      }
      if (showsAnything) {
        target.rowNumbers[row] = this.recordNumber;
        target.rowCount = row + 1;
      } else if (isWanted) {
        target.clearRow(row);
      }
    }
    return at;
  }

  /** Copies a quoted field with its doubled quotes as one each. @returns its length in `unquoted`. */
  private undouble(bytes: Uint8Array, start: number, end: number): number {
    if (this.unquoted.length < end - start) {
      this.unquoted = new Uint8Array((end - start) * 2);
    }
    let to = 0;
    for (let from = start; from < end; from += 1) {
      this.unquoted[to] = bytes[from]!;
      to += 1;
      if (bytes[from] === QUOTE) {
        from += 1;
      }
    }
    return to;
  }
}

const DELIMITERS = [44, 59, 9, 124];

/** The delimiter whose fields are the most consistent over the first records; a comma where none shows. */
export function sniffDelimiter(start: Uint8Array): number {
  let best = DELIMITERS[0]!;
  let bestScore = 0;
  let fewestStrayQuotes = Number.POSITIVE_INFINITY;
  for (const delimiter of DELIMITERS) {
    const { counts, strayQuotes } = countFields(start, delimiter);
    const often = new Map<number, number>();
    for (const count of counts.filter((fields) => fields > 1)) {
      often.set(count, (often.get(count) ?? 0) + 1);
    }
    let score = 0;
    for (const [count, times] of often) {
      score = Math.max(score, times * (count - 1) ** 0.5);
    }
    // The wrong delimiter leaves quotes in the middle of fields, whatever else speaks for it.
    if (score > 0 && (strayQuotes < fewestStrayQuotes || (strayQuotes === fewestStrayQuotes && score > bestScore))) {
      best = delimiter;
      bestScore = score;
      fewestStrayQuotes = strayQuotes;
    }
  }
  return best;
}

/** Fields of each record by this delimiter, and quotes that neither open nor close a field. */
function countFields(bytes: Uint8Array, delimiter: number): { counts: number[]; strayQuotes: number } {
  const counts: number[] = [];
  let strayQuotes = 0;
  let fields = 1;
  let isQuoted = false;
  let isFieldStart = true;
  for (let at = 0; at < bytes.length && counts.length < 200; at += 1) {
    const byte = bytes[at]!;
    if (isQuoted) {
      if (byte !== QUOTE) continue;
      const next = bytes[at + 1];
      if (next === QUOTE) {
        at += 1;
        continue;
      }
      isQuoted = false;
      const isClosed = next === undefined || next === delimiter || next === LINE_FEED || next === RETURN;
      if (!isClosed) strayQuotes += 1;
      continue;
    }
    if (byte === delimiter || byte === LINE_FEED) {
      if (byte === delimiter) {
        fields += 1;
      } else {
        counts.push(fields);
        fields = 1;
      }
      isFieldStart = true;
      continue;
    }
    if (byte === QUOTE) {
      if (isFieldStart) isQuoted = true;
      else strayQuotes += 1;
    }
    isFieldStart = false;
  }
  if (counts.length === 0) {
    counts.push(fields);
  }
  return { counts, strayQuotes };
}
