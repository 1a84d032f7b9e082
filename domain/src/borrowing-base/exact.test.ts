import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fraction, reduceFraction } from './exact.ts';

const EDGE = 2n ** 53n;
const size = fc.oneof(
  fc.bigInt({ min: 1n, max: 1000n }),
  fc.bigInt({ min: EDGE - 3n, max: EDGE + 3n }),
  fc.bigInt({ min: 1n, max: 10n ** 40n }),
);

function plainDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : plainDivisor(b, a % b);
}

test('a fraction is reduced to lowest terms whatever the size of its terms', () => {
  fc.assert(
    fc.property(size, size, size, fc.boolean(), (left, right, factor, isNegative) => {
      const numerator = (isNegative ? -left : left) * factor;
      const divisor = plainDivisor(left, right);
      expect(reduceFraction(fraction(numerator, right * factor))).toEqual({
        numerator: (isNegative ? -left : left) / divisor,
        denominator: right / divisor,
      });
    }),
    { numRuns: 1000 },
  );
  expect(reduceFraction(fraction(0n, 12n))).toEqual({ numerator: 0n, denominator: 1n });
});
