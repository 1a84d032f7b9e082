import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type NumberFormat, type WrittenCell, writeWorkbook } from '@tapeline/sheets/workbook-writer.ts';
import type { TapeCell, TapeColumn, TapeSheet } from '../tapes.ts';

const FORMATS: Readonly<Record<TapeColumn['kind'], NumberFormat>> = {
  text: { digits: 0 },
  date: { digits: 0 },
  whole: { code: '0' },
  decimal: { code: '0.00' },
  money: { digits: 2 },
  percent: { code: '0.00%' },
};

/**
 * A tape as the bytes of an .xlsx workbook with one sheet, with cell styles for dates and percentages, and a frozen
 * header. The same sheet always produces the same bytes.
 */
export function workbookBytes(sheet: TapeSheet): Promise<Uint8Array> {
  const { columns, titleRows, blankColumns, cutOffDate, sheetName } = sheet;
  const blanks = Array.from({ length: blankColumns }, () => null);
  const texts = (row: readonly string[]) => [...blanks, ...row.map((text) => (text === '' ? null : { text }))];
  const rows = [
    ...titleRows.map((title) => texts([title])),
    texts(columns.map(({ header }) => header)),
    ...sheet.rows.map((row) => [...blanks, ...row.map((cell, index) => cellOf(cell, columns[index]!.kind))]),
  ];
  return writeWorkbook({
    title: sheetName,
    author: 'Tapeline demonstration',
    created: `${cutOffDate}T00:00:00Z`,
    sheets: [
      {
        name: sheetName,
        widths: [...blanks.map(() => 3), ...columns.map(({ width }) => width)],
        rows,
        frozenRows: titleRows.length + 1,
        showsGrid: true,
      },
    ],
  });
}

/** Text in a date column that is not a valid date stays text. */
function cellOf(cell: TapeCell, kind: TapeColumn['kind']): WrittenCell {
  if (cell === null) return null;
  if (typeof cell === 'number') return { number: String(cell), format: FORMATS[kind] };
  return kind === 'date' && isCalendarDate(cell) ? { date: cell } : { text: cell };
}
