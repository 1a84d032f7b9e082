import { describe, expect, test } from 'vitest';
import type { SampleCell } from './column-summary.ts';
import { suggestMapping } from './suggest-mapping.ts';

const ROWS = 20;
const column = (header: string, value: (row: number) => string | number) => ({
  header,
  cells: Array.from({ length: ROWS }, (_, row): SampleCell => {
    const written = value(row);
    return { tag: written === '' ? 0 : typeof written === 'number' ? 1 : 2, value: String(written) };
  }),
});
const ID = column('Loan ID', (row) => `L${row}`);
const BALANCE = column('Current Balance', (row) => 100 + row);
const DATE = column('Origination Date', () => '2024-01-31');
const ruleOf = (target: string, columns: readonly ReturnType<typeof column>[]) =>
  suggestMapping({ columns }).find(({ rule }) => rule.targetCol === target)?.rule;

describe('rows of totals and notes cannot become assets', () => {
  test('as an id that reads as a total is an error that says so', () =>
    expect(ruleOf('assetId', [ID, BALANCE])?.validations).toEqual([
      { kind: 'notContains', value: 'Total' },
      { kind: 'notContains', value: 'TOTAL' },
      { kind: 'notContains', value: 'Subtotal' },
    ]));

  test('unless ids have the word in them', () =>
    expect(ruleOf('assetId', [column('Loan ID', (row) => `TOTALCARE-${row}`)])?.validations).toEqual([
      { kind: 'notContains', value: 'Total' },
      { kind: 'notContains', value: 'Subtotal' },
      { kind: 'notContains', value: 'SUBTOTAL' },
    ]));

  test('as a date and a balance that every row has are asked for in all', () => {
    expect(ruleOf('dateFinanced', [ID, BALANCE, DATE])?.checks).toEqual(['Mandatory']);
    expect(ruleOf('sums.outstandingSum', [ID, BALANCE, DATE])?.checks).toEqual(['Mandatory']);
  });

  test('and what some rows lack, or have no word for, is not', () => {
    const gaps = column('Origination Date', (row) => (row === 3 ? '' : '2024-01-31'));
    const dashes = column('Current Balance', (row) => (row === 3 ? '-' : '12.50'));
    expect(ruleOf('dateFinanced', [ID, gaps])?.checks).toEqual([]);
    expect(ruleOf('sums.outstandingSum', [ID, dashes])?.checks).toEqual([]);
  });

  test('one field of each kind is enough', () =>
    expect(ruleOf('interestRate', [ID, DATE, column('Interest Rate', () => 7.25)])?.checks).toEqual([]));
});
