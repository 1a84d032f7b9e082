import { expect, test } from 'vitest';
import { gapWords, missingMonthEnds, withGaps } from './month-gaps.ts';

test('Month-ends without a tape are found between the first and the last, over the end of a year', () => {
  expect(missingMonthEnds(['2025-11-30', '2026-02-28', '2026-03-31', '2026-05-31'])).toEqual([
    '2025-12-31',
    '2026-01-31',
    '2026-04-30',
  ]);
});

test('Consecutive months, one date and none have no gaps', () => {
  expect(missingMonthEnds(['2026-01-31', '2026-02-28'])).toEqual([]);
  expect(missingMonthEnds(['2026-01-31'])).toEqual([]);
  expect(missingMonthEnds([])).toEqual([]);
});

test('Cut-off dates within months have no gaps, because no rhythm is known', () => {
  expect(missingMonthEnds(['2026-01-15', '2026-04-30'])).toEqual([]);
});

test('A span of more than five years without a tape is not drawn as points', () => {
  expect(missingMonthEnds(['2021-01-31', '2026-02-28'])).toHaveLength(60);
  expect(missingMonthEnds(['2021-01-31', '2026-03-31'])).toEqual([]);
});

test('Blank points take their place by date', () => {
  const points = [
    { cutOffDate: '2026-01-31', value: 1 as number | null },
    { cutOffDate: '2026-03-31', value: 3 },
  ];
  expect(withGaps(points, (cutOffDate) => ({ cutOffDate, value: null })).map(({ value }) => value)).toEqual([
    1,
    null,
    3,
  ]);
});

test('A gap is named, and several are counted', () => {
  expect(gapWords('tape', [])).toEqual([]);
  expect(gapWords('tape', ['2026-07-31'])).toEqual(['no tape for 31 Jul 2026']);
  expect(gapWords('tape', ['2026-07-31', '2026-08-31'])).toEqual(['no tape for 2 month-ends']);
});
