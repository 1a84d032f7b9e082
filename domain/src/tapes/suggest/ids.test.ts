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
const chosen = (...columns: ReturnType<typeof column>[]) =>
  chooseId(columns)?.columns.map(({ header }) => header) ?? null;

const NAME = column('BorrName', (row) => `Acme ${row >> 1}`);
const DATE = column('ApprovalDate', (row) => `2024-01-${String(10 + (row % 2)).padStart(2, '0')}`, 4);
const AMOUNT = column('GrossApproval', (row) => String(1000 + (row % 7)), 1);

describe('a tape that names no id', () => {
  test('is told apart by a column that differs in every row, one named for numbers first', () =>
    expect(
      chosen(
        column('Zeile', (row) => `z${row}`),
        column('Police No', (row) => `p${row}`),
      ),
    ).toEqual(['Police No']));

  test.each(['BankFDICNumber', 'SSN', 'Phone Number', 'BorrZip'])('is not told apart by %s', (header) =>
    expect(chosen(column(header, (row) => String(10_000 + row), 1))).toBeNull(),
  );

  test('is not told apart by amounts, dates or a column with blanks', () => {
    expect(chosen(column('Balance', (row) => `${row}.5`, 1))).toBeNull();
    expect(chosen(column('Start', (row) => `2024-01-${row}`, 4))).toBeNull();
    expect(chosen(column('Key', (row) => (row < 2 ? '' : `k${row}`)))).toBeNull();
  });

  test('is told apart by a name with a date and an amount where they differ together', () => {
    expect(chosen(NAME, DATE, AMOUNT)).toEqual(['BorrName', 'ApprovalDate', 'GrossApproval']);
    expect(chooseId([NAME, DATE, AMOUNT])?.reason).toContain('The tape has no id column');
  });

  test('is not told apart where two rows are alike', () =>
    expect(
      chosen(
        column('Name', () => 'Acme'),
        column('Amount', (row) => String(row >> 1), 1),
      ),
    ).toBeNull());
});
