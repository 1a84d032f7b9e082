import { expect, it } from 'vitest';
import { explains, type RollForward } from './roll-forward.ts';

const FORWARD: RollForward = {
  currency: 'USD',
  opening: { count: 2, balance: '300.00' },
  changes: [
    { cause: 'added', count: 1, change: '50.5' },
    { cause: 'paid', count: 1, change: '-0.25' },
  ],
  closing: { count: 3, balance: '350.25' },
};
const POOL = { currency: 'USD', before: '300', now: '350.25' };

it('explains two pools that it begins and ends with', () => {
  expect(explains(FORWARD, POOL)).toBe(true);
});

it.each([
  ['another opening pool', { ...POOL, before: '300.01' }],
  ['another closing pool', { ...POOL, now: '350.24' }],
  ['another currency', { ...POOL, currency: 'EUR' }],
])('does not explain %s', (_, pool) => {
  expect(explains(FORWARD, pool)).toBe(false);
});

it('does not explain pools whose changes do not add up', () => {
  expect(explains({ ...FORWARD, changes: FORWARD.changes.slice(1) }, POOL)).toBe(false);
});
