import { expect, test } from 'vitest';
import { testedDays } from './tested-days.ts';

const quarterly = { firstTest: '2025-12-31', frequency: 'quarterly', isTested: true } as const;
const RESULTS = [{ date: '2026-03-31', value: '3.2' }];

test('has every test date until today, with null where nothing was found', () => {
  expect(testedDays(quarterly, RESULTS, '2026-06-30')).toEqual([
    { date: '2025-12-31', value: null },
    { date: '2026-03-31', value: '3.2' },
    { date: '2026-06-30', value: null },
  ]);
  expect(testedDays(quarterly, RESULTS, '2026-06-29')).toHaveLength(2);
  expect(testedDays(quarterly, [], '2025-12-30')).toEqual([]);
});

test('ends with the last result where the covenant is no longer tested', () => {
  const disabled = { ...quarterly, isTested: false };
  expect(testedDays(disabled, RESULTS, '2026-12-31').map(({ date }) => date)).toEqual(['2025-12-31', '2026-03-31']);
  expect(testedDays(disabled, [], '2026-12-31')).toEqual([]);
});

test('keeps a result of a date that the terms no longer have', () => {
  const results = [{ date: '2025-11-30', value: '3' }, ...RESULTS];
  expect(testedDays(quarterly, results, '2026-03-31')).toEqual([
    { date: '2025-11-30', value: '3' },
    { date: '2025-12-31', value: null },
    { date: '2026-03-31', value: '3.2' },
  ]);
});
