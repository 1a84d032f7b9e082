import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { fromEpochDay } from '../../dates/calendar-date.ts';
import { monthNamed } from '../../dates/month-names.ts';
import { readMonths } from '../latest-rows/read-months.ts';
import { type HeadedColumn, monthFormOfColumn, summarizeColumn } from './column-shape.ts';
import type { ColumnSummary } from './column-summary.ts';
import { readDates, writtenDate } from './dates.ts';
import { dayNumbers } from './day-number.ts';
import { runningBalance } from './running-balance.ts';

/** A sheet that does not have one row for each loan, and what shows it. */
export type OtherSheet =
  | { readonly kind: 'statement'; readonly amounts: readonly string[]; readonly balance: string }
  | {
      readonly kind: 'rowPerMonth';
      readonly id: string;
      readonly month: string;
      /** The first and the last month as the sheet writes them. */
      readonly months: readonly [first: string, last: string];
    }
  /** The headers of the first and the last column that is a period, or null where a spreadsheet made the pivot. */
  | { readonly kind: 'pivot'; readonly labels: string; readonly periods: readonly [first: string, last: string] | null }
  | { readonly kind: 'rentRoll'; readonly unit: string; readonly tenant: string; readonly rent: string }
  /** The rows, counted from the first below the header, that repeat the header. */
  | { readonly kind: 'blocks'; readonly headerRows: readonly number[] };

export const OTHER_SHEET_KINDS = [
  'statement',
  'rowPerMonth',
  'pivot',
  'rentRoll',
  'blocks',
] as const satisfies readonly OtherSheet['kind'][];

/** A sheet of more columns is not examined: no statement, pivot or rent roll is as wide. */
const MAX_COLUMNS = 300;
const MIN_ROWS = 5;
const MIN_SHARE = 0.9;

interface Examined {
  readonly column: HeadedColumn;
  readonly summary: ColumnSummary;
}

/**
 * What a sheet is if it is not a tape: an account statement, whose balance adds up its amounts; a row for each loan and
 * month; a pivot; a rent roll; or several blocks, each with its own header. Null for anything else. The values have to
 * show it: headers alone are not enough.
 * @param columns with the cells of the first rows in the order of the sheet, and of others after them
 */
export function otherSheet(columns: readonly HeadedColumn[]): OtherSheet | null {
  if (columns.length > MAX_COLUMNS) return null;
  const examined = columns.map((column) => ({ column, summary: summarizeColumn(column) }));
  return (
    blocksOf(columns) ?? statementOf(columns) ?? pivotOf(examined) ?? rentRollOf(examined) ?? rowPerMonthOf(examined)
  );
}

function statementOf(columns: readonly HeadedColumn[]): OtherSheet | null {
  const found = runningBalance(columns);
  return found && { kind: 'statement', ...found };
}

/** From here on, the months of a loan are not a repeated id. */
const MIN_MONTHS = 2;
const MAX_MONTHS = 400;
/** The share of loans and months that need a row. Loans start and end, so fewer are enough if no column numbers the rows. */
const WHOLE = { withRowNumber: 0.9, alone: 0.4 } as const;
/** Comparing every row of two columns takes long; the first few credible pairs decide. */
const MAX_COMPARED = 40;

function rowPerMonthOf(examined: readonly Examined[]): OtherSheet | null {
  const hasRowNumber = examined.some(({ column, summary }) => isRowNumber(column, summary));
  let compared = 0;
  for (const { column: month, summary } of examined) {
    const { different: periods } = summary.counted;
    if (periods < MIN_MONTHS || periods > MAX_MONTHS) continue;
    const paired = (least: number) =>
      examined.filter(({ column: id, summary: { counted } }) => {
        const { different: loans, filled } = counted;
        if (id === month || loans < MIN_MONTHS || filled < MIN_ROWS) return false;
        const possible = loans * periods;
        return Math.max(loans, periods) * MIN_MONTHS <= filled && filled >= possible * least && filled <= possible;
      });
    // Dates take long to read, and the counts alone decide for almost every column.
    if (paired(WHOLE.alone).length === 0 || !isDated(summary, month.header)) continue;
    const least = !hasRowNumber && isMonthly(month) ? WHOLE.alone : WHOLE.withRowNumber;
    for (const { column: id, summary: ids } of paired(least)) {
      if (compared >= MAX_COMPARED || ids.filled.some(({ value }) => /^-?\d+\.\d+$/.test(value.trim()))) continue;
      compared += 1;
      if (areApart(id, month)) {
        return { kind: 'rowPerMonth', id: id.header, month: month.header, months: firstAndLast(month) };
      }
    }
  }
  return null;
}

/** Whether a column numbers the rows: whole numbers or texts, each in one row. */
const isRowNumber = (column: HeadedColumn, { distinctShare, filled }: ColumnSummary): boolean =>
  distinctShare === 1 &&
  filled.length === column.cells.length &&
  filled.every((cell) => !/[.,]\d+$/.test(cell.value.trim()) && writtenDate(cell) === null);

function isDated(summary: ColumnSummary, header: string): boolean {
  if (monthFormOfColumn(summary.filled) !== null) return true;
  const dates = readDates(summary, header, null);
  return dates !== null && summary.filled.filter(dates.fits).length >= MIN_SHARE * summary.filled.length;
}

/** Whether each month has one date, such as its last day. */
function isMonthly({ cells }: HeadedColumn): boolean {
  const days = new Set(dayNumbers(cells).filter((day) => day !== null));
  const months = new Set([...days].map((day) => fromEpochDay(day).slice(0, 7)));
  return days.size > 0 && months.size === days.size;
}

/** The first and last of a column's months in time, as written; in the order of the texts if none can be read. */
function firstAndLast({ cells, words = [] }: HeadedColumn): [string, string] {
  const all = [...cells, ...words.flatMap(({ value, isError }) => (isError ? [] : [{ tag: CellTag.text, value }]))];
  const different = new Map(all.flatMap((cell) => (cell.value.trim() === '' ? [] : [[cell.value.trim(), cell]])));
  const months = readMonths([...different.values()], 1900);
  const written = [...different.keys()].map((text, index) => ({ text, date: months[index]?.date ?? null }));
  const dated = written.filter(({ date }) => date !== null);
  const [shown, keyOf] = dated.length > 0 ? [dated, 'date' as const] : [written, 'text' as const];
  const sorted = shown.toSorted((a, b) => (a[keyOf]! < b[keyOf]! ? -1 : 1));
  return [sorted[0]!.text, sorted.at(-1)!.text];
}

/** Whether no two of the rows have the same id and month. */
function areApart(id: HeadedColumn, month: HeadedColumn): boolean {
  const seen = new Set<string>();
  for (const [row, { value }] of id.cells.entries()) {
    if (value.trim() === '') continue;
    const key = JSON.stringify([value.trim(), month.cells[row]?.value.trim()]);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** What spreadsheets write above the labels of a pivot and above its totals. */
const PIVOT_LABELS =
  /^(row labels|zeilenbeschriftungen|étiquettes de lignes|etiquetas de fila|etichette di riga|rijlabels|rótulos de linha)$/i;
const PIVOT_TOTALS =
  /^(grand total|gesamtergebnis|total général|total general|totale complessivo|eindtotaal|total geral)$/i;
/** A quarter, a year, a date or a month in numbers, alone in a header. */
const PERIOD =
  /^(?:\d{4}|\d{4}[-/.](?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])[-/.]\d{4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|(?:q[1-4]|t[1-4])[-/ ']*\d{2,4}|\d{4}[-/ ]*q[1-4])$/i;
const NAMED_MONTH = /^(\p{L}+)[-/. ']*\d{0,4}$/u;

function isPeriod(header: string): boolean {
  const [, month] = NAMED_MONTH.exec(header) ?? [];
  return PERIOD.test(header) || (month !== undefined && monthNamed(month) !== null);
}

const MIN_PERIODS = 3;
/** A table of periods has few other columns; a tape with a payment history has many. */
const MAX_OTHERS = 3;

function pivotOf(examined: readonly Examined[]): OtherSheet | null {
  const [first] = examined;
  if (!first) return null;
  const headers = examined.map(({ column }) => column.header.trim());
  const labels = headers.find((header) => PIVOT_LABELS.test(header));
  if (labels !== undefined && headers.some((header) => PIVOT_TOTALS.test(header))) {
    return { kind: 'pivot', labels, periods: null };
  }
  const periods = examined.filter(
    ({ column, summary }) =>
      isPeriod(column.header.trim()) && summary.numbers.length >= summary.filled.length * MIN_SHARE,
  );
  const others = examined.length - periods.length;
  if (periods.length < MIN_PERIODS || others > MAX_OTHERS || periods.length <= others) return null;
  const [from, to] = [periods[0]!, periods.at(-1)!];
  return { kind: 'pivot', labels: first.column.header, periods: [from.column.header, to.column.header] };
}

const UNIT = /\b(unit|suite|apartment|apt|bldg|flat|einheit|wohnung|lot)\b/i;
const TENANT = /\b(tenant|resident|occupant|mieter|locataire|inquilino)\b/i;
const RENT = /\b(rent|miete|loyer|alquiler|canone)\b/i;

/** A list of units, tenants and rents: a row for each unit of a building. */
function rentRollOf(examined: readonly Examined[]): OtherSheet | null {
  const headerOf = (pattern: RegExp, isAmount: boolean): string | undefined =>
    examined.find(
      ({ column, summary }) =>
        pattern.test(column.header.replaceAll('_', ' ')) &&
        (!isAmount || summary.numbers.length >= Math.max(1, summary.filled.length * 0.5)),
    )?.column.header;
  const [unit, tenant, rent] = [headerOf(UNIT, false), headerOf(TENANT, false), headerOf(RENT, true)];
  return unit !== undefined && tenant !== undefined && rent !== undefined
    ? { kind: 'rentRoll', unit, tenant, rent }
    : null;
}

/** Fewer cells can be equal to their header by chance. */
const MIN_REPEATED_CELLS = 3;
const MAX_HEADER_ROWS = 20;

/** Rows that repeat the header: the sheet has blocks below each other. */
function blocksOf(columns: readonly HeadedColumn[]): OtherSheet | null {
  const named = columns.filter(({ header }) => header.trim() !== '');
  if (named.length < MIN_REPEATED_CELLS) return null;
  const rows = named[0]!.cells.length;
  const least = Math.max(MIN_REPEATED_CELLS, named.length * MIN_SHARE);
  const headerRows: number[] = [];
  for (let row = 0; row < rows && headerRows.length < MAX_HEADER_ROWS; row += 1) {
    const equal = named.filter(({ header, cells }) => cells[row]?.value.trim() === header.trim()).length;
    if (equal >= least) headerRows.push(row);
  }
  return headerRows.length > 0 ? { kind: 'blocks', headerRows } : null;
}

/** What a person reads, with what can be done. */
export function otherSheetInWords(sheet: OtherSheet): string {
  switch (sheet.kind) {
    case 'statement': {
      const amounts = sheet.amounts.map((header) => `“${header}”`).join(' or ');
      return `This looks like an account statement, not a loan tape: each “${sheet.balance}” is the previous one changed by the ${amounts} of its row. A tape has one row for each loan. Ask the borrower for the list of loans.`;
    }
    case 'rowPerMonth':
      return `This sheet has a row for each loan and month: “${sheet.month}” is the month, from ${sheet.months[0]} to ${sheet.months[1]}, and each “${sheet.id}” repeats. A tape has each loan once. When you upload it, use the latest row of each loan, or keep only the rows of one month, such as ${sheet.months[1]}, and upload those.`;
    case 'pivot': {
      const shown = sheet.periods
        ? `it has a column for each period from “${sheet.periods[0]}” to “${sheet.periods[1]}”`
        : `“${sheet.labels}” and the totals come from a pivot table`;
      return `This looks like a summary, not a loan tape: ${shown}. Upload the rows that the summary is calculated from. They are often on another sheet.`;
    }
    case 'rentRoll':
      return `This looks like a rent roll, not a loan tape: it has a row for each “${sheet.unit}” with its “${sheet.tenant}” and “${sheet.rent}”. A tape has one row for each loan. Ask the borrower for the list of loans.`;
    case 'blocks':
      return `The header repeats ${sheet.headerRows.length === 1 ? 'once' : `${sheet.headerRows.length} times`} below the first rows, so the sheet has several tables below each other. Move the rows of all tables below one header, and upload that.`;
  }
}
