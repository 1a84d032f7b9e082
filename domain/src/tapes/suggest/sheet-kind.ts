import { monthFormOfColumn, type ReadColumn, summarizeColumn } from './column-shape.ts';
import type { ColumnSummary } from './column-summary.ts';
import { readDates } from './dates.ts';
import { readFigure } from './figures.ts';
import type { SampleColumn } from './suggest-mapping.ts';

/** A sheet that has not one row for each loan, and what shows it. */
export type OtherSheet =
  | { readonly kind: 'statement'; readonly amounts: string; readonly balance: string }
  | {
      readonly kind: 'rowPerMonth';
      readonly id: string;
      readonly month: string;
      /** The first and the last month as the sheet writes them. */
      readonly months: readonly [first: string, last: string];
    };

/** With fewer rows, figures add up by chance. */
const LEAST_ROWS = 5;
const MOST = 0.9;
/** Amounts of an account differ. */
const LEAST_CHANGES = 3;
/** Figures that are rounded to cents differ by less. */
const ROUNDED = 0.011;
/** From here on, the months of a loan are not a repeated id. */
const LEAST_MONTHS = 2;
const MAX_MONTHS = 400;

/**
 * What a sheet is that is no tape: the statement of an account, whose balance adds up its amounts, or a row for each loan and
 * month. Null for anything else: a tape is never called something else for its headers alone.
 * @param columns with the cells of the first rows in the order of the sheet
 */
export function otherSheet(columns: readonly SampleColumn[]): OtherSheet | null {
  return statementOf(columns) ?? rowPerMonthOf(columns);
}

function statementOf(columns: readonly SampleColumn[]): OtherSheet | null {
  const figures = columns.flatMap((column) => {
    const { form } = summarizeColumn(column);
    const values = column.cells.map(({ value }) => (value.trim() === '' ? null : readFigure(value, form)));
    return values.filter((value) => value !== null).length >= LEAST_ROWS ? [{ header: column.header, values }] : [];
  });
  for (const balance of figures) {
    for (const amounts of figures) {
      if (amounts !== balance && addsUp(balance.values, amounts.values)) {
        return { kind: 'statement', amounts: amounts.header, balance: balance.header };
      }
    }
  }
  return null;
}

/** Whether each balance is the one before it, plus or minus its amount, whichever row comes first. */
function addsUp(balances: readonly (number | null)[], amounts: readonly (number | null)[]): boolean {
  let [steps, forward, backward, moved] = [0, 0, 0, 0];
  const changes = new Set<number>();
  for (let row = 1; row < balances.length; row += 1) {
    const [before, now] = [balances[row - 1], balances[row]];
    const [earlier, later] = [amounts[row - 1] ?? null, amounts[row] ?? null];
    if (before == null || now == null) continue;
    steps += 1;
    const change = Math.abs(now - before);
    changes.add(Math.round(change * 100));
    if (later !== null && later !== 0 && Math.abs(change - Math.abs(later)) < ROUNDED) forward += 1;
    if (earlier !== null && earlier !== 0 && Math.abs(change - Math.abs(earlier)) < ROUNDED) backward += 1;
    if (change >= ROUNDED) moved += 1;
  }
  // Numbers that count up, beside a column of ones, are no amounts.
  if (changes.size < LEAST_CHANGES) return false;
  return steps >= LEAST_ROWS - 1 && moved >= steps * MOST && Math.max(forward, backward) >= steps * MOST;
}

function rowPerMonthOf(columns: readonly SampleColumn[]): OtherSheet | null {
  const months = columns.flatMap((column) => {
    const summary = summarizeColumn(column);
    const { different } = summary.counted;
    return isDated(summary, column.header) && different >= LEAST_MONTHS && different <= MAX_MONTHS
      ? [{ column, summary }]
      : [];
  });
  for (const { column: month, summary } of months) {
    for (const id of columns) {
      if (id === month) continue;
      const { counted } = summarizeColumn(id);
      const loans = counted.different;
      if (loans < LEAST_MONTHS || counted.filled < LEAST_ROWS || loans * LEAST_MONTHS > counted.filled) continue;
      const isWhole = counted.filled >= loans * summary.counted.different * MOST;
      if (isWhole && counted.filled <= loans * summary.counted.different && areApart(id, month)) {
        const written = [...new Set(summary.filled.map(({ value }) => value.trim()))].sort();
        return { kind: 'rowPerMonth', id: id.header, month: month.header, months: [written[0]!, written.at(-1)!] };
      }
    }
  }
  return null;
}

function isDated(summary: ColumnSummary, header: string): boolean {
  if (monthFormOfColumn(summary.filled) !== null) return true;
  const dates = readDates(summary, header, null);
  return dates !== null && summary.filled.filter(dates.fits).length >= MOST * summary.filled.length;
}

/** Whether no two of the rows have the same id and month. */
function areApart(id: ReadColumn, month: ReadColumn): boolean {
  const seen = new Set<string>();
  for (const [row, { value }] of id.cells.entries()) {
    if (value.trim() === '') continue;
    const key = JSON.stringify([value.trim(), month.cells[row]?.value.trim()]);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** What a person is told, with what can be done. */
export function otherSheetInWords(sheet: OtherSheet): string {
  return sheet.kind === 'statement'
    ? `This looks like the statement of an account and not like a loan tape: each “${sheet.balance}” is the one before it and the “${sheet.amounts}” of its row. A tape has a row for each loan: ask for the list of loans.`
    : `This sheet has a row for each loan and month: “${sheet.month}” is the month, from ${sheet.months[0]} to ${sheet.months[1]}, and each “${sheet.id}” repeats. A tape has each loan once: keep the rows of its month, ${sheet.months[1]} for the latest, and upload those.`;
}
