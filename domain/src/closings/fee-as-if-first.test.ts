import { expect, test } from 'vitest';
import { always } from '../funds/fee-terms.ts';
import { type FeeEntrant, feeAsIfFirst } from './fee-as-if-first.ts';

const YEAR = { from: '2025-01-01', until: '2025-12-31' };
const MINIMUM = always({ management: { committed: 2, minimum: '50000' } });

const owed = (entrant: Partial<FeeEntrant>, agreed = MINIMUM) =>
  feeAsIfFirst({ before: '0', added: '0', paid: '0', firstClosing: '2024-12-31', ...entrant }, agreed, YEAR, 2);

test('a new investor owes its fee, and at least the minimum', () => {
  expect([owed({ added: '3000000' }), owed({ added: '1000000' })]).toEqual(['60000', '50000']);
});

test('an increase owes what the fee on all of it is above the fee before, so that the minimum is charged once', () => {
  // At 2%, 2,500,000 comes to the minimum of 50,000.
  expect(owed({ before: '1000000', added: '1500000' })).toBe('0');
  expect(owed({ before: '1000000', added: '2000000' })).toBe('10000');
  expect(owed({ before: '2500000', added: '500000' })).toBe('10000');
});

test('the cap on all fees limits what both come to, and what is left of it', () => {
  const capped = always({ management: { committed: 2 }, overallCap: '70000' });
  expect(owed({ before: '3000000', added: '1000000' }, capped)).toBe('10000');
  expect(owed({ before: '3000000', added: '500000', paid: '65000' }, capped)).toBe('5000');
});

test('a fee on anything but the commitment is not calculated as if it had closed first', () => {
  const invested = always({ management: { committed: 2, stepDown: { from: '2025-12-31', invested: 1 } } });
  expect(owed({ added: '1000000' }, invested)).toBeNull();
  const later = always({ management: { committed: 2, stepDown: { from: '2026-01-01', invested: 1 } } });
  expect(owed({ added: '1000000' }, later)).toBe('20000');
});
