import { expect, it } from 'vitest';
import { controlTotalsOf } from './control-total.ts';

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
const total = (defaultValue: string) => ({ row: 9, label: 'Total', sums: { defaultValue }, cells: {}, count: null });
const mapping = { defaultValue: 'G' };

it('the rows are added up by what the check says, and compared with the total of the file', () => {
  const found = controlTotalsOf('navs', { rows, results, totalRows: [total('900')], mapping });
  expect(found?.amounts).toEqual([
    {
      currency: 'USD',
      ok: { count: 1, sum: '1000.5' },
      withProblems: { count: 1, sum: '-200' },
      unreadableCount: 1,
      sum: '800.5',
    },
  ]);
  expect(found?.totals).toMatchObject([
    { row: 9, stated: '900', sum: '800.5', difference: '99.5', unreadableCount: 1 },
  ]);
});

it('there is none without amounts, and one for each currency', () => {
  const given = { rows, results, totalRows: [], mapping };
  expect(controlTotalsOf('navs', given)?.totals).toEqual([]);
  expect(controlTotalsOf('navs', { ...given, mapping: {} })).toBeNull();
  expect(controlTotalsOf('users', given)).toBeNull();
  const several = controlTotalsOf('navs', { ...given, rows: [...rows, row(6, '1', 'EUR')] });
  expect(several?.amounts.map(({ currency, sum }) => [currency, sum])).toEqual([
    ['EUR', '1'],
    ['USD', '800.5'],
  ]);
  // A row with the wrong currency is a row with a problem.
  const wrong = {
    ...given,
    rows: [...rows, row(6, '1', 'EUR')],
    results: [...results, { row: 6, problems: [PROBLEM] }],
  };
  expect(controlTotalsOf('navs', wrong)?.amounts).toMatchObject([{ currency: 'USD', withProblems: { count: 2 } }]);
});
