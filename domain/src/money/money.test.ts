import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountRangeSchema, amountSchema } from './amount.schema.ts';
import { CURRENCIES, minorUnitDigits } from './currencies.ts';
import { add, compare, divide, fromScaled, round, sum, toScaled } from './decimal.ts';
import { convert } from './rates.ts';
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
  });
  test('cross through the dollar; a missing rate counts as 1 and is reported', () => {
    expect(convert('100', 'EUR', 'GBP', { EUR: '0.8', GBP: '0.6' })).toEqual({ sum: '75', missing: [] });
    expect(convert('100', 'XAU', 'USD', {})).toEqual({ sum: '100', missing: ['XAU'] });
  });
});

describe('amounts', () => {
  test('accept a number or its text and keep it exact', () => {
    expect(amountSchema.parse({ sum: '12345678901234567.89', currency: 'USD' }).sum).toBe('12345678901234567.89');
    expect(amountSchema.safeParse({ sum: 'ten', currency: 'USD' }).success).toBe(false);
    expect(amountSchema.safeParse({ sum: 1, currency: 'ZZZ' }).success).toBe(false);
  });
  test('a range requires its max to be greater than its min', () => {
    expect(amountRangeSchema.safeParse({ currency: 'USD', min: 1, max: 2 }).success).toBe(true);
    const refused = amountRangeSchema.safeParse({ currency: 'USD', min: 2, max: 2 });
    expect(refused.error?.issues[0]).toMatchObject({ path: ['min'], message: 'min should be less then max ' });
  });
});
