import { expect, test } from 'vitest';
import { soleFigure, totalByCurrency } from './totals.ts';

test('sums are exact, and one for each currency', () => {
  expect(
    totalByCurrency([
      { sum: '0.1', currency: 'USD' },
      { sum: '5', currency: 'EUR' },
      { sum: '0.2', currency: 'USD' },
    ]),
  ).toEqual([
    { sum: '0.3', currency: 'USD' },
    { sum: '5', currency: 'EUR' },
  ]);
  expect(totalByCurrency([])).toEqual([]);
});

test('there is a single figure only if there is a single currency', () => {
  const dollars = { currency: 'USD', value: '3', count: 2 };
  expect(soleFigure([dollars])).toBe('3');
  expect(soleFigure([dollars, { currency: 'EUR', value: '4', count: 1 }])).toBeNull();
  expect(soleFigure([dollars, { currency: null, value: '4', count: 1 }])).toBeNull();
  expect(soleFigure([])).toBeNull();
});
