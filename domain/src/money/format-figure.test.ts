import { expect, test } from 'vitest';
import { writtenAmount } from './format-figure.ts';

test('an amount in a sentence has the digits of its currency', () => {
  expect(
    [
      { sum: '1234567.5', currency: 'USD' },
      { sum: '1234567', currency: 'JPY' },
      { sum: '-0.5', currency: 'KWD' },
    ].map(writtenAmount),
  ).toEqual(['1,234,567.50 USD', '1,234,567 JPY', '−0.500 KWD']);
});
