import { expect, test } from 'vitest';
import { monthEnds } from './typed-date.ts';

test('the month-ends of a year are suggested, with that of the month itself', () => {
  const ends = monthEnds('2026-03-31');
  expect(ends.slice(0, 4)).toEqual(['2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31']);
  expect(ends).toHaveLength(13);
  expect(monthEnds('2024-03-01')[1]).toBe('2024-02-29');
});
