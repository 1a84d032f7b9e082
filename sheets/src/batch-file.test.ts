import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { pickRows, readBatchFile, readBatchRows, writeBatchFile } from './batch-file.ts';
import { CellTag } from './cell-tag.ts';
import { type RawBatch, readCell } from './raw-batch.ts';
import { TextArena } from './text-arena.ts';

const folder = mkdtempSync(join(tmpdir(), 'batch-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'part.batch');

const cellArbitrary = fc.oneof(
  fc.constant({ tag: CellTag.blank, value: 0 as number | string }),
  fc.record({ tag: fc.constantFrom(CellTag.number, CellTag.date), value: fc.double({ noNaN: true }) }),
  fc.record({ tag: fc.constant(CellTag.boolean), value: fc.constantFrom(0, 1) }),
  fc.record({ tag: fc.constantFrom(CellTag.text, CellTag.error), value: fc.string({ unit: 'grapheme' }) }),
);
type Cell = { tag: CellTag; value: number | string };

/** A batch over rows of cells; its codes are high, like those of a sheet's later batches. */
function batchOf(rows: readonly (readonly Cell[])[], width: number): RawBatch {
  const texts = new TextArena({ distinct: true });
  for (let code = 0; code < 5000; code += 1) texts.addText(`earlier ${code}`);
  const columns = Array.from({ length: width }, (_, column) => ({
    tags: Uint8Array.from(rows, (row) => row[column]!.tag),
    values: Float64Array.from(rows, ({ [column]: cell }) =>
      typeof cell!.value === 'string' ? texts.addText(cell!.value) : cell!.value,
    ),
  }));
  return {
    index: 3,
    firstRow: 7,
    rowCount: rows.length,
    rowNumbers: Int32Array.from(rows, (_, row) => 7 + row * 2),
    columns,
    blankRows: 4,
    misfits: new Map([[9, 'two, more']]),
    texts: {
      count: texts.count,
      bytes: () => texts.bytes,
      start: (code) => texts.start(code),
      length: (code) => texts.length(code),
      text: (code) => texts.text(code),
    },
  };
}

const cellsOf = (batch: RawBatch) =>
  Array.from({ length: batch.rowCount }, (_, row) => [
    batch.rowNumbers[row],
    ...batch.columns.map(({ tags }, column) => [tags[row], readCell(batch, column, row)]),
  ]);

test('a batch file returns every cell, of the requested columns only', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cellArbitrary, cellArbitrary, cellArbitrary), { minLength: 1, maxLength: 40 }),
      async (rows) => {
        const batch = batchOf(rows, 3);
        await writeBatchFile(batch, path);
        const whole = await readBatchFile(path);
        expect(cellsOf(whole)).toEqual(cellsOf(batch));
        expect(whole).toMatchObject({ index: 3, firstRow: 7, rowCount: rows.length, blankRows: 4 });
        const one = await readBatchFile(path, [1]);
        expect(one.columns.map(({ tags }) => tags.length)).toEqual([0, rows.length, 0]);
        expect(rows.map((_, row) => readCell(one, 1, row))).toEqual(rows.map((_, row) => readCell(batch, 1, row)));
        // The batch has rows 7, 9, 11 and so on; other numbers select nothing.
        const picked = Int32Array.of(6, 7, 8, 11, 17, 19, 90);
        const some = await readBatchRows(path, picked);
        expect(cellsOf(some)).toEqual(cellsOf(pickRows(batch, picked)));
        expect(some).toMatchObject({ index: 3, firstRow: 7, blankRows: 4, rowCount: some.rowNumbers.length });
      },
    ),
    { numRuns: 60 },
  );
});

test('the same batch gives the same bytes, whatever codes its texts have', async () => {
  const rows: Cell[][] = [[{ tag: CellTag.text, value: 'b' }], [{ tag: CellTag.text, value: 'a' }]];
  await writeBatchFile(batchOf(rows, 1), path);
  const first = await readFile(path);
  const renumbered = batchOf([...rows].reverse(), 1);
  await writeBatchFile({ ...pickRows(batchOf(rows, 1), Int32Array.of(7, 9)), texts: batchOf(rows, 1).texts }, path);
  expect(first.equals(await readFile(path))).toBe(true);
  await writeBatchFile(renumbered, path);
  expect(first.equals(await readFile(path))).toBe(false);
});

test('rows are selected by their sheet row numbers; numbers of other batches select nothing', () => {
  const batch = batchOf(
    [1, 2, 3, 4].map((value) => [{ tag: CellTag.number, value }]),
    1,
  );
  const picked = pickRows(batch, Int32Array.of(1, 8, 9, 13, 99));
  expect(cellsOf(picked)).toEqual([
    [9, [CellTag.number, 2]],
    [13, [CellTag.number, 4]],
  ]);
  expect(pickRows(batch, Int32Array.of(2)).rowCount).toBe(0);
});

test('a selection of no rows has the same columns', async () => {
  await writeBatchFile(batchOf([[{ tag: CellTag.text, value: 'a' }]], 1), path);
  expect(await readBatchRows(path, Int32Array.of())).toMatchObject({ rowCount: 0, firstRow: 7, columns: [{}] });
});

test('a file that is truncated or of another kind is rejected', async () => {
  await writeBatchFile(batchOf([[{ tag: CellTag.text, value: 'a text' }]], 1), path);
  const whole = await readFile(path);
  await writeFile(path, whole.subarray(0, whole.length - 3));
  await expect(readBatchFile(path)).rejects.toThrow('ends too early');
  await writeFile(path, 'PAR1 and more than twelve bytes');
  await expect(readBatchFile(path)).rejects.toThrow('is not a batch file');
});
