import { expect, test } from 'vitest';
import { bandScale, linePath, pointScale, valueScale } from './scales.ts';

test('a value scale maps its domain to its range', () => {
  const y = valueScale([0, 200], [180, 20]);
  expect([0, 50, 200].map(y)).toEqual([180, 140, 20]);
});

test('ticks are round values within the domain', () => {
  expect(valueScale([0, 175], [0, 1]).ticks(4)).toEqual([0, 50, 100, 150]);
  expect(valueScale([-0.41, 0.45], [0, 1]).ticks(4)).toEqual([-0.4, -0.2, 0, 0.2, 0.4]);
  expect(valueScale([0, 0.3], [0, 1]).ticks(3)).toEqual([0, 0.1, 0.2, 0.3]);
});

test('a nice domain ends at round values', () => {
  const y = valueScale([-12, 173], [0, 100], { nice: 4 });
  expect(y.ticks(4)).toEqual([-50, 0, 50, 100, 150, 200]);
  expect([y(-50), y(200)]).toEqual([0, 100]);
});

test('a domain of one value has its place in the middle, and no ticks that never end', () => {
  const y = valueScale([5, 5], [0, 100], { nice: 4 });
  expect(y(5)).toBe(50);
  expect(y.ticks(4)).toEqual([5]);
});

test('bands have gaps between them and at the ends', () => {
  const x = bandScale(2, [0, 100], { inner: 0.5, outer: 0.25 });
  expect([x.stepPx, x.bandPx, x(0), x(1)]).toEqual([50, 25, 12.5, 62.5]);
});

test('points reach from the start to the end, and a single one is in the middle', () => {
  const x = pointScale(3, [10, 50]);
  expect([x(0), x(1), x(2)]).toEqual([10, 30, 50]);
  expect(pointScale(1, [10, 50])(0)).toBe(30);
});

test('a line has a gap at an unknown value, and steps stay until the next point', () => {
  expect(linePath([[0, 1], [10, 2.346], null, [30, 4]])).toBe('M0,1L10,2.35M30,4Z');
  expect(
    linePath(
      [
        [0, 1],
        [10, 2],
      ],
      true,
    ),
  ).toBe('M0,1H10V2');
});
