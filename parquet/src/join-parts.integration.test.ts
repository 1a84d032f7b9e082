import { readFile, rm, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinParquet } from './join-parts.ts';
import { readParquet, useParquetFiles } from './testing/parquet-files.ts';
import { readThriftStruct, writeThriftStruct } from './thrift-compact.ts';

const files = useParquetFiles();
const nextFile = files.next;
const written = (select: string, options = 'COMPRESSION zstd'): Promise<string> => files.written(select, options);
const rowsOf = async (sql: string) => JSON.stringify((await files.connection().runAndReadAll(sql)).getRowsJson());
const footerOf = async (file: string): Promise<Buffer> => {
  const bytes = await readFile(file);
  return bytes.subarray(bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8), bytes.length - 8);
};

/** Rows from..to with texts, missing values, decimals, dates, booleans and lists of structs. */
const wide = (from: number, to: number) => `
  SELECT CAST(i AS INTEGER) AS "row", concat('loan ', i) AS id, ['CA', 'NY', NULL, 'a rather long name of a state'][i % 4 + 1] AS state,
    CASE WHEN i % 7 > 0 THEN CAST(i * 1.25 AS DECIMAL(18,4)) END AS "sums.sum", CAST(i AS DOUBLE) / 3 AS share,
    DATE '2020-01-01' + CAST(i % 900 AS INTEGER) AS day, i % 3 = 0 AS flag,
    CASE WHEN i % 5 = 0 THEN [{'rule': CAST(i AS INTEGER), 'reason': concat('r', i % 11)}] END AS errors
  FROM range(${from}, ${to}) t(i)`;

test('a footer that is read and written again is identical', async () => {
  for (const select of [wide(0, 5000), wide(0, 0), 'SELECT 1 AS "one"']) {
    const footer = await footerOf(await written(select, 'COMPRESSION zstd, ROW_GROUP_SIZE 2048'));
    expect(Buffer.from(writeThriftStruct(readThriftStruct(footer)))).toEqual(footer);
  }
});

test('a footer truncated at any point is rejected', async () => {
  const footer = await footerOf(await written(wide(0, 3000)));
  for (let length = 0; length < footer.length; length += 7) {
    expect(() => readThriftStruct(footer.subarray(0, length))).toThrow(/cut off/);
  }
});

describe('joined parts', () => {
  test('contain all rows in order, with empty parts, several row groups and lists', async () => {
    const bounds = [0, 5000, 5000, 5001, 12_000];
    const parts: string[][] = [];
    for (const [at, to] of bounds.slice(1).entries()) {
      parts.push([await written(wide(bounds[at]!, to), 'COMPRESSION zstd, ROW_GROUP_SIZE 2048')]);
    }
    const target = nextFile();
    expect(await joinParquet(target, parts)).toBe(12_000);
    expect(await rowsOf(`FROM ${readParquet([target])}`)).toBe(await rowsOf(wide(0, 12_000)));
    const groups = await files
      .connection()
      .runAndReadAll(`SELECT count(DISTINCT row_group_id) FROM parquet_metadata('${target}')`);
    expect(Number(groups.getColumns()[0]?.[0])).toBe(3 + 1 + 4);
  });

  test('keep the statistics and bloom filters that let row groups be skipped', async () => {
    const parts = await Promise.all([0, 1, 2].map((part) => written(wide(part * 1000, part * 1000 + 1000))));
    const target = nextFile();
    await joinParquet(
      target,
      parts.map((file) => [file]),
    );
    const kept = await rowsOf(
      `SELECT stats_min_value, stats_max_value, stats_null_count, num_values FROM parquet_metadata('${target}') ORDER BY row_group_id, column_id`,
    );
    const own: string[] = [];
    for (const file of parts) {
      own.push(
        await rowsOf(
          `SELECT stats_min_value, stats_max_value, stats_null_count, num_values FROM parquet_metadata('${file}') ORDER BY column_id`,
        ),
      );
    }
    expect(JSON.parse(kept)).toEqual(own.flatMap((each) => JSON.parse(each)));
    const state = "'a rather long name of a state'";
    const excluded = await rowsOf(
      `SELECT bloom_filter_excludes FROM parquet_bloom_probe('${target}', 'state', 'nowhere')`,
    );
    expect(JSON.parse(excluded)).toEqual([[true], [true], [true]]);
    expect(await rowsOf(`SELECT count(*) FROM ${readParquet([target])} WHERE state = ${state}`)).toBe('[["750"]]');
    expect(await rowsOf(`SELECT id FROM ${readParquet([target])} WHERE "row" = 2345`)).toBe('[["loan 2345"]]');
  });

  test('have the columns of files joined side by side', async () => {
    const numbers = (from: number, to: number) =>
      `SELECT CAST(i AS INTEGER) AS "sequenceIndex", CASE WHEN i % 4 <> 2 THEN CAST(i % 4 AS INTEGER) END AS "code:state" FROM range(${from}, ${to}) t(i)`;
    const grouped = 'COMPRESSION zstd, ROW_GROUP_SIZE 2048';
    const parts = [
      [await written(wide(0, 3000), grouped), await written(numbers(0, 3000), grouped)],
      [await written(wide(3000, 3000), grouped), await written(numbers(3000, 3000), grouped)],
      [await written(wide(3000, 9000), grouped), await written(numbers(3000, 9000), grouped)],
    ];
    const target = nextFile();
    expect(await joinParquet(target, parts)).toBe(9000);
    expect(await rowsOf(`FROM ${readParquet([target])}`)).toBe(
      await rowsOf(
        `SELECT w.*, n.* FROM (${wide(0, 9000)}) w JOIN (${numbers(0, 9000)}) n ON n."sequenceIndex" = w."row" ORDER BY 1`,
      ),
    );
  });

  test('contain the same rows however they are split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 5 }), async (sizes) => {
        const parts: string[][] = [];
        let from = 0;
        for (const size of sizes) {
          const options = 'COMPRESSION zstd, ROW_GROUP_SIZE 2048';
          const left = await written(`SELECT "row", id, errors FROM (${wide(from, from + size)})`, options);
          const right = await written(`SELECT state, "sums.sum", flag FROM (${wide(from, from + size)})`, options);
          parts.push([left, right]);
          from += size;
        }
        const target = nextFile();
        expect(await joinParquet(target, parts)).toBe(from);
        expect(await rowsOf(`FROM ${readParquet([target])}`)).toBe(
          await rowsOf(`SELECT "row", id, errors, state, "sums.sum", flag FROM (${wide(0, from)})`),
        );
        await Promise.all([...parts.flat(), target].map((file) => rm(file)));
      }),
      { numRuns: 15 },
    );
  });

  test('of different columns, rows or row groups are rejected, and so are files that are not Parquet', async () => {
    const [a, b] = [await written('SELECT 1 AS x'), await written('SELECT 1 AS y')];
    await expect(joinParquet(nextFile(), [[a], [b]])).rejects.toThrow(/different columns/);
    const two = await written('SELECT unnest([1, 2]) AS y');
    await expect(joinParquet(nextFile(), [[a, two]])).rejects.toThrow(/different rows/);
    const grouped = await written('SELECT i AS z FROM range(5000) t(i)', 'ROW_GROUP_SIZE 2048');
    const whole = await written('SELECT i AS w FROM range(5000) t(i)');
    await expect(joinParquet(nextFile(), [[grouped, whole]])).rejects.toThrow(/different row groups/);
    await expect(joinParquet(nextFile(), [])).rejects.toThrow(/no Parquet part/);
    const broken = nextFile();
    await writeFile(broken, 'PAR1 and nothing of the kind PAR1');
    await expect(joinParquet(nextFile(), [[broken]])).rejects.toThrow(/not a Parquet|cut off/);
    const short = nextFile();
    await writeFile(short, (await readFile(a)).subarray(0, 40));
    await expect(joinParquet(nextFile(), [[short]])).rejects.toThrow(/not a Parquet/);
  });
});
