import { DuckDBInstance } from '@duckdb/node-api';
import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import { writeWorkbook } from '@tapeline/sheets/testing/workbook-file.ts';
import { expect, test } from 'vitest';
import { stageBatch } from './stage-batch.ts';

const ROWS = 5_000;

/** Writes a sheet in which every value can be derived from the row number, so that SQL can check all of them. */
async function makeSheet(): Promise<string> {
  const strings = ['Loan', 'Value', 'Flag', ...Array.from({ length: 20 }, (_, length) => `é${'x'.repeat(length)}`)];
  const row = (index: number): string => {
    const r = index + 2;
    const value =
      index % 4 === 0
        ? `<c r="B${r}"><v>${index / 8}</v></c>`
        : index % 4 === 1
          ? `<c r="B${r}" s="1"><v>${40_000 + index}</v></c>`
          : index % 4 === 2
            ? `<c r="B${r}" t="e"><v>#N/A</v></c>`
            : '';
    return `<row r="${r}"><c r="A${r}" t="s"><v>${3 + (index % 20)}</v></c>${value}<c r="C${r}" t="b"><v>${index % 2}</v></c></row>`;
  };
  const header =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>';
  return writeWorkbook({
    rows: header + Array.from({ length: ROWS }, (_, index) => row(index)).join(''),
    strings: strings.map((text) => `<si><t>${text}</t></si>`),
    formats: ['General', 'yyyy-mm-dd'],
  });
}

test('a batch becomes a table in the raw layout, across vectors, with nulls where there is no value', async () => {
  const path = await makeSheet();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for await (const batch of readSheetBatches(path)) {
    await stageBatch(connection, batch, 'raw "1"');
  }
  const rows = await connection.runAndReadAll(`
    SELECT count(*) AS rows,
      count(*) FILTER ("row" = i + 2) AS row_numbers,
      count(*) FILTER (t0 = 2 AND n0 IS NULL AND s0 = 'é' || repeat('x', (i % 20)::INTEGER)) AS texts,
      count(*) FILTER (i % 4 = 0 AND t1 = 1 AND n1 = i / 8 AND s1 IS NULL) AS numbers,
      count(*) FILTER (i % 4 = 1 AND t1 = 4 AND n1 = 40000 + i AND s1 IS NULL) AS dates,
      count(*) FILTER (i % 4 = 2 AND t1 = 5 AND n1 IS NULL AND s1 = '#N/A') AS errors,
      count(*) FILTER (i % 4 = 3 AND t1 = 0 AND n1 IS NULL AND s1 IS NULL) AS blanks,
      count(*) FILTER (t2 = 3 AND n2 = i % 2 AND s2 IS NULL) AS booleans
    FROM (SELECT *, "row" - 2 AS i FROM "raw ""1""")`);
  expect(rows.getRowObjectsJson()).toEqual([
    {
      rows: '5000',
      row_numbers: '5000',
      texts: '5000',
      numbers: '1250',
      dates: '1250',
      errors: '1250',
      blanks: '1250',
      booleans: '5000',
    },
  ]);
  const types = await connection.runAndReadAll(
    `SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'raw "1"' ORDER BY column_index LIMIT 4`,
  );
  expect(types.getRowsJson()).toEqual([
    ['row', 'INTEGER'],
    ['t0', 'UTINYINT'],
    ['n0', 'DOUBLE'],
    ['s0', 'VARCHAR'],
  ]);
  connection.closeSync();
});
