import { describe, expect, test } from 'vitest';
import type { SampleCell } from './column-summary.ts';
import { chooseId } from './ids.ts';

const ROWS = 40;
const column = (header: string, value: (row: number) => string, tag = 2) => ({
  header,
  cells: Array.from(
    { length: ROWS },
    (_, row): SampleCell => ({ tag: value(row) === '' ? 0 : tag, value: value(row) }),
  ),
});
/** Empty if only the number of the row identifies the rows. */
const chosen = (...columns: ReturnType<typeof column>[]) =>
  chooseId(columns)?.columns.map(({ header }) => header) ?? null;

const NAME = column('BorrName', (row) => `Acme ${row >> 1}`);
const DATE = column('ApprovalDate', (row) => `2024-01-${String(10 + (row % 2)).padStart(2, '0')}`, 4);
const AMOUNT = column('GrossApproval', (row) => String(1000 + (row % 7)), 1);

describe('a tape that names no id', () => {
  test('is identified by a column that differs in every row, preferably one named for numbers', () =>
    expect(
      chosen(
        column('Zeile', (row) => `z${row}`),
        column('Police No', (row) => `p${row}`),
      ),
    ).toEqual(['Police No']));

  test.each(['BankFDICNumber', 'SSN', 'Phone Number', 'BorrZip'])('is not identified by %s', (header) =>
    expect(chosen(column(header, (row) => String(10_000 + row), 1))).toEqual([]),
  );

  test('is not identified by amounts, dates or a column with blanks', () => {
    expect(chosen(column('Balance', (row) => `${row}.5`, 1))).toEqual([]);
    expect(chosen(column('Start', (row) => `2024-01-${row}`, 4))).toEqual([]);
    expect(chosen(column('Key', (row) => (row < 2 ? '' : `k${row}`)))).toEqual([]);
    expect(chosen(column('Key', () => ''))).toBeNull();
  });

  test('is identified by a name with a date and an amount if these differ together', () => {
    expect(chosen(NAME, DATE, AMOUNT)).toEqual(['BorrName', 'ApprovalDate', 'GrossApproval']);
    expect(chooseId([NAME, DATE, AMOUNT])?.reason).toContain('The tape has no id column');
  });

  test('is identified by these also if a few rows are equal, and by the row number if most are', () => {
    const few = column('Amount', (row) => String(row % 2), 1);
    expect(
      chosen(
        column('Name', (row) => `Acme ${Math.max(row, 10)}`),
        few,
      ),
    ).toEqual(['Name', 'Amount']);
    const most = column('Amount', (row) => String(row >> 3), 1);
    expect(
      chosen(
        column('Name', () => 'Acme'),
        most,
      ),
    ).toEqual([]);
    expect(chooseId([column('Name', () => 'Acme'), most])?.reason).toContain('cannot be compared between tapes');
  });
});
