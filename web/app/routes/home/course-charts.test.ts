import { expect, test } from 'vitest';
import { navGapWords } from './course-charts.tsx';

const DAYS = ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-04'];
const course = (...navs: (string | null)[]) =>
  navs.map((nav, index) => ({ day: DAYS[index]!, called: '5', distributed: '0', nav }));

test('A chart without gaps says nothing of them', () => {
  expect(navGapWords(course('1', '2', '3'))).toEqual([]);
});

test('The first NAV is named where it comes later, and no gap is claimed before it', () => {
  expect(navGapWords(course(null, null, '3', '4'))).toEqual(['NAV from Mar 2026']);
});

test('A gap is named by its dates, and several are counted', () => {
  expect(navGapWords(course('1', null, '3'))).toEqual(['no complete NAV for Feb 2026']);
  expect(navGapWords(course('1', null, null, '4'))).toEqual(['no complete NAV from Feb 2026 to Mar 2026']);
  expect(navGapWords(course('1', null, '3', null))).toEqual(['no complete NAV for 2 of 4 dates']);
  expect(navGapWords(course('1', '2', null, null, null))).toEqual(['no complete NAV from Mar 2026 to 4 May 2026']);
});

test('No NAV at all is said', () => {
  expect(navGapWords(course(null, null))).toEqual(['no complete NAV']);
});
