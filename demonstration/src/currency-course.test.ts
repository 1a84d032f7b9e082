import { isDecimal, toNumber } from '@tapeline/domain/money/decimal.ts';
import { exchangeRateSchema } from '@tapeline/domain/money/rate.schema.ts';
import { expect, test } from 'vitest';
import { demonstrationRates } from './currency-course.ts';

test('the rates cover the weekdays since the bundled ones, and a day always has the same ones', () => {
  const rates = demonstrationRates('2026-11-22');
  expect(rates).toHaveLength(230);
  expect([rates[0]?.date, rates.at(-1)?.date]).toEqual(['2026-01-05', '2026-11-20']);
  expect(demonstrationRates('2027-11-22')).toHaveLength(260);
  expect(demonstrationRates('2026-11-18')).toEqual(expect.arrayContaining(rates.slice(-20, -2)));
  expect(demonstrationRates('2026-01-01')).toEqual([]);
});

test('each course moves a little every day and stays near its level', () => {
  for (const code of ['CHF', 'EUR', 'GBP', 'ILS', 'JPY']) {
    const course = demonstrationRates('2026-11-22').map(({ rates }) => rates[code] ?? '');
    expect([...new Set(course.map((rate) => isDecimal(rate) && exchangeRateSchema.safeParse(rate).success))]).toEqual([
      true,
    ]);
    const values = course.map(toNumber);
    expect(Math.max(...values) / Math.min(...values)).toBeLessThan(1.25);
    expect(Math.max(...values) / Math.min(...values)).toBeGreaterThan(1.02);
    const steps = values.slice(1).map((value, index) => Math.abs(value / (values[index] ?? value) - 1));
    expect(Math.max(...steps)).toBeLessThan(0.03);
    expect(new Set(course).size).toBeGreaterThan(50);
  }
});
