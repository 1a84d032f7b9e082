import { readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnFiles, PageReader, UnfamiliarParquet } from './column-pages.ts';
import { BLOCK_ROWS, ColumnValues, type ValueKind } from './column-values.ts';
import { HEAD } from './footer.ts';
import { HybridRuns } from './hybrid-runs.ts';
import { joinParquet } from './join-parts.ts';
import { useParquetFiles } from './testing/parquet-files.ts';

const files = useParquetFiles();
const ZSTD = 'COMPRESSION zstd, ROW_GROUP_SIZE 2048';

/** The values of a column by row, missing ones as null: a decimal as its units, a text as its index. */
async function valuesOf(
  paths: readonly string[],
  name: string,
  kind: ValueKind,
  literals: readonly string[] = [],
  blockRows = BLOCK_ROWS,
): Promise<(number | bigint | null)[]> {
  const opened = await ColumnFiles.open(paths, [name]);
  const pages = new PageReader();
  const found: (number | bigint | null)[] = [];
  try {
    const reader = new ColumnValues(kind, literals);
    for (const group of opened.rowGroups) {
      const [column] = await pages.read(group);
      reader.begin(column!);
      for (let done = 0; done < group.rows; done += blockRows) {
        const rows = Math.min(blockRows, group.rows - done);
        const lacks = reader.read(rows);
        expect(lacks).toBe(reader.present.subarray(0, rows).includes(0));
        for (let row = 0; row < rows; row += 1) {
          const { values, present } = reader;
          if (present[row] === 0) found.push(kind === 'listed' ? values[row]! : null);
          else if (kind !== 'decimal') found.push(values[row]!);
          else found.push((BigInt(values[row * 2 + 1]!) << 32n) + BigInt(values[row * 2]! >>> 0));
        }
      }
    }
    return found;
  } finally {
    pages.close();
    await opened.close();
  }
}

/** The same with DuckDB. */
async function byDuckDb(paths: readonly string[], sql: string): Promise<unknown[]> {
  const list = paths.map((path) => `'${path}'`).join(', ');
  const read = await files.connection().runAndReadAll(`SELECT ${sql} FROM read_parquet([${list}]) ORDER BY "row"`);
  return read.getColumnsJS()[0] ?? [];
}

/** Columns of every kind, dictionary-encoded and plain, with and without missing values. */
const COLUMNS = (missingOf: number) => {
  const some = (sql: string) => (missingOf === 0 ? sql : `CASE WHEN hash(i * 7) % ${missingOf} > 0 THEN ${sql} END`);
  return `SELECT CAST(i AS INTEGER) AS "row", ${some('CAST(hash(i) % 900 AS DOUBLE) / 7')} AS few_numbers,
    ${some('CAST(hash(i) AS DOUBLE) / 3')} AS numbers, ${some('CAST(hash(i) % 300 AS INTEGER) - 150')} AS few_integers,
    ${some('CAST(CAST(hash(i) % 4000000000 AS BIGINT) - 2000000000 AS INTEGER)')} AS integers,
    ${some("DATE '1960-01-01' + CAST(hash(i) % 30000 AS INTEGER)")} AS dates,
    ${some('CAST((CAST(hash(i) % 40 AS INTEGER) - 20) / 3 AS DECIMAL(18,4))')} AS few_decimals,
    ${some('CAST(CAST(hash(i) % 1000000000000000000 AS BIGINT) - 500000000000000000 AS DECIMAL(18,0))')} AS decimals,
    ${some('hash(i) % 3 = 0')} AS flags, ${some("['CA', 'NY', 'Zürich', ''][CAST(hash(i) % 4 AS INTEGER) + 1]")} AS few_texts,
    ${some("concat('loan ', hash(i) % 100000)")} AS texts, 'one' AS same, CAST(NULL AS DOUBLE) AS nothing`;
};

const MANY = Array.from({ length: 300 }, (_, at) => `loan ${at * (at % 3 === 0 ? 1 : 997)}`);

const CASES: readonly [name: string, kind: ValueKind, sql: string, literals?: readonly string[]][] = [
  ['few_numbers', 'double', 'few_numbers'],
  ['numbers', 'double', 'numbers'],
  ['nothing', 'double', 'nothing'],
  ['few_integers', 'integer', 'few_integers'],
  ['integers', 'integer', 'integers'],
  ['dates', 'integer', "CAST(dates - DATE '1970-01-01' AS INTEGER)"],
  ['few_decimals', 'decimal', 'CAST(few_decimals * 10000 AS BIGINT)'],
  ['decimals', 'decimal', 'CAST(decimals AS BIGINT)'],
  ['flags', 'boolean', 'CAST(flags AS INTEGER)'],
  ['few_texts', 'listed', "COALESCE(list_position(['Zürich', 'CA', ''], few_texts), 0)", ['Zürich', 'CA', '']],
  ['texts', 'listed', "COALESCE(list_position(['loan 7', 'loan 12345'], texts), 0)", ['loan 7', 'loan 12345']],
  ['texts', 'listed', `COALESCE(list_position([${MANY.map((text) => `'${text}'`).join(', ')}], texts), 0)`, MANY],
  ['same', 'listed', "list_position(['one'], same)", ['one']],
];

describe('the values of a column', () => {
  test.each([0, 2, 50])('match DuckDB for every kind, with one in %i missing', async (missingOf) => {
    const paths = [
      await files.written(`${COLUMNS(missingOf)} FROM range(9000) t(i)`, ZSTD),
      await files.written(`${COLUMNS(missingOf)} FROM range(9000, 9700) t(i)`, 'COMPRESSION uncompressed'),
      await files.written(`${COLUMNS(missingOf)} FROM range(9700, 40000) t(i)`, 'COMPRESSION zstd'),
      await files.written(`${COLUMNS(missingOf)} FROM range(40000, 40000) t(i)`, 'COMPRESSION zstd'),
    ];
    for (const [name, kind, sql, literals] of CASES) {
      const expected = await byDuckDb(paths, sql);
      expect(await valuesOf(paths, name, kind, literals), name).toEqual(expected);
      expect(await valuesOf(paths, name, kind, literals, 777), name).toEqual(expected);
    }
  });

  test('are not missing because those of a longer block before were', async () => {
    const counted = (rows: string, from: number, to: number) =>
      files.written(`SELECT ${rows} AS n FROM range(${from}, ${to}) t(i)`, 'COMPRESSION zstd');
    const number = 'CAST(i AS DOUBLE)';
    const paths = [
      await counted(`CASE WHEN i < 5 THEN ${number} END`, 0, 40),
      await counted(number, 40, 45),
      await counted(number, 45, 85),
    ];
    const expected = Array.from({ length: 85 }, (_, at) => (at >= 5 && at < 40 ? null : at));
    expect(await valuesOf(paths, 'n', 'double')).toEqual(expected);
  });

  test('are read from joined parts with columns of codes', async () => {
    const parts = [
      await files.written(`${COLUMNS(9)} FROM range(3000) t(i)`, 'COMPRESSION zstd'),
      await files.written(`${COLUMNS(0)} FROM range(3000, 5000) t(i)`, 'COMPRESSION zstd'),
    ];
    const target = files.next();
    await joinParquet(
      target,
      parts.map((part) => [part]),
    );
    for (const [name, kind, sql, literals] of CASES) {
      expect(await valuesOf([target], name, kind, literals), name).toEqual(await byDuckDb(parts, sql));
    }
  });

  test('are read from any combination of runs', async () => {
    const run = fc.tuple(
      fc.option(fc.integer({ min: 0, max: 40 }), { nil: null, freq: 4 }),
      fc.integer({ min: 1, max: 60 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 100 }),
        async (runs, block) => {
          const rows = runs.flatMap(([value, times]) => Array<number | null>(times).fill(value));
          const listed = rows.map((value) => value ?? 'NULL').join(', ');
          const path = await files.written(`SELECT unnest([${listed}]::DOUBLE[]) AS n`, 'COMPRESSION zstd');
          expect(await valuesOf([path], 'n', 'double', [], block)).toEqual(rows);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('Parquet in another form is left to DuckDB', () => {
  const unfamiliar = async (
    options: string,
    name: string,
    kind: ValueKind,
    select = `${COLUMNS(0)} FROM range(3000) t(i)`,
  ) => {
    const path = await files.written(select, options);
    await expect(valuesOf([path], name, kind)).rejects.toThrow(UnfamiliarParquet);
  };

  test.each([
    ['compressed differently', 'COMPRESSION snappy', 'numbers', 'double'],
    ['encoded differently', 'COMPRESSION zstd, PARQUET_VERSION v2', 'integers', 'integer'],
    ['of another type', 'COMPRESSION zstd', 'integers', 'double'],
    ['missing', 'COMPRESSION zstd', 'absent', 'double'],
  ] as const)('a column that is %s', (_, options, name, kind) => unfamiliar(options, name, kind));

  test('a column within another one', () =>
    unfamiliar('COMPRESSION zstd', 'n', 'double', "SELECT {'n': CAST(i AS DOUBLE)} AS s FROM range(10) t(i)"));
});

describe('a damaged file is rejected', () => {
  test('if a page contradicts its header', async () => {
    const path = await files.written('SELECT CAST(i % 5000 AS DOUBLE) AS n FROM range(20000) t(i)', 'COMPRESSION zstd');
    const bytes = await readFile(path);
    const frame = bytes.indexOf(Buffer.of(0x28, 0xb5, 0x2f, 0xfd));
    for (const at of [HEAD.length, frame, frame + 8]) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0xa5, at, at + 20);
      const target = files.next();
      await writeFile(target, damaged);
      await expect(valuesOf([target], 'n', 'double'), `damaged at ${at}`).rejects.toThrow();
    }
  });

  test('if runs end before their values', () => {
    expect(() => new HybridRuns(Uint8Array.of(3), 0, 1, 3).read(new Int32Array(8), 0, 8)).toThrow(/cut off/);
    expect(() => new HybridRuns(Uint8Array.of(), 0, 0, 1).read(new Uint8Array(1), 0, 1)).toThrow(/cut off/);
  });
});
