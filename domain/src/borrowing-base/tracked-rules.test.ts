import { expect, it } from 'vitest';
import { shareOf } from '../money/shares.ts';
import type { BorrowingBaseResult } from './result.ts';
import { excludedInAll, trackedRules } from './tracked-rules.ts';

const tally = (count: number, sum: string) => ({ count, amount: { sum, currency: 'USD' } });
const rule = (index: number, title: string, failed: number, first: number, sum: string) => ({
  rule: index,
  title,
  failed: tally(failed, sum),
  first: tally(first, sum),
});
const result = {
  totals: { pools: { relevant: tally(7, '1200') } },
  rulesTracking: {
    eligible: [rule(-1, 'Current balance', 0, 0, '0'), rule(0, 'FICO', 2, 1, '120')],
    performing: [rule(0, 'Days past due', 1, 1, '80')],
    concentration: [rule(1, 'State', 2, 2, '100')],
  },
} as unknown as BorrowingBaseResult;

it('lists the rules in their order, each leading to its assets', () => {
  expect(
    trackedRules(result).map(({ key, stage, sharePercent, filter }) => [key, stage, sharePercent, filter]),
  ).toEqual([
    ['eligible:-1', 'Eligibility', '0', { 'borrowingBase.firstFailed': 'eligible:-1' }],
    ['eligible:0', 'Eligibility', '10', { 'borrowingBase.firstFailed': 'eligible:0' }],
    ['performing:0', 'Performance', '6.666667', { 'borrowingBase.firstFailed': 'performing:0' }],
    ['concentration:1', 'Concentration', '8.333333', { 'borrowingBase.failed': { like: '%,concentration:1,%' } }],
  ]);
});
it('adds up what the pool lost, and has no share of an empty pool', () => {
  expect(excludedInAll(trackedRules(result), '1200')).toEqual({ amount: '300', sharePercent: '25' });
  expect(shareOf('1', '0')).toBeNull();
});
