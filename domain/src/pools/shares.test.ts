import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, divide, subtract, sum } from '../money/decimal.ts';
import { sharesOf } from './shares.ts';

const cents = fc
  .bigInt({ min: 0n, max: 10n ** 15n })
  .map((value) => `${value / 100n}.${String(value % 100n).padStart(2, '0')}`);

describe('shares', () => {
  it('assign the remaining units to the largest remainders, the earlier of equals first', () => {
    expect(sharesOf(['1', '1', '1'], 4)).toEqual(['0.3334', '0.3333', '0.3333']);
    expect(sharesOf(['200.00', '100.50', '0'], 1, 100)).toEqual(['66.6', '33.4', '0.0']);
  });

  it('have a negative share for a credit balance, and still add up', () => {
    expect(sharesOf(['-10', '110'], 2)).toEqual(['-0.10', '1.10']);
    expect(sharesOf(['-1', '4'], 3)).toEqual(['-0.333', '1.333']);
  });

  it('are null if there is nothing to share', () => {
    expect(sharesOf(['0', '0.00'], 6)).toBeNull();
    expect(sharesOf(['5', '-5'], 6)).toBeNull();
    expect(sharesOf(['5', '-6'], 6)).toBeNull();
    expect(sharesOf([], 6)).toBeNull();
  });

  it('add up exactly, and none is a unit off its exact value', () => {
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 12 }), fc.constantFrom(1, 100), (parts, whole) => {
        const shares = sharesOf(parts, 6, whole);
        const total = sum(parts);
        if (compare(total, '0') === 0) return shares === null;
        expect(sum(shares!)).toBe(String(whole));
        parts.forEach((part, index) => {
          const exact = divide(sum(Array.from({ length: whole }, () => part)), total, 12);
          expect(Math.abs(Number(subtract(shares![index]!, exact)))).toBeLessThan(1.000001e-6);
        });
        return true;
      }),
    );
  });
});
