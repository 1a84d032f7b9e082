import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { describe, expect, test } from 'vitest';
import type { SampleCell } from './column-summary.ts';
import { suggestMapping } from './suggest-mapping.ts';

const ROWS = 40;
const column = (header: string, value: (row: number) => string | number) => ({
  header,
  cells: Array.from({ length: ROWS }, (_, row): SampleCell => {
    const written = value(row);
    return { tag: typeof written === 'number' ? CellTag.number : CellTag.text, value: String(written) };
  }),
});
const month = (from: number, row: number): string => new Date(Date.UTC(2024, from + row, 1)).toISOString().slice(0, 10);

const ID = column('Loan ID', (row) => `L${row}`);
const MADE = column('Origination Date', (row) => month(-60, row));
const MATURITY = column('Maturity Date', (row) => month(12, row));
const AMOUNT = column('Original Amount', (row) => 50_000 + row * 100);
const BALANCE = column('Current Balance', (row) => 20_000 + row * 100);

const suggested = (target: string, ...columns: ReturnType<typeof column>[]) =>
  suggestMapping({ columns: [ID, ...columns] }).find(({ rule }) => rule.targetCol === target);

describe('a term', () => {
  test('from one day to each maturity is the remaining term', () => {
    const found = suggested(
      'term',
      MADE,
      MATURITY,
      column('Term', (row) => 6 + row),
    );
    expect(found).toMatchObject({ isOn: false });
    expect(found?.reason).toContain('40 of 40 terms end at the maturity date if they start on the same day');
    expect(
      suggested(
        'term',
        MADE,
        MATURITY,
        column('Term', () => 72),
      ),
    ).toMatchObject({ isOn: true });
  });

  test('from the origination to the maturity is not the remaining term', () => {
    const found = suggested(
      'remainingTerm',
      MADE,
      MATURITY,
      column('Remaining Term', () => 72),
    );
    expect(found).toMatchObject({ isOn: false });
    expect(found?.reason).toContain('40 of 40 are the time from the origination date to the maturity date');
    expect(
      suggested(
        'remainingTerm',
        MADE,
        MATURITY,
        column('Remaining Term', (row) => 6 + row),
      ),
    ).toMatchObject({ isOn: true });
  });
});

test('the principal of a month is not the principal paid since origination', () => {
  const paid = (value: (row: number) => number) =>
    suggested('sums.paidPrincipal', AMOUNT, BALANCE, column('Principal Paid', value));
  expect(paid(() => 410)).toMatchObject({ isOn: false });
  expect(paid(() => 410)?.reason).toContain('far below what was repaid since origination in 40 of 40 rows');
  expect(paid(() => 29_500)).toMatchObject({ isOn: true });
});

test('a date that all rows have is the date of a report, unless its header is clear', () => {
  const found = suggested(
    'dateFinanced',
    column('Posting Start Date', () => '2024-06-30'),
  );
  expect(found?.isOn).not.toBe(true);
  expect(
    suggested(
      'dateFinanced',
      column('Origination Date', () => '2024-06-30'),
    ),
  ).toMatchObject({ isOn: true });
});

test.each([
  ['american', (row: number) => `${(row % 12) + 1}/28/2031`, '1/15/2024'],
  ['compact', (row: number) => 20_310_128 + (row % 2), '20240115'],
])('a last payment after the next one is another date, however dates are written: %s', (_, last, next) => {
  const dates = [column('Last Payment Date', last), column('Next Payment Date', () => next)];
  const found = suggestMapping({ columns: [ID, ...dates] }).filter(
    ({ isOn, rule }) => isOn && rule.originCol?.includes('Payment'),
  );
  expect(found.map(({ rule }) => rule.targetCol).filter((path) => path.startsWith('dates.'))).toHaveLength(1);
});

describe('columns that were missed or taken for another field', () => {
  const dates = (row: number) => month(-20, row);
  test.each([
    ["Borrower's Obligation", 'sums.outstandingSum', (row: number) => 900 + row],
    ['Remaining Principal', 'sums.outstandingPrincipal', (row: number) => 900 + row],
    ['DateApproved', 'dateFinanced', dates],
    ['Drawdown', 'dateFinanced', dates],
    ['End Date', 'dates.maturityDate', dates],
    ['AMORITIZED PRINCIPAL BALANCE', 'sums.outstandingPrincipal', (row: number) => 900 + row],
    ['State', 'assetStatus', (row: number) => (row % 5 ? 'open' : 'repaid')],
    ['Days Late', 'daysPastDue', (row: number) => (row % 9 ? 0 : row)],
    ['Number of Days in Arrears', 'daysPastDue', (row: number) => (row % 9 ? 0 : row)],
  ] as const)('“%s” is %s', (header, path, value) => {
    const found = suggestMapping({ columns: [ID, column(header, value)] });
    expect(found.filter(({ rule, isOn }) => isOn && rule.originCol === header && rule.targetCol === path)).toHaveLength(
      1,
    );
  });

  test.each([
    ['Price', (row: number) => 0.9 + (row % 20) / 100],
    ['Purchase Price', (row: number) => 95 + (row % 10)],
    ['Combined LTV', (row: number) => 60 + (row % 30)],
    ['Fixed Rate End Date', dates],
    ['Last Payment Amount', (row: number) => 300 + row],
    ['Region', (row: number) => (row % 2 ? 'Active North' : 'South')],
  ] as const)('“%s” is no field', (header, value) => {
    const found = suggestMapping({ columns: [ID, AMOUNT, column(header, value)] });
    expect(found.filter(({ rule, isOn }) => isOn && rule.originCol === header)).toEqual([]);
  });
});
