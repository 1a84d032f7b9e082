import { expect, test } from 'vitest';
import { feeDifferences } from './fee-differences.ts';

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
