import { expect, it } from 'vitest';
import { addsUp, controlTotalOf } from './control-total.ts';

const row = (number: number, defaultValue: string, currency = 'USD') => ({
  file: 0,
  row: number,
  cells: { currency, ...(defaultValue === '' ? {} : { defaultValue }) },
});
const PROBLEM = { kind: 'rule', column: null, message: 'wrong' } as const;
const results = [
  { row: 2, problems: [] },
  { row: 3, problems: [PROBLEM] },
  { row: 4, problems: [PROBLEM] },
];
const rows = [row(2, '1000.5'), row(3, '-200'), row(4, 'x')];
const total = (sum: string) => [
  { row: 5, sums: { defaultValue: '1' } },
  { row: 9, sums: { defaultValue: sum } },
];
const mapping = { defaultValue: 'G' };

it('the rows are added up by what the check says, and compared with the last total of the file', () => {
  const found = controlTotalOf('navs', { rows, results, totalRows: total('800.50'), mapping });
  expect(found).toEqual({
    currency: 'USD',
    ok: { count: 1, sum: '1000.5' },
    withProblems: { count: 1, sum: '-200' },
    unreadableCount: 1,
    sum: '800.5',
    own: { sum: '800.50', cell: 'G9', difference: '0' },
  });
  expect(found && addsUp(found)).toBe(true);
  const other = controlTotalOf('navs', { rows, results, totalRows: total('900'), mapping });
  expect(other?.own?.difference).toBe('-99.5');
  expect(other && addsUp(other)).toBe(false);
});

it('there is none without a column of amounts, for several currencies, or for records without amounts', () => {
  const given = { rows, results, totalRows: [], mapping };
  expect(controlTotalOf('navs', given)).toMatchObject({ own: null });
  expect(controlTotalOf('navs', { ...given, mapping: {} })).toBeNull();
  expect(controlTotalOf('navs', { ...given, rows: [...rows, row(6, '1', 'EUR')] })).toBeNull();
  // A row with the wrong currency is a row with a problem.
  const wrong = {
    ...given,
    rows: [...rows, row(6, '1', 'EUR')],
    results: [...results, { row: 6, problems: [PROBLEM] }],
  };
  expect(controlTotalOf('navs', wrong)).toMatchObject({ currency: 'USD', withProblems: { count: 2 } });
  expect(controlTotalOf('users', given)).toBeNull();
});
