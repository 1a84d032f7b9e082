import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { expect, test } from 'vitest';
import { toEpochDay } from '../../dates/calendar-date.ts';
import { dayNumbers } from './day-number.ts';

const { text, number, date } = CellTag;

test.each([
  [date, '2024-12-31', '2024-12-31'],
  [text, '2024-12-31T10:00:00', '2024-12-31'],
  [text, '2024/12/31', '2024-12-31'],
  [number, '20241231', '2024-12-31'],
  [number, '45657', '2024-12-31'],
  [text, '31.12.2024', '2024-12-31'],
  [text, '12/31/24', '2024-12-31'],
  [text, '31. Dezember 2024', '2024-12-31'],
  [text, 'Dec-2024', '2024-12-01'],
  [text, '12/2024', '2024-12-01'],
  [number, '32018', '2018-03-01'],
  [number, '201803', '2018-03-01'],
])('the day of a cell (tag %i) with %s', (tag, value, day) => {
  expect(dayNumbers([{ tag, value }])).toEqual([toEpochDay(day)]);
});

test.each([
  [text, '03/04/2024'],
  [text, '2024-02-30'],
  [text, 'open end'],
  [number, '12'],
])('no day for a cell (tag %i) with %s', (tag, value) => {
  expect(dayNumbers([{ tag, value }])).toEqual([null]);
});

test('another date of the column decides between day and month', () => {
  const days = dayNumbers(['03/04/2024', '30/04/2024'].map((value) => ({ tag: text, value })));
  expect(days).toEqual([toEpochDay('2024-04-03'), toEpochDay('2024-04-30')]);
});
