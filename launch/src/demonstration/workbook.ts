import type { TapeCell, TapeColumn, TapeSheet } from '@tapeline/db/seed/demonstration/tape-sheet.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { writeXlsxStream, type XlsxStreamRow } from 'hucre/xlsx';

/** Excel number formats. Text columns have none. */
const NUMBER_FORMATS: Readonly<Record<TapeColumn['kind'], string | undefined>> = {
  text: undefined,
  whole: '0',
  decimal: '0.00',
  money: '#,##0.00',
  percent: '0.00%',
  date: 'yyyy-mm-dd',
};

/**
 * A tape as the bytes of an .xlsx workbook with one sheet, with cell styles for dates and percentages, shared strings,
 * and a frozen header. Rows are pulled as the stream is read. The same sheet always produces the same bytes.
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
    // Use shared strings, because statuses, states, and similar values repeat on every row.
    inlineStrings: false,
  });
}

/** The complete workbook in memory. */
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

/** Converts a date to an Excel date at midnight. Text in a date column that is not a valid date stays text. */
function cellValue(cell: TapeCell, kind: TapeColumn['kind'] | undefined): TapeCell | Date {
  return kind === 'date' && isCalendarDate(cell) ? new Date(`${cell}T00:00:00Z`) : cell;
}
