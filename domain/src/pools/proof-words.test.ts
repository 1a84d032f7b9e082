import { expect, test } from 'vitest';
import { provedText } from './proof-words.ts';

const said = (provedBalance: string, opening: string, proved = 4) =>
  provedText({ provedBalance, opening, differences: '12310.55', loans: 5, proved, currency: 'USD' });

test('the share of the balance is 100.0% only if all is proved', () => {
  expect(said('100000.00', '100000.00', 5)).toBe('100.0% of the balance proved; 0 loans, 12,310.55 USD unexplained');
  expect(said('99999.99', '100000.00')).toBe('99.9% of the balance proved; 1 loan, 12,310.55 USD unexplained');
  expect(said('42853.00', '100000.00')).toMatch(/^42\.9% of the balance proved; /);
  expect(said('99940.00', '100000.00')).toMatch(/^99\.9% of the balance proved; /);
  expect(said('0', '100000.00', 0)).toBe('0.0% of the balance proved; 5 loans, 12,310.55 USD unexplained');
});

test('without a balance there is nothing to prove', () => {
  expect(said('0', '0')).toMatch(/^No balance to prove; /);
  expect(said('0', '-1')).toMatch(/^No balance to prove; /);
  expect(said('0.01', '0.01')).toMatch(/^100\.0% of the balance proved; /);
});
