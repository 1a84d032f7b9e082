import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDictionaryColumns, writeDictionaryCodes } from './dictionary-codes.ts';
import { joinParquet } from './join-parts.ts';
import { readParquet, useParquetFiles } from './testing/parquet-files.ts';

const files = useParquetFiles();
const nextFile = files.next;
const written = (select: string, options = 'COMPRESSION zstd, ROW_GROUP_SIZE 1048576'): Promise<string> =>
  files.written(select, options);
const values = async (sql: string) => (await files.connection().runAndReadAll(sql)).getColumnsJson()[0] ?? [];

/** Codes from one part's own dictionary, in its order, in a column `code`. */
async function withCodes(part: string, column: string, rows: number, first = 0): Promise<string> {
  const dictionaries = await readDictionaryColumns(part, [column]);
  expect(dictionaries.rows).toBe(rows);
  const source = dictionaries.columns.get(column)!;
  const codes = Int32Array.from(source.texts, (_, index) => first + index);
  const [file, target] = [nextFile(), nextFile()];
  await writeDictionaryCodes(file, [{ name: 'code', source, codes }], rows);
  await joinParquet(target, [[part, file]]);
  return target;
}

describe('codes from the pages of a text column', () => {
  test('number its texts by first appearance, and are missing if the text is', async () => {
    const texts = "['TX', NULL, 'CA', 'a state with a name of more than twelve bytes', 'Zürich', '']";
    const part = await written(
      `SELECT i AS "row", ${texts}[CAST(hash(i) % 6 AS INTEGER) + 1] AS state FROM range(30000) t(i)`,
    );
    const joined = await withCodes(part, 'state', 30_000);
    const expected = await values(
      `WITH firsts AS (SELECT state AS v, min("row") AS r FROM ${readParquet([part])} WHERE state IS NOT NULL GROUP BY 1)
       SELECT CAST(p.c AS INTEGER) FROM ${readParquet([part])} t
       LEFT JOIN (SELECT v, row_number() OVER (ORDER BY r) - 1 AS c FROM firsts) p ON p.v = t.state ORDER BY "row"`,
    );
    expect(await values(`SELECT code FROM ${readParquet([joined])}`)).toEqual(expected);
    expect(new Set(expected)).toEqual(new Set([0, 1, 2, 3, 4, null]));
  });

  test('have the right metadata: type, bounds, missing values', async () => {
    const part = await written(`SELECT [NULL, 'a', 'b', 'c'][i % 4 + 1] AS s FROM range(4000) t(i)`);
    const joined = await withCodes(part, 's', 4000, 10);
    const described = await files.connection().runAndReadAll(`DESCRIBE SELECT code FROM ${readParquet([joined])}`);
    expect(described.getRows()[0]?.slice(0, 2)).toEqual(['code', 'INTEGER']);
    const metadata = await files
      .connection()
      .runAndReadAll(
        `SELECT stats_min_value, stats_max_value, stats_null_count, num_values FROM parquet_metadata('${joined}') WHERE path_in_schema = 'code'`,
      );
    expect(metadata.getRowsJson()).toEqual([['10', '12', '1000', '4000']]);
    // The bounds let whole row groups be skipped; within them rows are found.
    expect(await values(`SELECT count(*) FROM ${readParquet([joined])} WHERE code = 13`)).toEqual(['0']);
    expect(await values(`SELECT count(*) FROM ${readParquet([joined])} WHERE code = 11`)).toEqual(['1000']);
    expect(await values(`SELECT count(*) FROM ${readParquet([joined])} WHERE code IS NULL`)).toEqual(['1000']);
  });

  test('are empty in a part without rows', async () => {
    const part = await written(`SELECT 'x' AS s LIMIT 0`);
    expect(await values(`SELECT code FROM ${readParquet([await withCodes(part, 's', 0)])}`)).toEqual([]);
  });

  test('are only available if the whole column is dictionary-encoded', async () => {
    const unlike = await written(
      `SELECT concat('loan ', i) AS id, 'one' AS same, i % 2 = 0 AS flag FROM range(20000) t(i)`,
    );
    expect([...(await readDictionaryColumns(unlike, ['id', 'same', 'flag', 'absent'])).columns.keys()]).toEqual([
      'same',
    ]);
    const grouped = await written(`SELECT 'one' AS s FROM range(5000)`, 'COMPRESSION zstd, ROW_GROUP_SIZE 2048');
    expect((await readDictionaryColumns(grouped, ['s'])).columns.size).toBe(0);
    const otherwise = await written(`SELECT 'one' AS s FROM range(5000)`, 'COMPRESSION snappy');
    expect((await readDictionaryColumns(otherwise, ['s'])).columns.size).toBe(0);
  });

  test('match any texts row by row', async () => {
    const text = fc.option(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 20 }).filter((each) => !each.includes('\0')),
        fc.constantFrom('CA', 'NY', "O'Brien"),
      ),
      { nil: null, freq: 5 },
    );
    const lists = fc.array(text, { minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 40 }), async (list, times) => {
        await files.connection().run('CREATE OR REPLACE TEMP TABLE texts (place INTEGER, s VARCHAR)');
        const appender = await files.connection().createAppender('texts');
        const rows = Array.from({ length: list.length * times }, (_, at) => list[at % list.length] ?? null);
        for (const [at, each] of rows.entries()) {
          appender.appendInteger(at);
          if (each === null) appender.appendNull();
          else appender.appendVarchar(each);
          appender.endRow();
        }
        appender.closeSync();
        const part = await written('SELECT s FROM texts ORDER BY place');
        if (!(await readDictionaryColumns(part, ['s'])).columns.has('s')) return;
        const firsts = new Map<string, number>();
        for (const each of rows) if (each !== null && !firsts.has(each)) firsts.set(each, firsts.size);
        const joined = await withCodes(part, 's', rows.length);
        expect(await values(`SELECT code FROM ${readParquet([joined])}`)).toEqual(
          rows.map((each) => (each === null ? null : firsts.get(each))),
        );
      }),
      { numRuns: 40 },
    );
  });
});
