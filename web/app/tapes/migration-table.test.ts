import { expect, test } from 'vitest';
import { migrationTable } from './migration-table.ts';

const MOVES = [
  { from: 'delinquent', to: 'current', count: 1, outstanding: '50.00' },
  { from: 'delinquent', to: null, count: 1, outstanding: '150.00' },
  { from: 'current', to: 'current', count: 3, outstanding: '900.00' },
  { from: 'current', to: 'paid', count: 1, outstanding: '100.00' },
  { from: 'paid', to: 'paid', count: 2, outstanding: '0.00' },
];

test('shares of the opening balance stand in order of severity, those that left last, and none of what opened with nothing', () => {
  const table = migrationTable(MOVES, 'balance');
  expect(table.columns).toEqual(['Current', 'Paid', 'Left the tape']);
  expect(table.rows).toEqual([
    { label: 'Current', cells: [{ points: 90 }, { points: 10 }, { points: 0 }] },
    { label: 'Delinquent', cells: [{ points: 25 }, { points: 0 }, { points: 75 }] },
  ]);
});

test('by count every asset weighs the same', () => {
  expect(migrationTable(MOVES, 'count').rows.map((row) => row.cells.map((cell) => cell.points))).toEqual([
    [75, 25, 0],
    [50, 0, 50],
    [0, 100, 0],
  ]);
});

test('paying off is never a decline, and falling behind is', () => {
  const { meaning } = migrationTable(
    [
      { from: 'current', to: 'paid', count: 1, outstanding: null },
      { from: 'current', to: 'delinquent', count: 1, outstanding: null },
      { from: 'delinquent', to: 'current', count: 1, outstanding: null },
    ],
    'count',
  );
  // Columns: current, delinquent, paid; rows: current, delinquent.
  expect([meaning(0, 0), meaning(0, 1), meaning(0, 2), meaning(1, 0)]).toEqual(['same', 'worse', 'better', 'better']);
});
