import { describe, expect, test } from 'vitest';
import { MAX_QUOTED, readPublishedRates } from './published-rates.ts';
import { rateEntrySchema } from './rate.schema.ts';
import type { DatedRates } from './rates.ts';

const NOTHING: DatedRates = { base: 'USD', rates: {}, origins: {}, lastUpdate: '2026-11-20' };
const known = (rate: string, date: string): DatedRates => ({
  ...NOTHING,
  rates: { EUR: rate },
  origins: { EUR: { date, source: 'service' } },
});
const read = (
  rates: Record<string, unknown>,
  { base = 'USD', date = '2026-11-20', inForce = NOTHING }: { base?: string; date?: string; inForce?: DatedRates } = {},
) => readPublishedRates({ base, date, rates: Object.entries(rates) }, { today: '2026-11-23', inForce });

describe('the answer of a service', () => {
  test('is kept as it is if its base is the dollar', () => {
    expect(read({ JPY: 150.25, EUR: '0.860', USD: 1 })).toEqual({
      date: '2026-11-20',
      rates: { EUR: '0.86', JPY: '150.25' },
    });
  });
  test('is expressed in dollars, exactly to 15 decimal places', () => {
    expect(read({ USD: '1.25', GBP: '0.85', JPY: '160' }, { base: 'EUR' }).rates).toEqual({
      EUR: '0.8',
      GBP: '0.68',
      JPY: '128',
    });
    expect(read({ USD: '3', GBP: '1' }, { base: 'EUR' }).rates.GBP).toBe('0.333333333333333');
  });
  test('may quote what is not a currency', () => {
    expect(read({ EUR: 0.86, BTC: 0, DOGE: 'x' }).rates).toEqual({ EUR: '0.86' });
  });

  test.each([
    ['a rate of zero', { EUR: 0.86, GBP: 0 }, {}, 'The rate of GBP is not a number above 0'],
    ['a negative rate', { EUR: -0.86 }, {}, 'The rate of EUR is not a number above 0'],
    ['a rate that is no number', { EUR: 'n/a' }, {}, 'The rate of EUR is not a number above 0'],
    ['a missing rate', { EUR: null }, {}, 'The rate of EUR is not a number above 0'],
    ['a rate beyond all currencies', { EUR: 1_000_000_001 }, {}, 'The rate of EUR is not a number above 0'],
    ['no rates', {}, {}, 'The answer has no rates'],
    ['only the dollar', { USD: 1 }, {}, 'The answer has no rates'],
    ['a base without the dollar', { GBP: 0.85 }, { base: 'EUR' }, 'no rate of USD'],
    ['an unknown base', { EUR: 1 }, { base: 'BTC' }, 'not a currency of ISO 4217: BTC'],
    ['a base with another rate than 1', { USD: 1.1 }, {}, 'two different rates of USD'],
    ['no date', { EUR: 1 }, { date: '20 November' }, 'no valid date'],
    ['a date in the future', { EUR: 1 }, { date: '2026-11-24' }, 'in the future'],
    ['an old date', { EUR: 1 }, { date: '2026-11-08' }, 'more than 14 days ago'],
  ])('is refused as a whole for %s', (_, rates, options, message) => {
    expect(() => read(rates, options)).toThrow(message);
  });
  test('is accepted on the oldest and the latest day', () => {
    expect(['2026-11-09', '2026-11-23'].map((date) => read({ EUR: 1 }, { date }).date)).toHaveLength(2);
  });
  test('is refused beyond the number of rates that a service can have', () => {
    const many = (count: number) => Array.from({ length: count }, () => ['EUR', '1'] as const);
    const readMany = (count: number) =>
      readPublishedRates(
        { base: 'USD', date: '2026-11-20', rates: many(count) },
        { today: '2026-11-23', inForce: NOTHING },
      );
    expect(readMany(MAX_QUOTED).rates).toEqual({ EUR: '1' });
    expect(() => readMany(MAX_QUOTED + 1)).toThrow('more than 1000 rates');
  });
  test('is refused if a rate doubles or halves at once, compared with a recent one', () => {
    const inForce = known('0.8', '2026-11-19');
    expect(read({ EUR: '1.6' }, { inForce }).rates.EUR).toBe('1.6');
    expect(read({ EUR: '0.4' }, { inForce }).rates.EUR).toBe('0.4');
    expect(() => read({ EUR: '1.61' }, { inForce })).toThrow('was 0.8 on 19 Nov 2026');
    expect(() => read({ EUR: '0.39' }, { inForce })).toThrow('enter it by hand');
    expect(read({ EUR: '80' }, { inForce: known('0.8', '2026-08-19') }).rates.EUR).toBe('80');
  });
});

describe('a rate that a person enters', () => {
  const entry = { currency: 'EUR', date: '2026-11-20', rate: '0.86', reason: 'Corrected' };
  test.each([
    ['rate', '0.000000000000001', '0.0000000000000001'],
    ['rate', '1000000000', '1000000000.1'],
    ['rate', '0.1', '0'],
    ['rate', '0.1', '-0.1'],
    ['currency', 'XAU', 'USD'],
    ['currency', 'ILS', 'ZZZ'],
    ['date', '2024-02-29', '2026-02-29'],
    ['reason', 'abc', '  ab  '],
    ['reason', 'x'.repeat(300), 'x'.repeat(301)],
  ])('has limits: %s', (field, right, wrong) => {
    expect(rateEntrySchema.safeParse({ ...entry, [field]: right }).success).toBe(true);
    const refused = rateEntrySchema.safeParse({ ...entry, [field]: wrong });
    expect(refused.error?.issues.map(({ path }) => path[0])).toContain(field);
  });
});
