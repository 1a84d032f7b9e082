import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divide, multiply, round, sum } from '../money/decimal.ts';
import { callableFee, feeDifferences } from './fee-differences.ts';

const investor = (title: string, weight: string, own: string) => ({ id: title, title, code: 1, weight, own });

test('a fee that follows the commitments can be called as a whole', () => {
  expect(feeDifferences([investor('Alpine', '100', '1.00'), investor('Borough', '200', '2.00')], '3.00', 2)).toEqual(
    [],
  );
});

test('one cent is rounding, two are not', () => {
  const fees = (own: string, other: string) => [investor('Alpine', '100', own), investor('Borough', '100', other)];
  expect(feeDifferences(fees('1.01', '0.99'), '2.00', 2)).toEqual([]);
  expect(feeDifferences(fees('1.02', '0.98'), '2.00', 2)).toEqual([
    { title: 'Alpine', own: '1.02', part: '1.00' },
    { title: 'Borough', own: '0.98', part: '1.00' },
  ]);
  // A yen is the smallest amount of its currency.
  expect(feeDifferences(fees('101', '99'), '200', 0)).toEqual([]);
  expect(feeDifferences(fees('102', '98'), '200', 0)).toHaveLength(2);
});

test('who has committed nothing on the day of the call is charged nothing, whatever its fee is', () => {
  expect(feeDifferences([investor('Alpine', '0', '5.00'), investor('Borough', '100', '5.00')], '10.00', 2)).toEqual([
    { title: 'Alpine', own: '5.00', part: '0' },
    { title: 'Borough', own: '5.00', part: '10.00' },
  ]);
});

test('the largest investor is not refused for the roundings of the others', () => {
  // 300 fees of 1.4949 cents are 0.01 each: 1.48 less than they are worth together, which the largest one would miss.
  const small = Array.from({ length: 300 }, (_, index) => investor(`Small ${index}`, '14949', '0.01'));
  const fees = [investor('Alpine', '1000000000', '1000.00'), ...small];
  expect(feeDifferences(fees, '1003.00', 2).map(({ title }) => title)).toEqual(['Alpine']);
  expect(callableFee(fees, 2)).toEqual({ amount: '1004.48', differences: [] });
  // A fee of its own is none of rounding: the differences are those of the sum.
  const other = [investor('Alpine', '1000000000', '1000.00'), ...small.with(0, investor('Small 0', '14949', '0.04'))];
  expect(callableFee(other, 2)).toMatchObject({ amount: '1003.03' });
  expect(callableFee(other, 2).differences.map(({ title }) => title)).toContain('Small 0');
});

test('fees of one rate are never refused, and what is called is their sum but for their roundings', () => {
  const weights = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 99_999 }), fc.constantFrom(0, 2, 3), (committed, rate, digits) => {
      const exact = committed.map((weight) => divide(multiply(String(weight), String(rate)), '1000000', 12));
      const fees = exact.map((fee, index) =>
        investor(`Investor ${index}`, String(committed[index]), round(fee, digits)),
      );
      if (fees.every(({ own }) => Number(own) === 0)) return;
      const { amount, differences } = callableFee(fees, digits);
      expect(differences).toEqual([]);
      const unit = 10 ** -digits;
      expect(Math.abs(Number(amount) - Number(sum(exact)))).toBeLessThanOrEqual((fees.length / 2 + 1) * unit + 1e-6);
    }),
  );
});
