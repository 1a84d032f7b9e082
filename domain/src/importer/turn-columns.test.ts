import { describe, expect, it, test } from 'vitest';
import { MAX_ROWS } from './kinds.ts';
import { dateOfHeader, suggestTurn, turned, turnSchema } from './turn-columns.ts';

test.each([
  ['31 Mar 2026', '2026-03-31'],
  ['2026-06-30', '2026-06-30'],
  ['30.06.2026', '2026-06-30'],
  ['Q3 2026', '2026-09-30'],
  ['3Q26', '2026-09-30'],
  ['2026 Q1', '2026-03-31'],
  ['T4 2025', '2025-12-31'],
  ['1. Quartal 2026', '2026-03-31'],
  ['H1 2026', '2026-06-30'],
  ['Feb 2028', '2028-02-29'],
  ['Feb-28', '2028-02-29'],
  ['2026-02', '2026-02-28'],
  ['FY2025', '2025-12-31'],
  ['NAV at 31 Mar 2026 (USD)', '2026-03-31'],
  ['NAV Q1 2026', '2026-03-31'],
])('the header %s is the date %s', (header, date) => {
  expect(dateOfHeader(header)).toBe(date);
});

test.each(['Investor', '2026', '45000', 'Q5 2026', '2026-13', '03/04/2026', 'Quarter', '31 Feb 2026', 'May', ''])(
  'the header %j is no date, or not a clear one',
  (header) => {
    expect(dateOfHeader(header)).toBeNull();
  },
);

const sheet = (headers: readonly string[], rows: readonly (readonly string[])[]) => ({
  columns: headers.map((header, at) => ({ header, letters: String.fromCharCode(65 + at) })),
  rows: rows.map((cells, at) => ({ row: at + 3, cells })),
});
const NAVS = sheet(
  ['Investor', 'Q1 2026', 'Q2 2026'],
  [
    ['Tern', '10', '-'],
    ['Oak', '', '(1.5)'],
    ['Total', '10', '-1.5'],
  ],
);

describe('columns with a date each', () => {
  it('are suggested for entries of investors, and for no other kind', () => {
    expect(suggestTurn('navs', NAVS)).toEqual({ letters: ['B', 'C'], head: 'date' });
    expect(suggestTurn('LPs', NAVS)).toBeNull();
    expect(suggestTurn('navs', sheet(['Investor', 'Q1 2026'], [['Tern', '10']]))).toBeNull();
    expect(suggestTurn('navs', sheet(['Investor', 'Q1 2026', 'Q2 2026'], [['Tern', 'x', 'y']]))).toBeNull();
  });

  it('become a row for each amount, which knows its cell', () => {
    const table = turned('navs', NAVS, { letters: ['B', 'C'], head: 'date' });
    expect(table.columns.map(({ letters }) => letters)).toEqual(['A', 'ZZY', 'ZZZ']);
    expect(table.rows).toEqual([
      { row: 2, cells: ['Tern', '2026-03-31', '10'], source: 'B3' },
      { row: 3, cells: ['Oak', '2026-06-30', '(1.5)'], source: 'C4' },
      { row: 4, cells: ['Total', '2026-03-31', '10'], source: 'B5' },
      { row: 5, cells: ['Total', '2026-06-30', '-1.5'], source: 'C5' },
    ]);
  });

  it('keep their headers if these are no dates', () => {
    const table = turned('navs', NAVS, { letters: ['B', 'C'], head: 'fundClassCode' });
    expect(table.rows[0]?.cells).toEqual(['Tern', 'Q1 2026', '10']);
  });
});

describe('a hostile sheet', () => {
  const wide = (columns: number, rows: number) => ({
    columns: Array.from({ length: columns }, (_, at) => ({
      header: `2026-01-${at}`,
      letters: `A${String.fromCharCode(65 + (at % 26))}${String.fromCharCode(65 + Math.floor(at / 26))}`,
    })),
    rows: Array.from({ length: rows }, (_, at) => ({ row: at + 2, cells: Array.from({ length: columns }, () => '1') })),
  });
  const turnOf = ({ columns }: ReturnType<typeof wide>) => ({
    letters: columns.map(({ letters }) => letters),
    head: 'callName',
  });

  it('has at most as many rows as an import, and not one more', () => {
    const most = wide(100, MAX_ROWS.navs / 100);
    expect(turned('navs', most, turnOf(most)).rows).toHaveLength(MAX_ROWS.navs);
    const more = { ...most, rows: [...most.rows, { row: 9_999, cells: ['1'] }] };
    expect(() => turned('navs', more, turnOf(more))).toThrow('3001 NAVs');
  });

  it('is refused before its rows are created', () => {
    const largest = wide(200, 3_000);
    const before = performance.now();
    expect(() => turned('navs', largest, turnOf(largest))).toThrow('600000 NAVs');
    expect(suggestTurn('navs', largest)).toBeNull();
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it('turns 2 to 200 columns', () => {
    const letters = (count: number) => Array.from({ length: count }, () => 'A');
    for (const [count, isValid] of [
      [1, false],
      [2, true],
      [200, true],
      [201, false],
    ] as const)
      expect([count, turnSchema.safeParse({ letters: letters(count), head: 'date' }).success]).toEqual([
        count,
        isValid,
      ]);
  });
});
