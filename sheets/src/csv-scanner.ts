import type { ColumnTarget } from './batches.ts';
import { CellTag } from './cell-tag.ts';
import { ChunkWindow } from './chunk-window.ts';
import { MAX_TEXT_BYTES, refuseLongText, refuseSheet, SHEET_LIMITS } from './limits.ts';
import { columnRange, MAX_SHEET_COLUMNS } from './raw-batch.ts';
import { NO_FACTS, type SheetFacts } from './sheet-facts.ts';
import { isBlankText, TextArena } from './text-arena.ts';

const QUOTE = 34;
const EQUALS = 61;
const SPACE = 32;
const TAB = 9;
const LINE_FEED = 10;
const RETURN = 13;
const MAX_TEXTS_BYTES = 256 << 20;
/** Row numbers are stored as 32-bit integers. */
const MAX_RECORDS = 2 ** 31 - 1;
/** Characters kept of a record's surplus fields. */
const EXCESS_CHARS = 80;
const NO_FIELDS = Number.POSITIVE_INFINITY;

export interface CsvScannerOptions {
  readonly delimiter: number;
  /** Records up to this one are skipped. */
  readonly headerRow: number;
  /** Fields up to the last one that has a name: fields after them have no column. Unlimited if omitted. */
  readonly headerFields?: number;
  /** The name of a column (1-based), for messages. */
  readonly nameOf: (column: number) => string;
}

/**
 * Scans delimited text (UTF-8 bytes, RFC 4180 with the liberties of spreadsheet programs) into columns of texts. A
 * record is a row, even if a quoted field spans several lines; blank rows are skipped. Text after a closing quote makes
 * the quotes part of the text, as in `"Smith" & Sons`; a quote that is not closed is rejected.
 */
export class CsvScanner extends ChunkWindow {
  target: ColumnTarget;
  texts = new TextArena({ distinct: true });
  /** The last column (1-based) that any record has. */
  highestColumn = 0;
  /** Rows of the batch with more fields than the header: the surplus as text, by row number. */
  misfits = new Map<number, string>();
  private readonly options: CsvScannerOptions;
  private readonly headerFields: number;
  private recordNumber = 0;
  private isLast = false;
  private unquoted: Uint8Array = new Uint8Array(1024);
  private unnamedCells = 0;
  private firstUnnamed = 0;
  private lastUnnamed = 0;
  /** What `quoted` found: the field's bytes are source[from, to). */
  private source: Uint8Array = new Uint8Array(0);
  private from = 0;
  private to = 0;

  constructor(target: ColumnTarget, options: CsvScannerOptions) {
    super('A row of the file', SHEET_LIMITS.rowBytes);
    this.target = target;
    this.options = options;
    this.headerFields = options.headerFields ?? NO_FIELDS;
  }

  openBatch(target: ColumnTarget): void {
    this.target = target;
    this.texts = new TextArena({ distinct: true });
    this.misfits = new Map();
  }

  /** Facts about the records scanned so far that the batches do not show. */
  get facts(): SheetFacts {
    const { unnamedCells, firstUnnamed, lastUnnamed } = this;
    return unnamedCells === 0
      ? NO_FACTS
      : { ...NO_FACTS, unnamedCells, unnamedColumns: columnRange(firstUnnamed, lastUnnamed) };
  }

  /** The end of the file ends the last record. */
  finishRecords(): void {
    this.isLast = true;
    this.finish();
  }

  protected override scan(bytes: Uint8Array, start: number, limit: number): number {
    const { target, headerFields } = this;
    const { delimiter, headerRow } = this.options;
    const { tags, values, baseOfColumn, capacity } = target;
    let at = start;
    while (at < limit && at < this.handover) {
      const row = target.rowCount;
      if (row === capacity || this.texts.usedBytes > MAX_TEXTS_BYTES) {
        this.paused = true;
        break;
      }
      const isWanted = this.recordNumber + 1 > headerRow;
      let column = 0;
      let showsAnything = false;
      /** Where the fields beyond the header begin, if one of them is not blank. */
      let excessStart = -1;
      let isMisfit = false;
      let unnamed = 0;
      let firstUnnamed = 0;
      let lastUnnamed = 0;
      let q = at;
      for (;;) {
        const fieldStart = q;
        let from = q;
        let to = -1;
        let source = bytes;
        if (q < limit && (bytes[q] === QUOTE || (bytes[q] === EQUALS && bytes[q + 1] === QUOTE))) {
          const end = this.quoted(bytes, q, limit, column + 1);
          if (end === -1) {
            return at;
          }
          q = end;
          if (this.to >= 0) {
            source = this.source;
            from = this.from;
            to = this.to;
          }
        }
        while (q < limit) {
          const byte = bytes[q]!;
          if (byte === delimiter || byte === LINE_FEED || byte === RETURN) {
            break;
          }
          q += 1;
        }
        if (q >= limit && !this.isLast) {
          if (q - fieldStart > MAX_TEXT_BYTES) {
            throw refuseLongText(this.placeOf(column + 1));
          }
          return at;
        }
        column += 1;
        if (column > MAX_SHEET_COLUMNS) {
          throw refuseSheet(
            `The file has more than ${MAX_SHEET_COLUMNS.toLocaleString('en')} columns, the most a worksheet can hold. Remove the columns that are not needed.`,
          );
        }
        if (to < 0) {
          from = fieldStart;
          to = Math.min(q, limit);
        }
        if (to > from && isWanted) {
          if (to - from > MAX_TEXT_BYTES) {
            throw refuseLongText(this.placeOf(column));
          }
          const base = column > headerFields ? -1 : baseOfColumn[column]!;
          if (base >= 0) {
            const code = this.texts.add(source, from, to);
            values[base + row] = code;
            tags[base + row] = CellTag.text;
            showsAnything ||= !this.texts.isBlank(code);
          } else if (!isBlankText(source, from, to)) {
            if (column > headerFields) {
              isMisfit = true;
            } else {
              unnamed += 1;
              firstUnnamed ||= column;
              lastUnnamed = column;
            }
          }
        }
        if (column === headerFields + 1) {
          excessStart = fieldStart;
        }
        if (q < limit && bytes[q] === delimiter) {
          q += 1;
          continue;
        }
        if (isMisfit) {
          const excess = bytes.subarray(excessStart, Math.min(q, limit, excessStart + 4 * EXCESS_CHARS));
          this.misfits.set(this.recordNumber + 1, Buffer.from(excess).toString('utf8').slice(0, EXCESS_CHARS));
          showsAnything = true;
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
      if (this.recordNumber > MAX_RECORDS) {
        throw refuseSheet(
          `The file has more than ${MAX_RECORDS.toLocaleString('en')} rows. Split the file into several files.`,
        );
      }
      if (column > this.highestColumn) {
        this.highestColumn = column;
      }
      if (unnamed > 0) {
        this.firstUnnamed = this.unnamedCells === 0 ? firstUnnamed : Math.min(this.firstUnnamed, firstUnnamed);
        this.lastUnnamed = Math.max(this.lastUnnamed, lastUnnamed);
        this.unnamedCells += unnamed;
      }
      if (showsAnything) {
        target.rowNumbers[row] = this.recordNumber;
        target.rowCount = row + 1;
      } else if (isWanted) {
        for (let reached = 1; reached <= column; reached += 1) {
          const base = baseOfColumn[reached]!;
          if (base >= 0) {
            tags[base + row] = CellTag.blank;
            values[base + row] = 0;
          }
        }
      }
    }
    return at;
  }

  /**
   * Reads a field that begins with a quote, or with the `=` that keeps Excel from converting its digits to a number:
   * `"quoted ""text"""`, `="00123"`. Its content is in `source`, from `from` to `to`; `to` is -1 if text after the
   * closing quote makes the whole field, including the quotes, the content.
   * @returns the position after the closing quote, or -1 if it does not end before the limit
   */
  private quoted(bytes: Uint8Array, fieldStart: number, limit: number, column: number): number {
    const start = fieldStart + (bytes[fieldStart] === EQUALS ? 2 : 1);
    let q = start;
    let doubled = 0;
    let lineEnds = 0;
    for (;;) {
      while (q < limit && bytes[q] !== QUOTE) {
        if (bytes[q] === LINE_FEED || bytes[q] === RETURN) {
          lineEnds += 1;
        }
        q += 1;
      }
      if (q < limit && bytes[q + 1] === QUOTE) {
        doubled += 1;
        q += 2;
        continue;
      }
      break;
    }
    if (q >= limit) {
      if (this.isLast || q - start > MAX_TEXT_BYTES) {
        throw this.refuseOpen(column, this.isLast ? 'is not closed' : 'is not closed within 1 MB');
      }
      return -1;
    }
    let behind = q + 1;
    while (
      behind < limit &&
      (bytes[behind] === SPACE || bytes[behind] === TAB) &&
      bytes[behind] !== this.options.delimiter
    ) {
      behind += 1;
    }
    if (behind >= limit && !this.isLast) {
      return -1;
    }
    const next = behind < limit ? bytes[behind]! : LINE_FEED;
    if (next !== this.options.delimiter && next !== LINE_FEED && next !== RETURN) {
      if (lineEnds > 0) {
        throw this.refuseOpen(column, 'is closed only on a later line, in the middle of another text');
      }
      this.to = -1;
      return q + 1;
    }
    if (lineEnds > 0 && this.swallowsRecords(bytes, start, q, column)) {
      throw this.refuseOpen(column, 'continues over lines that look like separate rows');
    }
    this.source = bytes;
    this.from = start;
    this.to = q;
    if (doubled > 0) {
      this.to = this.undouble(bytes, start, q);
      this.source = this.unquoted;
      this.from = 0;
    }
    this.stripFormula();
    return q + 1;
  }

  /** A whole field of `="00123"` is the text 00123. */
  private stripFormula(): void {
    const { source, from, to } = this;
    const isFormula =
      to - from >= 3 && source[from] === EQUALS && source[from + 1] === QUOTE && source[to - 1] === QUOTE;
    if (isFormula && source.subarray(from + 2, to - 1).indexOf(QUOTE) === -1) {
      this.from += 2;
      this.to -= 1;
    }
  }

  /**
   * Whether a text over several lines is more likely to be rows whose quote was not closed: its lines have exactly as
   * many fields as rows have.
   */
  private swallowsRecords(bytes: Uint8Array, start: number, end: number, column: number): boolean {
    const { headerFields } = this;
    if (headerFields < 3 || headerFields === NO_FIELDS) {
      return false;
    }
    let delimiters = 0;
    let lines = 0;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at];
      if (byte === this.options.delimiter) {
        delimiters += 1;
      } else if (byte === LINE_FEED || (byte === RETURN && bytes[at + 1] !== LINE_FEED)) {
        if (delimiters !== (lines === 0 ? headerFields - column : headerFields - 1)) {
          return false;
        }
        lines += 1;
        delimiters = 0;
      }
    }
    // A single line end is weak evidence: the last line has to break off where the first one began.
    return lines > 2 || (column > 1 && delimiters === column - 1);
  }

  private refuseOpen(column: number, what: string): Error {
    return refuseSheet(
      `${this.placeOf(column)}: a quotation mark at the start of the text ${what}. Close or remove it and open the file again.`,
    );
  }

  private placeOf(column: number): string {
    return `Row ${(this.recordNumber + 1).toLocaleString('en')}, column ${this.options.nameOf(column)}`;
  }

  /** Copies a quoted field, replacing doubled quotes by single ones. @returns its length in `unquoted` */
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

/** The delimiter whose fields are the most consistent over the first records; a comma if there is none. */
export function sniffDelimiter(start: Uint8Array): number {
  let best = DELIMITERS[0]!;
  let bestScore = 0;
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
    // The wrong delimiter leaves quotes in the middle of fields; the right one may leave a few.
    score /= 1 + strayQuotes;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** Fields of each record with this delimiter, and quotes that neither open nor close a field. */
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
      let behind = at + 1;
      while ((bytes[behind] === SPACE || bytes[behind] === TAB) && bytes[behind] !== delimiter) {
        behind += 1;
      }
      const follower = bytes[behind];
      const isClosed =
        follower === undefined || follower === delimiter || follower === LINE_FEED || follower === RETURN;
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
