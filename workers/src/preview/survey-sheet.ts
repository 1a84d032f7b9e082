import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import { isMissingWord } from '@tapeline/domain/tapes/suggest/column-shape.ts';
import type { SheetSurvey, SurveyedColumn } from '@tapeline/workflows/preview/preview.ts';
import type { InspectedSheet } from '../sheets/inspect-sheet.ts';
import type { RawBatch, TextTable } from '../sheets/raw-batch.ts';
import { readSheetBatches } from '../sheets/read-sheet.ts';

/** Rows between two looks at the clock. */
const BATCH_ROWS = 20_000;
/** A column of more different texts holds names or ids, not words. */
const MOST_WORDS = 100;
/** Of all columns together: what a survey says has to fit into a message. */
const MOST_WORDS_IN_ALL = 4_000;
const LONGEST_WORD_BYTES = 160;
/** No text that means missing is longer. */
const LONGEST_MISSING_BYTES = 16;

/**
 * Reads a sheet further than its first rows for the different texts of each column, so that a status or an "n/a" that comes
 * late is known before a tape is processed. Of a column with many texts only those that mean missing are told. Memory is
 * that of a batch.
 * @param budgetMs reading ends with the batch in which this time is over
 * @param signal ends it within a batch, which then is not told of
 */
export async function surveySheet(
  path: string,
  sheet: Pick<InspectedSheet, 'kind' | 'sheetName' | 'headerRow' | 'columns'>,
  budgetMs: number,
  signal?: AbortSignal,
): Promise<SheetSurvey> {
  const columns = sheet.columns.map(() => new WordsOfColumn());
  const named = sheet.kind === 'csv' ? {} : { sheetName: sheet.sheetName };
  const end = performance.now() + budgetMs;
  let rows = 0;
  let isWhole = true;
  const options = { ...named, headerRow: sheet.headerRow, batchRows: BATCH_ROWS, signal };
  try {
    for await (const batch of readSheetBatches(path, options)) {
      for (const [index, column] of columns.entries()) column.read(batch, index);
      rows += batch.rowCount;
      if (performance.now() >= end) {
        isWhole = false;
        break;
      }
    }
  } catch (error) {
    // What is wrong further down, or takes too long, is told when the tape is processed: the first rows are sound.
    if (!signal?.aborted && !isRefusal(error)) throw error;
    isWhole = false;
  }
  let left = MOST_WORDS_IN_ALL;
  const told = columns.map((column): SurveyedColumn => {
    const { words, isPadded } = column;
    const kept = words.length <= left ? words : [];
    left -= kept.length;
    return { words: kept, isPadded };
  });
  return { rows, isWhole, columns: told };
}

/** The different texts of one column, and how often each stands. */
class WordsOfColumn {
  isPadded = false;
  private readonly counts = new Map<string, { count: number; isError: boolean }>();
  private isMany = false;

  get words(): SurveyedColumn['words'] {
    return [...this.counts].map(([value, { count, isError }]) => ({ value, count, ...(isError ? { isError } : {}) }));
  }

  read({ columns, rowCount, texts }: RawBatch, index: number): void {
    const { tags, values } = columns[index]!;
    const seen = new Map<number, { count: number; isError: boolean }>();
    for (let row = 0; row < rowCount; row += 1) {
      const tag = tags[row];
      if (tag !== CellTag.text && tag !== CellTag.error) continue;
      const code = values[row]!;
      const known = seen.get(code);
      if (known) known.count += 1;
      else seen.set(code, { count: 1, isError: tag === CellTag.error });
    }
    for (const [code, { count, isError }] of seen) this.add(texts, code, count, isError);
  }

  private add(texts: TextTable, code: number, count: number, isError: boolean): void {
    const length = texts.length(code);
    this.isPadded ||= isOuterSpace(texts, code, length);
    if (length > LONGEST_WORD_BYTES) this.giveUp();
    if (this.isMany && length > LONGEST_MISSING_BYTES) return;
    const value = texts.text(code);
    const known = this.counts.get(value);
    if (known) known.count += count;
    else if (isMissingWord(value) || (!this.isMany && this.counts.size < MOST_WORDS)) {
      this.counts.set(value, { count, isError });
    } else this.giveUp();
  }

  /** From here on only texts that mean missing are kept. */
  private giveUp(): void {
    if (this.isMany) return;
    this.isMany = true;
    for (const value of this.counts.keys()) if (!isMissingWord(value)) this.counts.delete(value);
  }
}

const SPACE = 32;
/** The last byte of a no-break space (C2 A0), which begins no letter. */
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
