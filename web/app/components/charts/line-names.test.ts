import { expect, test } from 'vitest';
import { placeNames } from './line-names.ts';

const BOUNDS = { widthPx: 400, heightPx: 200 };

test('A name is to the right of the end of its line', () => {
  const [name] = placeNames(
    [
      {
        name: 'NAV',
        points: [
          [50, 100],
          [200, 40],
        ],
      },
    ],
    BOUNDS,
  );
  expect(name).toEqual({ x: 207, y: 40, anchor: 'start' });
});

test('Names of lines that end together do not cover each other', () => {
  const line = (name: string, y: number) => ({
    name,
    points: [
      [50, y],
      [300, y],
    ] as const,
  });
  const [called, nav] = placeNames([line('Called', 40), line('NAV', 43)], BOUNDS);
  expect(Math.abs(called!.y - nav!.y)).toBeGreaterThanOrEqual(12);
});

test('A name does not cover a line that starts where its own line ends', () => {
  const [older] = placeNames(
    [
      { name: '2023', points: [[100, 150], [200, 120], null, null] },
      { name: '2022', points: [null, null, [205, 150], [215, 60]] },
    ],
    BOUNDS,
  );
  expect(older!.anchor).toBe('end');
  expect(older!.x).toBeLessThan(205);
});

test('A line without points has no name, and a name stays inside the drawing', () => {
  const [none, last] = placeNames(
    [
      { name: 'None', points: [null, null] },
      {
        name: 'All',
        points: [
          [10, 5],
          [398, 2],
        ],
      },
    ],
    BOUNDS,
  );
  expect(none).toBeNull();
  expect(last!.anchor).toBe('end');
  expect(last!.y).toBeGreaterThanOrEqual(6);
});
