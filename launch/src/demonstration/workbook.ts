import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { TapeCell, TapeColumn, TapeSheet } from '@tapeline/domain/demonstration/tape-sheet.ts';
import { writeXlsxStream, type XlsxStreamRow } from 'hucre/xlsx';

/** Excel number formats; a column of texts has none. */
const NUMBER_FORMATS: Readonly<Record<TapeColumn['kind'], string | undefined>> = {
  text: undefined,
  whole: '0',
  decimal: '0.00',
  money: '#,##0.00',
  percent: '0.00%',
  date: 'yyyy-mm-dd',
};

/**
 * A tape as the bytes of an .xlsx workbook with one sheet: dates and percentages by cell style, shared strings, the
 * header frozen. Rows are pulled as the stream is read; the same sheet gives the same bytes.
 */
export function writeWorkbook(sheet: TapeSheet): ReadableStream<Uint8Array> {
  const blanks = Array.from({ length: sheet.blankColumns }, () => null);
  return writeXlsxStream(rowsOf(sheet, blanks), {
    name: sheet.sheetName,
    columns: [
      ...blanks.map(() => ({ width: 3 })),
      ...sheet.columns.map(({ kind, width }) => {
        const numFmt = NUMBER_FORMATS[kind];
        return numFmt === undefined ? { width } : { width, numFmt };
      }),
    ],
    freezePane: { rows: sheet.titleRows.length + 1 },
    // Statuses, states and the like repeat on every row.
    inlineStrings: false,
  });
}

/** The whole workbook in memory. */
export async function workbookBytes(sheet: TapeSheet): Promise<Uint8Array> {
  return new Uint8Array(await new Response(writeWorkbook(sheet)).arrayBuffer());
}

function* rowsOf(sheet: TapeSheet, blanks: null[]): Generator<XlsxStreamRow & unknown[]> {
  for (const title of sheet.titleRows) yield title === '' ? [] : [...blanks, title];
  yield [...blanks, ...sheet.columns.map((column) => column.header)];
  for (const row of sheet.rows) {
    yield [...blanks, ...row.map((cell, index) => cellValue(cell, sheet.columns[index]?.kind))];
  }
}

/** A date becomes an Excel date at midnight; a text in a date column that is no date stays the text somebody typed. */
function cellValue(cell: TapeCell, kind: TapeColumn['kind'] | undefined): TapeCell | Date {
  return kind === 'date' && isCalendarDate(cell) ? new Date(`${cell}T00:00:00Z`) : cell;
}
