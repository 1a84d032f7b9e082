import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { installMacros } from './compile/macros.ts';
import { originJson } from './compile/origin.ts';
import { blank, day, number, sheetError, truth, words } from './compile/testing/mapped-rows.ts';
import { rawRows } from './compile/testing/raw-rows.ts';
import { OriginTexts } from './origin-texts.ts';
import { stageBatch } from './stage-batch.ts';

const cells = fc.oneof(
  fc.constantFrom(blank, truth(true), truth(false), sheetError('#N/A')),
  fc
    .oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -100, max: 10 ** 8 }).map((cents) => cents / 100),
      fc.maxSafeInteger().map((cents) => cents / 100),
      fc.constantFrom(0, -0, 0.01, 0.1, 1, 10, 99.9, 1e15, 9_999_999_999_999.99),
    )
    .map(number),
  fc.string({ unit: 'grapheme' }).map(words),
  fc
    .oneof(fc.double({ noNaN: true, min: 0, max: 3e6 }), fc.constantFrom(0, 1, 59.5, 60, 61, 43281.99999, 2958465.5))
    .map(day),
);

test('the origin of a row is what the SQL over staged rows makes of it', async () => {
  const headers = ['a', 'b "c"', 'a', ''];
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await installMacros(connection);
  let table = 0;
  const property = fc.asyncProperty(
    fc.array(fc.tuple(cells, cells), { minLength: 1, maxLength: 30 }),
    fc.constantFrom(1900 as const, 1904 as const),
    async (rows, epoch) => {
      const batch = rawRows(
        headers,
        rows.map(([a, b]) => ({ a, 'b "c"': b })),
      );
      table += 1;
      await stageBatch(connection, batch, `staged_${table}`);
      const made = await connection.runAndReadAll(
        `SELECT ${originJson({ headers, epoch })} FROM staged_${table} ORDER BY "row"`,
      );
      const expected = made.getRows().map(([text]) => JSON.parse(String(text)));
      const origins = new OriginTexts(batch, { headers, epoch });
      const written = rows.map((_, row) => JSON.parse(new TextDecoder().decode(origins.bytesOf(row))));
      expect(written).toEqual(expected);
    },
  );
  await fc.assert(property, { numRuns: 60 });
  connection.closeSync();
  instance.closeSync();
});
