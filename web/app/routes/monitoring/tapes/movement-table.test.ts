import { rollMatrix } from '@tapeline/domain/pools/roll-rates.ts';
import { type StatusMove, statusMatrix } from '@tapeline/domain/pools/status-migration.ts';
import { expect, test } from 'vitest';
import { cellWords, rollTable, statusTable } from './movement-table.ts';

const USD = { currency: 'USD', rates: {} };
const move = (from: string, to: string, count: number, opening: string | null) =>
  ({ from, to, count, opening, currency: 'USD' }) as StatusMove;
const MOVES = [
  move('delinquent', 'current', 1, '50.00'),
  move('delinquent', 'vanished', 1, '150.00'),
  move('current', 'current', 3, '900.00'),
  move('current', 'paid', 1, '100.00'),
  move('paid', 'paid', 2, '0.00'),
];
const points = (table: ReturnType<typeof statusTable>) => table.rows.map((row) => row.cells.map((cell) => cell.points));

test('shares of the opening balance stand in order of severity, those that left last, and none of what opened with nothing', () => {
  const table = statusTable(statusMatrix(MOVES, USD), 'balance');
  expect(table.columns.map(({ label }) => label)).toEqual(['Current', 'Paid', 'No longer reported']);
  expect(table.rows.map(({ label }) => label)).toEqual(['Current', 'Delinquent']);
  expect(points(table)).toEqual([
    [90, 10, 0],
    [25, 0, 75],
  ]);
});

test('by count every asset weighs the same', () => {
  expect(points(statusTable(statusMatrix(MOVES, USD), 'count'))).toEqual([
    [75, 25, 0],
    [50, 0, 50],
    [0, 100, 0],
  ]);
});

test('the figures of a row as shown add up to 100.0', () => {
  const thirds = ['current', 'pastDue', 'delinquent'].map((to) => move('current', to, 1, '1'));
  expect(points(statusTable(statusMatrix(thirds, USD), 'count'))).toEqual([[33.4, 33.3, 33.3]]);
});

test('paying off is never a decline, and falling behind is', () => {
  const { meaning } = statusTable(
    statusMatrix(
      [
        move('current', 'paid', 1, null),
        move('current', 'delinquent', 1, null),
        move('delinquent', 'current', 1, null),
      ],
      USD,
    ),
    'count',
  );
  // Columns: current, delinquent, paid; rows: current, delinquent.
  expect([meaning(0, 0), meaning(0, 1), meaning(0, 2), meaning(1, 0)]).toEqual(['same', 'worse', 'better', 'better']);
});

test('of buckets more days are worse, fewer or paid off are better, and what is not known means nothing', () => {
  const roll = (from: string, to: string) => move(from, to, 1, '1') as never;
  const table = rollTable(
    rollMatrix(
      [
        roll('1-29', 'current'),
        roll('1-29', '1-29'),
        roll('1-29', '30-59'),
        roll('1-29', 'chargedOff'),
        roll('1-29', 'paidOff'),
        roll('1-29', 'unknown'),
        roll('1-29', 'vanished'),
        roll('unknown', 'current'),
        roll('unknown', 'paidOff'),
      ],
      USD,
    ),
    'balance',
  );
  expect(table.columns.map(({ key }) => key)).toEqual([
    'current',
    '1-29',
    '30-59',
    'chargedOff',
    'paidOff',
    'unknown',
    'vanished',
  ]);
  const meanings = (row: number) => table.columns.map((_, column) => table.meaning(row, column));
  expect(meanings(0)).toEqual(['better', 'same', 'worse', 'worse', 'better', 'none', 'none']);
  expect(meanings(1)).toEqual(['none', 'none', 'none', 'none', 'better', 'same', 'none']);
});

test('the amount of a cell has the digits of its currency', () => {
  const cell = { to: 'paid', points: 10, count: 2, opening: '1234.5' };
  expect(cellWords(cell, 'USD')).toBe('2 assets, 1,234.50 USD');
  expect(cellWords({ ...cell, opening: '1234' }, 'JPY')).toBe('2 assets, 1,234 JPY');
  expect(cellWords({ ...cell, opening: null }, 'USD')).toBe('2 assets');
});
