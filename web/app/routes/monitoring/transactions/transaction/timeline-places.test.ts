import { expect, test } from 'vitest';
import { partsBetween, placeDates, yearMarks } from './timeline-places.ts';

test('The earliest date is on the left, the latest on the right, and the others in proportion to their days', () => {
  const { xOf, first, last } = placeDates(['2026-01-01', '2026-01-11'], '2026-01-06', 120, 10);
  expect([first, last]).toEqual(['2026-01-01', '2026-01-11']);
  expect(['2026-01-01', '2026-01-06', '2026-01-11'].map(xOf)).toEqual([10, 60, 110]);
});

test('Today is on the line also before the first date and after the last', () => {
  expect(placeDates(['2026-01-01', '2027-01-01'], '2025-06-30', 100, 0).xOf('2025-06-30')).toBe(0);
  expect(placeDates(['2026-01-01', '2027-01-01'], '2030-06-30', 100, 0).xOf('2030-06-30')).toBe(100);
});

test('One date alone does not divide by zero', () => {
  expect(placeDates(['2026-01-01'], '2026-01-01', 100, 5).xOf('2026-01-01')).toBe(5);
});

test('Years are marked between the dates, fewer of them on a long line', () => {
  expect(yearMarks('2026-05-01', '2029-04-30')).toEqual(['2027-01-01', '2028-01-01', '2029-01-01']);
  expect(yearMarks('2026-05-01', '2026-12-31')).toEqual([]);
  expect(yearMarks('2026-05-01', '2046-01-01').length).toBeLessThanOrEqual(13);
  expect(yearMarks('1990-01-01', '2090-01-01').length).toBeLessThanOrEqual(25);
});

test('The line of today is broken at the labels that it would cross', () => {
  expect(partsBetween([18, 120], [])).toEqual([[18, 120]]);
  expect(
    partsBetween(
      [18, 120],
      [
        { top: 26, bottom: 42 },
        { top: 40, bottom: 64 },
        { top: 104, bottom: 120 },
      ],
    ),
  ).toEqual([
    [18, 26],
    [64, 104],
  ]);
});
