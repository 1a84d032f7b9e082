import { expect, it } from 'vitest';
import { latestPeriodEnd, nextPeriodEnd, periodEndsUntil, periodTo } from './reporting-periods.ts';

it.each([
  // The day before the end of a period, the end, and what follows.
  ['monthly', '2028-01-31', '2028-02-28', '2028-01-31', '2028-02-29'],
  ['monthly', '2028-01-31', '2028-02-29', '2028-02-29', '2028-03-31'],
  ['monthly', '2027-01-31', '2027-02-28', '2027-02-28', '2027-03-31'],
  ['quarterly', '2026-03-31', '2026-06-29', '2026-03-31', '2026-06-30'],
  ['quarterly', '2026-03-31', '2026-06-30', '2026-06-30', '2026-09-30'],
  ['halfYearly', '2025-08-31', '2026-02-27', '2025-08-31', '2026-02-28'],
  ['yearly', '2024-02-29', '2025-02-27', '2024-02-29', '2025-02-28'],
  ['yearly', '2024-02-29', '2028-02-29', '2028-02-29', '2029-02-28'],
] as const)('%s from %s: on %s the latest end is %s and the next %s', (frequency, first, day, latest, next) => {
  expect(latestPeriodEnd({ first, frequency }, day)).toBe(latest);
  expect(nextPeriodEnd({ first, frequency }, day)).toBe(next);
});

it('has no end before the first one, and lists the last ones', () => {
  const periods = { first: '2026-01-31', frequency: 'monthly' } as const;
  expect([latestPeriodEnd(periods, '2026-01-30'), nextPeriodEnd(periods, '2026-01-30')]).toEqual([null, '2026-01-31']);
  expect(periodEndsUntil(periods, '2026-01-30', 3)).toEqual([]);
  expect(periodEndsUntil(periods, '2026-02-28', 3)).toEqual(['2026-01-31', '2026-02-28']);
  expect(periodEndsUntil(periods, '2026-05-01', 3)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30']);
});

it('knows the days of a period and of those before it', () => {
  expect(periodTo('quarterly', '2026-06-30')).toEqual({ after: '2026-03-31', to: '2026-06-30' });
  expect(periodTo('monthly', '2028-03-31', 1)).toEqual({ after: '2028-01-31', to: '2028-02-29' });
});
