import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Multiplier, makeAmounts, Sums, setBigInt, toBigInt } from './amount-columns.ts';

const PARTS = 10n ** 12n;
const amounts = fc.oneof(
  fc.bigInt(0n, 10n ** 15n),
  fc.bigInt(0n, 10n ** 27n),
  fc.bigInt(0n, 10n ** 7n).map((n) => n * 10n ** 10n),
);

test('a product of an amount and a fraction is that of integers, rounded down', () => {
  fc.assert(
    fc.property(
      fc.array(amounts, { minLength: 1, maxLength: 20 }),
      fc.bigInt(0n, 10n ** 30n),
      fc.oneof(fc.bigInt(1n, 10n ** 30n), fc.constantFrom(1n, 2n, 3n, 5n, 8n, 10n ** 12n)),
      (values, one, another) => {
        const [numerator, denominator] = one < another ? [one, another] : [another, one];
        const multiplier = new Multiplier(numerator, denominator);
        for (const value of values) {
          multiplier.multiply(Number(value / PARTS), Number(value % PARTS));
          const expected = (value * numerator) / denominator;
          expect(toBigInt(multiplier.whole, multiplier.part)).toBe(expected);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('sums of amounts carry, and compare once they are normalized', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(-(10n ** 20n), 10n ** 24n), { maxLength: 3000 }), (values) => {
      const [amounts, sums] = [makeAmounts(values.length), new Sums(1)];
      for (const [index, value] of values.entries()) {
        setBigInt(amounts, index, value);
        sums.add(0, amounts.whole[index] ?? 0, amounts.part[index] ?? 0);
      }
      sums.normalize();
      expect(sums.amount(0)).toBe(values.reduce((a, b) => a + b, 0n));
      expect(sums.part[0]).toBeLessThan(1e12);
    }),
    { numRuns: 200 },
  );
});
