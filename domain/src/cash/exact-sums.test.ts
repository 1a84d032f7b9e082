import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactSums, MAX_SUMMANDS } from './exact-sums.ts';

test('finds the only set to the cent, and none that is a cent off', () => {
  expect(exactSums([100n, 250n, 75n], 175n)).toEqual({ sets: [[0, 2]], isComplete: true });
  expect(exactSums([100n, 250n, 75n], 176n)).toEqual({ sets: [], isComplete: true });
});

test('one amount is no sum', () => {
  expect(exactSums([100n, 250n], 250n).sets).toEqual([]);
});

test('reports two of several sets', () => {
  expect(exactSums([1n, 2n, 3n, 4n, 5n], 5n).sets).toEqual([
    [0, 3],
    [1, 2],
  ]);
});

test('looks at as many amounts as it can, and says that there are more', () => {
  const ones = (count: number): bigint[] => Array.from({ length: count }, () => 1n);
  expect(exactSums(ones(MAX_SUMMANDS), BigInt(MAX_SUMMANDS))).toMatchObject({ isComplete: true });
  expect(exactSums(ones(MAX_SUMMANDS + 1), BigInt(MAX_SUMMANDS))).toMatchObject({ isComplete: false });
});

test('ends early where no set can be found soon, and says so', () => {
  // Even amounts have no odd sum, which only all of the 16 million sets would show.
  const even = Array.from({ length: MAX_SUMMANDS }, (_, index) => BigInt(1000 + 2 * index));
  expect(exactSums(even, 12_001n)).toEqual({ sets: [], isComplete: false });
});

test('every set has the sum', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 1n, max: 30n }), { maxLength: 12 }),
      fc.bigInt({ min: 1n, max: 90n }),
      (amounts, target) => {
        for (const set of exactSums(amounts, target).sets) {
          expect(set.reduce((sum, index) => sum + amounts[index]!, 0n)).toBe(target);
          expect(new Set(set).size).toBe(set.length);
        }
      },
    ),
  );
});
