import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { expect, test } from 'vitest';
import { describeBatch } from './batch-facts.ts';
import type { CellFacts } from './compile/cell-facts.ts';
import type { Cell } from './compile/testing/held.ts';
import { blank, day, number, sheetError, truth, words } from './compile/testing/mapped-rows.ts';
import { rawRows } from './compile/testing/raw-rows.ts';

const factsOf = (cells: readonly Cell[], mostDistinct = 0): CellFacts => {
  const batch = rawRows(
    ['a'],
    cells.map((a) => ({ a })),
  );
  return describeBatch(batch, [0], mostDistinct).facts.get(0)!;
};

test.each<[string, Cell[], CellFacts['layout']]>([
  ['nothing but blanks', [blank, blank], 'nothing'],
  ['numbers and blanks', [number(1), blank], 'numbers'],
  ['dates', [day(43281)], 'numbers'],
  ['truths', [truth(true), truth(false)], 'numbers'],
  ['texts and blanks', [words('x'), blank], 'texts'],
  ['errors', [sheetError('#N/A')], 'raw'],
  ['numbers and dates', [number(1), day(43281)], 'raw'],
  ['numbers and a text', [number(1), words('x')], 'raw'],
])('a column of %s is staged as such', (_, cells, layout) => {
  expect(factsOf(cells).layout).toBe(layout);
});

test('texts, truths and errors that repeat are coded, up to so many distinct ones', () => {
  const cells = [words('x'), blank, sheetError('x'), words('x'), truth(true), words('y'), sheetError('x')];
  const batch = rawRows(
    ['a'],
    cells.map((a) => ({ a })),
  );
  const coded = describeBatch(batch, [0], 5).coded.get(0);
  expect([...(coded?.codes ?? [])]).toEqual([0, 1, 2, 0, 3, 4, 2]);
  expect(coded?.rows).toEqual([0, 1, 2, 4, 5]);
  expect(factsOf(cells, 5)).toMatchObject({ layout: 'codes' });
  expect(factsOf(cells, 4)).toMatchObject({ layout: 'raw' });
  expect(factsOf([...cells, number(1)], 20)).toMatchObject({ layout: 'raw' });
});

test('a column is coded by itself where its cells come eight times each', () => {
  const batch = (distinct: number) =>
    rawRows(
      ['a'],
      Array.from({ length: 80 }, (_, row) => ({ a: words(`t${row % distinct}`) })),
    );
  expect(describeBatch(batch(10), [0]).facts.get(0)?.layout).toBe('codes');
  expect(describeBatch(batch(11), [0]).facts.get(0)?.layout).toBe('texts');
});

test.each<[Cell[], Partial<CellFacts>]>([
  [[number(9.5)], { below: 10, whole: false, unsigned: true, serials: false }],
  [[number(10)], { below: 1e3, whole: true }],
  [[number(-1e13 + 1)], { below: 1e13, unsigned: false }],
  [[number(1e13)], { below: Number.MAX_VALUE }],
  [[number(1), number(Number.POSITIVE_INFINITY)], { below: Number.POSITIVE_INFINITY, whole: false, unsigned: false }],
  [[number(61), day(2_957_003.5)], { serials: true, whole: false }],
  [[number(60)], { serials: false }],
  [[day(2_957_004)], { serials: false }],
  [[blank], { whole: true, unsigned: true, serials: true }],
])('of numbers %j is known %j', (cells, known) => {
  expect(factsOf(cells)).toMatchObject(known);
});

test.each<[string, boolean]>([
  ['x', true],
  ['a b', true],
  ['é', true],
  ['à', true],
  ['', false],
  [' x', false],
  ['x\u00a0', false],
  ['\u00a0x', false],
  ['x\n', false],
  ['\tx', false],
])('the text %j is known to be trimmed: %j', (text, trimmed) => {
  expect(factsOf([words('x'), words(text)]).trimmed).toBe(trimmed);
  expect(factsOf([words('x'), words(text)], 2).trimmed).toBe(trimmed);
});

test('tags that do not occur are left out', () => {
  expect(factsOf([number(1), blank]).tags).toEqual([CellTag.blank, CellTag.number]);
});
