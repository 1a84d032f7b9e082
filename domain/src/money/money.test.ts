import currencyCodes from 'currency-codes';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalToFraction, fractionToDecimal, multiplyFractions } from '../borrowing-base/exact.ts';
import { amountRangeSchema, amountSchema } from './amount.schema.ts';
import { CURRENCIES, findCurrency } from './currencies.ts';
import { add, compare, decimalOf, divide, fromScaled, round, sum, toScaled } from './decimal.ts';
import { CURRENCY_CODES, isCurrencyCode, minorUnitDigits } from './minor-units.ts';
import { fixingJump, rateJump } from './rate-jump.ts';
import { convert, convertAmount, exchangeFactor } from './rates.ts';
import { publishParts, splitByLargestRemainder } from './shares.ts';

describe('decimals', () => {
  test('are exact when floats are not', () => {
    expect(add('0.1', '0.2')).toBe('0.3');
    expect(sum(['144589166.10', '0.01', '-0.11'])).toBe('144589166');
  });
  test('round half to even and keep trailing zeros', () => {
    expect(round('2.675', 2)).toBe('2.68');
    expect(round('2.665', 2)).toBe('2.66');
    expect(round('-0.001', 2)).toBe('0.00');
  });
  test('divide to the requested digits', () => expect(divide('1', '3', 12)).toBe('0.333333333333'));
  test('convert to scaled integers and back', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.integer({ min: 0, max: 12 }), (units, digits) => {
        expect(toScaled(fromScaled(units, digits), digits)).toBe(units);
      }),
    );
  });
  test('refuse to lose digits when scaled', () => expect(() => toScaled('1.005', 2)).toThrow('more than 2 decimals'));
});

describe('shares', () => {
  test('give the odd cent to the largest remainder', () => {
    expect(splitByLargestRemainder('100.00', ['1', '1', '1'], 2)).toEqual(['33.34', '33.33', '33.33']);
  });
  test('always add up to the whole, and stay within one unit of the exact share', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 15n), 10n ** 15n),
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 30 }),
        (cents, weights) => {
          fc.pre(weights.some((weight) => weight > 0));
          const total = fromScaled(cents, 2);
          const parts = splitByLargestRemainder(total, weights.map(String), 2);
          expect(compare(sum(parts), total)).toBe(0);
        },
      ),
    );
  });
  test('published parts add up to their published total', () => {
    expect(publishParts([333n, 333n, 334n], 10n, 2)).toEqual([3n, 3n, 4n]);
  });
});

describe('currencies', () => {
  test('know their minor units', () => {
    expect(['USD', 'JPY', 'KWD', 'CLF'].map(minorUnitDigits)).toEqual([2, 0, 3, 4]);
    expect(new Set(CURRENCIES.map((currency) => currency.code)).size).toBe(CURRENCIES.length);
    expect(CURRENCY_CODES).toEqual(CURRENCIES.map((currency) => currency.code));
    const published = currencyCodes.data.filter(
      ({ code }) => isCurrencyCode(code) && !/^X(AG|AU|DR|PD|PT|SU|UA|B[A-D])$/.test(code),
    );
    expect(published.length).toBeGreaterThan(150);
    expect(published.filter(({ code, digits }) => minorUnitDigits(code) !== digits)).toEqual([]);
  });
  test('have a name and symbols, also those without a minor unit', () => {
    const [cad, gold] = ['CAD', 'XAU'].map(findCurrency);
    expect(cad).toEqual({
      code: 'CAD',
      name: 'Canadian Dollar',
      symbol: 'CA$',
      nativeSymbol: '$',
      decimals: 2,
      minorUnits: 100,
    });
    expect(gold).toMatchObject({ name: 'Gold', symbol: 'XAU', nativeSymbol: 'XAU', decimals: 2 });
    expect(['XTS', 'XXX', 'usd'].map(isCurrencyCode)).toEqual([false, false, false]);
  });
});

describe('conversion', () => {
  const table = {
    base: 'USD',
    lastUpdate: '2026-11-20',
    rates: { EUR: '0.8', GBP: '0.6', JPY: '150.5', CHF: '3' },
    origins: {
      EUR: { date: '2026-11-20', source: 'service' },
      GBP: { date: '2026-11-18', source: 'manual' },
      JPY: { date: '2026-11-20', source: 'service' },
      CHF: { date: '2026-11-20', source: 'service' },
    },
  } as const;

  test('crosses through the dollar, and states the rate, its date and its source', () => {
    expect(convertAmount({ sum: '100', currency: 'EUR' }, 'GBP', table)).toEqual({
      from: { sum: '100', currency: 'EUR' },
      to: { sum: '75.00', currency: 'GBP' },
      rate: '0.75',
      used: [
        { currency: 'EUR', rate: '0.8', date: '2026-11-20', source: 'service' },
        { currency: 'GBP', rate: '0.6', date: '2026-11-18', source: 'manual' },
      ],
      date: '2026-11-18',
      missing: [],
    });
  });
  test('is exact until it is rounded once, half-even, to the minor unit of the target', () => {
    // At the rounded cross rate 0.333333333333 the first would be 333333333332.67.
    expect(convertAmount({ sum: '1000000000000', currency: 'CHF' }, 'USD', table).to.sum).toBe('333333333333.33');
    expect(['1', '3'].map((sum) => convertAmount({ sum, currency: 'USD' }, 'JPY', table).to.sum)).toEqual([
      '150',
      '452',
    ]);
  });
  test('uses a rate of 1 for a currency without one, and says so', () => {
    expect(convertAmount({ sum: '8', currency: 'EUR' }, 'XAU', table)).toMatchObject({
      to: { sum: '10.00', currency: 'XAU' },
      used: [{ currency: 'EUR' }],
      missing: ['XAU'],
    });
    expect(convert('100', 'XAU', 'USD', {})).toEqual({ sum: '100', missing: ['XAU'] });
  });
  test('needs no rate within a currency', () => {
    expect(convertAmount({ sum: '8.125', currency: 'XAU' }, 'XAU', table)).toMatchObject({
      to: { sum: '8.12', currency: 'XAU' },
      rate: '1',
      used: [],
      date: null,
      missing: [],
    });
  });
  test('there and back gives the same amount', () => {
    const rate = fc.integer({ min: 1, max: 10 ** 9 }).map((units) => decimalOf(`${units}e-4`));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), rate, rate, (units, from, to) => {
        const sum = fromScaled(BigInt(units), 2);
        const there = exchangeFactor('EUR', 'GBP', { EUR: from, GBP: to }).factor;
        const back = exchangeFactor('GBP', 'EUR', { EUR: from, GBP: to }).factor;
        const twice = multiplyFractions(multiplyFractions(decimalToFraction(sum), there), back);
        expect(fractionToDecimal(twice, 2)).toBe(sum);
      }),
    );
  });
});

describe('amounts', () => {
  test('accept a number or its text and keep it exact', () => {
    expect(amountSchema.parse({ sum: '123456789012345.67', currency: 'USD' }).sum).toBe('123456789012345.67');
    expect(amountSchema.safeParse({ sum: 'ten', currency: 'USD' }).success).toBe(false);
    expect(amountSchema.safeParse({ sum: 1, currency: 'ZZZ' }).success).toBe(false);
  });
  test.each([
    ['999999999999999.99', 'USD', undefined],
    ['-999999999999999.99', 'USD', undefined],
    ['1000000000000000', 'USD', 'must be below 1,000,000,000,000,000'],
    ['-1000000000000000', 'USD', 'must be below 1,000,000,000,000,000'],
    [1e308, 'USD', 'must be below 1,000,000,000,000,000'],
    ['0.010', 'USD', undefined],
    ['0.001', 'USD', 'must have at most 2 decimals'],
    [1e-9, 'USD', 'must have at most 2 decimals'],
    ['1.5', 'JPY', 'must be a whole number'],
    ['1.0', 'JPY', undefined],
    ['1.234', 'KWD', undefined],
    ['1.2345', 'KWD', 'must have at most 3 decimals'],
  ])('of %s %s: %s', (sum, currency, message) => {
    expect(amountSchema.safeParse({ sum, currency }).error?.issues[0]?.message).toBe(message);
  });
  test('a range requires its max to be greater than its min', () => {
    expect(amountRangeSchema.safeParse({ currency: 'USD', min: 1, max: 2 }).success).toBe(true);
    const refused = amountRangeSchema.safeParse({ currency: 'USD', min: 2, max: 2 });
    expect(refused.error?.issues[0]).toMatchObject({ path: ['min'], message: 'min should be less then max ' });
  });
});

describe('a rate that is far from the one before', () => {
  test.each([
    ['1.3', '1', null],
    ['1.300000000000001', '1', '30'],
    ['0.7', '1', null],
    ['0.699999999999999', '1', '30'],
    ['95', '0.88', '10695.5'],
  ])('%s after %s is %s per cent away', (rate, before, percent) => {
    expect(rateJump(rate, before) === null ? null : Number(rateJump(rate, before))).toBe(percent && Number(percent));
  });
  test.each([
    ['5.3', '3.3', null],
    ['5.31', '3.3', '2.01'],
    ['-0.5', '1.6', '2.1'],
  ])('a fixing of %s after %s is %s points away', (rate, before, points) => {
    expect(fixingJump(rate, before)).toBe(points);
  });
});
