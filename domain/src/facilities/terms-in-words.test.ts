import { expect, test } from 'vitest';
import { describeCommitments, describeLimit } from './terms-in-words.ts';

test('amounts of the terms have the digits of their currency', () => {
  const range = { min: '250000', max: '10000000.5' };
  expect(describeLimit({ amountRange: { currency: 'USD', ...range } })).toBe('250,000.00 to 10,000,000.50 USD');
  expect(describeLimit({ amountRange: { currency: 'JPY', min: '250000', max: '900000' } })).toBe(
    '250,000 to 900,000 JPY',
  );
  expect(describeCommitments({ commitments: [{ amount: { sum: '45000000', currency: 'KWD' } }] })).toBe(
    '45,000,000.000 KWD',
  );
});
