import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { isMissingWord } from '@tapeline/domain/tapes/suggest/column-shape.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { type InspectedSheet, showCell } from '@tapeline/sheets/inspect-sheet.ts';
import type { Epoch, RawBatch, TextTable } from '@tapeline/sheets/raw-batch.ts';
import { NO_FACTS, type SheetFacts } from '@tapeline/sheets/sheet-facts.ts';
import type { PreviewCell, SheetSurvey, SurveyedColumn } from '@tapeline/workflows/preview/preview.ts';
import { readSheetFile } from '../tape/read-sheet-file.ts';
import { CELL_KINDS, sheetNotices } from './sheet-head.ts';

/** Rows between two checks of the time budget. */
const BATCH_ROWS = 20_000;
/** A column with more distinct texts than this contains names or ids, not words. */
const MAX_WORDS = 100;
/** Limit for all columns together. The survey must fit into a message. */
const MAX_WORDS_IN_ALL = 4_000;
const LONGEST_WORD_BYTES = 160;
/** No text that means "missing" is longer than this. */
const LONGEST_MISSING_BYTES = 16;
/** Limits on the columns whose distinct values are counted, and on the values in total. They are held in memory. */
const MAX_COUNTED_COLUMNS = 150;
const MAX_COUNTED_VALUES = 1_000_000;
/** Maximum number of rows, cells and characters in the sample. It is sent in one message. */
const SAMPLE_ROWS = 300;
const MAX_SAMPLE_CELLS = 20_000;
const MAX_SAMPLE_CHARACTERS = 300_000;
const LONGEST_SAMPLE_CHARACTERS = 80;
/** Counting stops for a column whose share of distinct values falls below this. */
const LEAST_DISTINCT = 0.98;
/** Shares of the sample from the first batch and from each later one. A short sheet has only one batch. */
const OF_FIRST_BATCH = 1 / 2;
const OF_LATER_BATCH = 1 / 20;

/**
 * Reads a sheet beyond its first rows to find the distinct texts of each column, so that a status or an "n/a" that
 * occurs late is known before the tape is processed. For a column with many texts, reports only those that mean
 * "missing". Counts the distinct values of a column (over all rows as long as nearly all values differ, otherwise over
 * the first rows), and takes a sample of rows from the whole sheet. Memory is limited to one batch plus the values of
 * columns with hardly any repeated values.
 * @param budgetMs reading ends after the batch in which this time runs out
 * @param signal ends reading within a batch, which is then not reported
 */
export async function surveySheet(
  path: string,
  sheet: Pick<InspectedSheet, 'kind' | 'sheetName' | 'headerRow' | 'columns' | 'rows' | 'epoch'>,
  budgetMs: number,
  signal?: AbortSignal,
): Promise<SheetSurvey> {
  const room = { values: MAX_COUNTED_VALUES };
  const columns = sheet.columns.map((_, index) => new WordsOfColumn(index < MAX_COUNTED_COLUMNS ? room : null));
  const sample = new RowSample(sheet);
  const named = sheet.kind === 'csv' ? {} : { sheetName: sheet.sheetName };
  const end = performance.now() + budgetMs;
  let rows = 0;
  let misfits = 0;
  let facts = NO_FACTS;
  let isWhole = true;
  const onFacts = (found: SheetFacts): void => {
    facts = found;
  };
  const options = { ...named, headerRow: sheet.headerRow, batchRows: BATCH_ROWS, signal, onFacts };
  try {
    for await (const batch of readSheetFile(path, options)) {
      for (const [index, column] of columns.entries()) column.read(batch, index);
      sample.read(batch);
      rows += batch.rowCount;
      misfits += batch.misfits.size;
      if (performance.now() >= end) {
        isWhole = false;
        break;
      }
    }
  } catch (error) {
    // The first rows are valid. Later errors, and sheets that take too long, are reported when the tape is processed.
    if (!signal?.aborted && !isRefusal(error)) throw error;
    isWhole = false;
  }
  let left = MAX_WORDS_IN_ALL;
  const listed = columns.map((column): SurveyedColumn => {
    const { words, isPadded, counted } = column;
    const kept = words.length <= left ? words : [];
    left -= kept.length;
    return { words: kept, isPadded, ...(counted ? { counted } : {}) };
  });
  return { rows, isWhole, columns: listed, sample: sample.rows, notices: sheetNotices(facts, misfits, !isWhole) };
}

/** A sample of rows from the whole sheet, below the rows that a preview shows. */
class RowSample {
  readonly rows: PreviewCell[][] = [];
  readonly #most: number;
  readonly #lastShown: number;
  readonly #epoch: Epoch;
  #characters = 0;

  constructor({ columns, rows, epoch }: Pick<InspectedSheet, 'columns' | 'rows' | 'epoch'>) {
    this.#most = Math.min(SAMPLE_ROWS, Math.floor(MAX_SAMPLE_CELLS / Math.max(1, columns.length)));
    this.#lastShown = rows.at(-1)?.row ?? 0;
    this.#epoch = epoch;
  }

  read(batch: RawBatch): void {
    const first = batch.rowNumbers.findIndex((row) => row > this.#lastShown);
    if (first < 0) return;
    const share = batch.index === 0 ? OF_FIRST_BATCH : OF_LATER_BATCH;
    const wanted = Math.min(Math.ceil(this.#most * share), this.#most - this.rows.length);
    const stride = Math.max(1, Math.floor((batch.rowCount - first) / Math.max(1, wanted)));
    for (let row = first, taken = 0; row < batch.rowCount && taken < wanted; row += stride, taken += 1) {
      if (this.#characters > MAX_SAMPLE_CHARACTERS) return;
      const cells = batch.columns.map((_, column) => sampleCell(batch, column, row, this.#epoch));
      this.#characters += cells.reduce((sum, { text }) => sum + text.length, 0);
      this.rows.push(cells);
    }
  }
}

/** A cell as a preview shows it. Truncates texts that are longer than any field's values. */
function sampleCell({ columns, texts }: RawBatch, column: number, row: number, epoch: Epoch): PreviewCell {
  const { tags, values } = columns[column]!;
  const { tag, value } = showCell(tags[row] as CellTag, values[row]!, (code) => texts.text(code), epoch);
  return { kind: CELL_KINDS[tag] ?? 'blank', text: value.slice(0, LONGEST_SAMPLE_CHARACTERS) };
}

/** The distinct texts of one column, and how often each occurs. */
class WordsOfColumn {
  isPadded = false;
  /** How many more values all columns together can hold; null for a column that is not counted. */
  #room: { values: number } | null;
  /** Values so far, kept as long as hardly any value is repeated. */
  #values: Set<number | string> | null = new Set();
  #filled = 0;
  #different = 0;
  private readonly counts = new Map<string, { count: number; isError: boolean }>();
  private isMany = false;

  constructor(room: { values: number } | null) {
    this.#room = room;
  }

  get counted(): SurveyedColumn['counted'] {
    return this.#room ? { filled: this.#filled, different: this.#different } : undefined;
  }

  get words(): SurveyedColumn['words'] {
    return [...this.counts].map(([value, { count, isError }]) => ({ value, count, ...(isError ? { isError } : {}) }));
  }

  read({ columns, rowCount, texts }: RawBatch, index: number): void {
    const { tags, values } = columns[index]!;
    const seen = new Map<number, { count: number; isError: boolean }>();
    const counted = this.#valuesToCount();
    let filled = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const tag = tags[row];
      if (tag !== CellTag.text && tag !== CellTag.error) {
        if (counted === null || tag === CellTag.blank) continue;
        filled += 1;
        counted.add(values[row]!);
        continue;
      }
      filled += 1;
      const code = values[row]!;
      const known = seen.get(code);
      if (known) known.count += 1;
      else seen.set(code, { count: 1, isError: tag === CellTag.error });
    }
    for (const [code, { count, isError }] of seen) {
      this.add(texts, code, count, isError);
      if (texts.length(code) <= LONGEST_WORD_BYTES) counted?.add(texts.text(code));
      else this.#room = null;
    }
    if (counted === null || this.#room === null) return;
    this.#room.values -= counted.size - this.#different;
    this.#filled += filled;
    this.#different = counted.size;
    // A column with repeated values is not an id, regardless of later rows.
    if (this.#different < this.#filled * LEAST_DISTINCT) this.#letGo();
  }

  /** Null if counting has stopped. */
  #valuesToCount(): Set<number | string> | null {
    if (this.#room === null || this.#room.values > 0) return this.#room === null ? null : this.#values;
    // If there is no capacity left for a column's first values, the column is not counted at all.
    if (this.#filled === 0) this.#room = null;
    return null;
  }

  #letGo(): void {
    if (this.#room) this.#room.values += this.#different;
    this.#values = null;
  }

  private add(texts: TextTable, code: number, count: number, isError: boolean): void {
    const length = texts.length(code);
    this.isPadded ||= isOuterSpace(texts, code, length);
    if (length > LONGEST_WORD_BYTES) this.giveUp();
    if (this.isMany && length > LONGEST_MISSING_BYTES) return;
    const value = texts.text(code);
    const known = this.counts.get(value);
    if (known) known.count += count;
    else if (isMissingWord(value) || (!this.isMany && this.counts.size < MAX_WORDS)) {
      this.counts.set(value, { count, isError });
    } else this.giveUp();
  }

  /** From here on, keeps only texts that mean "missing". */
  private giveUp(): void {
    if (this.isMany) return;
    this.isMany = true;
    for (const value of this.counts.keys()) if (!isMissingWord(value)) this.counts.delete(value);
  }
}

const SPACE = 32;
/** The last byte of a no-break space (C2 A0). No character starts with this byte. */
const NO_BREAK = 0xa0;

function isOuterSpace(texts: TextTable, code: number, length: number): boolean {
  if (length < 2) return false;
  const bytes = texts.bytes(code);
  const start = texts.start(code);
  const last = start + length - 1;
  return (
    bytes[start] === SPACE ||
    bytes[last] === SPACE ||
    (bytes[last] === NO_BREAK && bytes[last - 1] === 0xc2) ||
    (bytes[start] === 0xc2 && bytes[start + 1] === NO_BREAK)
  );
}
