import { expect, test } from 'vitest';
import { committedSeries, shareSeries } from './committed-series.ts';

const one = { closingDate: '2025-01-31', activeCommitment: '100', deltas: [{ date: '2025-07-01', amount: '-40' }] };
const two = { closingDate: '2025-03-31', activeCommitment: '100', deltas: [{ date: '2025-07-01', amount: '40' }] };

test('the total of commitments changes on closings and changes, and not by a transfer', () => {
  expect(committedSeries([two, one])).toEqual([
    { date: '2025-01-31', amount: '100' },
    { date: '2025-03-31', amount: '200' },
    { date: '2025-07-01', amount: '200' },
  ]);
});

test('a share changes when others commit, and starts on the own closing date', () => {
  expect(shareSeries(one, [one, two])).toEqual([
    { date: '2025-01-31', active: '100', percentage: '100' },
    { date: '2025-03-31', active: '100', percentage: '50' },
    { date: '2025-07-01', active: '60', percentage: '30' },
  ]);
  expect(shareSeries(two, [one, two]).map(({ date, percentage }) => [date, percentage])).toEqual([
    ['2025-03-31', '50'],
    ['2025-07-01', '70'],
  ]);
});

test('a day on which neither changes is left out', () => {
  const both = { ...two, deltas: [{ date: '2025-05-01', amount: '0' }, ...two.deltas] };
  expect(shareSeries(one, [one, both]).map(({ date }) => date)).toEqual(['2025-01-31', '2025-03-31', '2025-07-01']);
});
