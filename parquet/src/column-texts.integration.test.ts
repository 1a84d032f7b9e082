import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnFiles, PageReader, UnfamiliarParquet } from './column-pages.ts';
import { textsAt } from './column-texts.ts';
import { readParquet, useParquetFiles } from './testing/parquet-files.ts';

const files = useParquetFiles();

/** The texts of one file with one row group at the given rows. */
async function readTexts(file: string, name: string, rows: readonly number[]) {
  const opened = await ColumnFiles.open([file], [name]);
  const pages = new PageReader();
  try {
    const [column] = await pages.read(opened.rowGroups[0]!);
    return textsAt(column!, rows);
  } finally {
    pages.close();
    await opened.close();
  }
}

// Few distinct texts are stored by a dictionary, many are not.
test.each(['few', 'many', 'whole'])('texts of some rows match DuckDB: %s', async (name) => {
  const file = await files.written(
    `SELECT ['Zürich', 'a', '', NULL, 'a name of more than twelve bytes'][CAST(hash(i) % 5 AS INTEGER) + 1] AS few,
      CASE WHEN i % 7 <> 0 THEN concat('loan ', i) END AS many, concat('borrower ', i // 2) AS whole FROM range(60000) t(i)`,
    'COMPRESSION zstd, ROW_GROUP_SIZE 1048576',
  );
  const read = await files.connection().runAndReadAll(`SELECT "${name}" FROM ${readParquet([file])}`);
  const texts = read.getRowsJS().map(([text]) => text as string | null);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(texts.length - 1), { maxLength: 200 }), async (some) => {
      const rows = some.sort((a, b) => a - b);
      expect(await readTexts(file, name, rows)).toEqual(rows.map((row) => texts[row]));
    }),
    { numRuns: 20 },
  );
  const all = texts.map((_, row) => row);
  expect(await readTexts(file, name, all)).toEqual(texts);
  await expect(readTexts(file, name, [texts.length])).rejects.toThrow('fewer values than rows');
});

test('numbers are left to DuckDB', async () => {
  const file = await files.written('SELECT i AS n FROM range(10) t(i)', 'COMPRESSION zstd');
  await expect(readTexts(file, 'n', [1])).rejects.toThrow(UnfamiliarParquet);
});
