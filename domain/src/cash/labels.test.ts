import { expect, test } from 'vitest';
import { obligationStateLabel } from './labels.ts';

test.each([
  ['Netted', { state: 'paid', amount: '0.00', netted: '300.00' }],
  ['Paid', { state: 'paid', amount: '0.01', netted: '300.00' }],
  ['Paid', { state: 'paid', amount: '0', netted: '0' }],
  ['Paid', { state: 'paid' }],
  ['Upcoming', { state: 'upcoming', amount: '300', netted: '200' }],
] as const)('says %s of %o', (label, owed) => {
  expect(obligationStateLabel(owed)).toBe(label);
});
