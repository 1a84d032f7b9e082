import { expect, test } from 'vitest';
import type { FoundException } from './checks.ts';
import { mergeExceptions, newlyPending, type StoredException } from './exceptions.ts';

const found: FoundException = {
  message: 'Draw in deficit',
  stage: 'request',
  rule: 'deficit',
  drawType: 'Regular',
  amount: '100',
  exceededBy: '10',
  currency: 'EUR',
};
const skipped: StoredException = {
  exception: found,
  status: 'Skipped',
  reason: 'Agreed',
  skippedBy: { id: 'a'.repeat(24), name: 'Mara Reyes' },
  skippedAt: '2026-11-04T15:20:00.000Z',
};
const statusOf = (now: Partial<FoundException>, isUnchanged = true, stored = [skipped]) =>
  mergeExceptions(stored, [{ ...found, ...now }], { isUnchanged }).map(({ status, reason }) => [status, reason]);

test('a skip stays valid while the request is unchanged and the limit is not exceeded by more', () => {
  expect(statusOf({})).toEqual([['Skipped', 'Agreed']]);
  expect(statusOf({ exceededBy: '9.99', stage: 'approval' })).toEqual([['Skipped', 'Agreed']]);
  expect(statusOf({ exceededBy: '10.01' })).toEqual([['Pending', null]]);
  expect(statusOf({}, false)).toEqual([['Pending', null]]);
});

test.each([{ drawType: 'Prefunding' }, { currency: 'USD' }, { rule: 'maxAmount' }] as const)(
  'another exception is not skipped with it: %o',
  (other) => {
    expect(statusOf(other)).toEqual([['Pending', null]]);
  },
);

test('the stored exception has the figures of the last check', () => {
  const [smaller] = mergeExceptions([skipped], [{ ...found, exceededBy: '5' }], { isUnchanged: true });
  expect(smaller).toMatchObject({ status: 'Skipped', exception: { exceededBy: '5' } });
  expect(statusOf({ exceededBy: '6' }, true, [smaller!])).toEqual([['Pending', null]]);
});

test('an exception that is no longer found is dropped', () => {
  expect(mergeExceptions([skipped], [], { isUnchanged: true })).toEqual([]);
});

test('only what is new or grew is newly pending', () => {
  const pending: StoredException = { exception: found, status: 'Pending', reason: null };
  const now = (exceededBy: string): StoredException[] => [{ ...pending, exception: { ...found, exceededBy } }];
  expect(newlyPending([pending], now('10'))).toEqual([]);
  expect(newlyPending([pending], now('11'))).toHaveLength(1);
  expect(newlyPending([], now('10'))).toHaveLength(1);
  expect(newlyPending([], [skipped])).toEqual([]);
});

test('an exception keeps the stage of the check that found it first, until the request changes', () => {
  const stageOf = (isUnchanged: boolean) =>
    mergeExceptions([skipped], [{ ...found, stage: 'approval' }], { isUnchanged })[0]?.exception.stage;
  expect(stageOf(true)).toBe('request');
  expect(stageOf(false)).toBe('approval');
});
