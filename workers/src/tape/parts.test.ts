import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { MISFIT_PROBLEM } from '@tapeline/domain/tapes/tape.schema.ts';
import { readParquet } from '@tapeline/lake/lake.ts';
import { writeBatchFile } from '@tapeline/sheets/batch-file.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMapping } from './compile/compile.ts';
import { rowsAtOnce } from './compile/row-bytes.ts';
import type { Cell } from './compile/testing/held.ts';
import { FACTS, mappingOf, number, withIds, words } from './compile/testing/mapped-rows.ts';
import { rawRows } from './compile/testing/raw-rows.ts';
import { MappingEngines } from './mapping-engines.ts';
import { transformPart } from './parts.ts';

let folder = '';
let engines: MappingEngines;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parts-'));
  engines = new MappingEngines(join(folder, 'engines'));
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
afterAll(async () => {
  engines.close();
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true });
});

/** Texts of 30,000 letters from cells of three letters, and an invalid number in every seventh row. */
const RULES: RuleInput[] = [
  ...Array.from(
    { length: 6 },
    (_, index): RuleInput => ({
      originCol: 'note',
      targetCol: `long${index}`,
      serializations: [
        { type: 'replaceStrings', value: ['x', 'y'.repeat(1000)] },
        { type: 'replaceStrings', value: ['y', 'z'.repeat(10)] },
        { type: 'replaceStrings', value: ['z', `${index}`] },
      ],
    }),
  ),
  { originCol: 'balance', targetCol: 'monthsOnBook', serializations: [{ type: 'number' }] },
];
const ROWS = Array.from(
  { length: 1_500 },
  (_, row): Record<string, Cell> => ({
    note: words(row % 3 ? 'xxx' : `x${row}`),
    balance: row % 7 ? number(row) : words('none'),
  }),
);

const mapping = mappingOf(RULES);
const headers = [...planMapping(mapping).headers];
const compiled = compileMapping(mapping, { headers, epoch: 1900 }, FACTS);

async function transformed(maxTextBytes?: number) {
  const staged = join(folder, 'rows.batch');
  const files = { assets: join(folder, 'assets'), errored: join(folder, 'errored') };
  await writeBatchFile(rawRows(headers, withIds(ROWS)), staged);
  const counts = await engines.use((engine) => transformPart(engine, compiled, staged, files, maxTextBytes));
  return { files, counts };
}

describe('rows that get very wide', () => {
  test('are mapped a few at a time, into one part in row order', async () => {
    expect(rowsAtOnce(compiled.rowBytes(() => 5))).toBeLessThan(ROWS.length);
    const { files, counts } = await transformed();
    const errored = ROWS.flatMap((_, row) => (row % 7 ? [] : [row + 2]));
    expect(counts).toEqual({ assets: ROWS.length - errored.length, errored: errored.length });
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
    const assets = await read(
      `SELECT "row", length("customFields.long5"), "customFields.long5"[1:1] FROM ${readParquet([files.assets])}`,
    );
    expect(assets.map(([row]) => row)).toEqual(ROWS.flatMap((_, row) => (row % 7 ? [row + 2] : [])));
    expect([
      ...new Set(assets.map(([row, length]) => (Number(row) - 2) % 3 === 0 || Number(length) === 30_000)),
    ]).toEqual([true]);
    expect(new Set(assets.map(([, , letter]) => letter))).toEqual(new Set(['5']));
    const found = await read(`SELECT "row", errors[1].reason FROM ${readParquet([files.errored])}`);
    expect(found).toEqual(errored.map((row) => [row, '"none" is not a number']));
    const groups = await read(`SELECT DISTINCT row_group_id FROM parquet_metadata('${files.assets}')`);
    expect(groups).toHaveLength(1);
  });

  test('are refused where all of them hold more text than a batch may', async () => {
    const failure = await transformed(100 * 2 ** 20).catch((error: unknown) => error);
    expect(isRefusal(failure) && failure.message).toMatch(
      /^The rules make more than 0\.1 GB of text of 1500 rows\. Shorten the texts that they put in\.$/,
    );
  });
});

describe('rows with more fields than the header', () => {
  test.each([
    ['some of them', [3, 4]],
    ['all of them', [2, 3, 4, 5]],
  ])('are errored for that alone, whatever their cells hold: %s', async (_, misfits) => {
    const rows: Record<string, Cell>[] = [1, 2, 3, 4].map((row) => ({
      note: words(`n${row}`),
      balance: row === 3 ? words('none') : number(row),
    }));
    const staged = join(folder, 'misfits.batch');
    const files = { assets: join(folder, 'fitting'), errored: join(folder, 'misfits') };
    const batch = { ...rawRows(headers, withIds(rows)), misfits: new Map(misfits.map((row) => [row, `67,${row}`])) };
    await writeBatchFile(batch, staged);
    const counts = await engines.use((engine) => transformPart(engine, compiled, staged, files));
    expect(counts).toEqual({ assets: 4 - misfits.length, errored: misfits.length });
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
    expect(await read(`SELECT "row" FROM ${readParquet([files.assets])}`)).toEqual(
      [2, 3, 4, 5].filter((row) => !misfits.includes(row)).map((row) => [row]),
    );
    const found = await read(
      `SELECT "row", len(errors), errors[1].rule, errors[1].value, errors[1].reason, origin LIKE '%n%' FROM ${readParquet([files.errored])}`,
    );
    expect(found).toEqual(misfits.map((row) => [row, 1n, 0, `67,${row}`, MISFIT_PROBLEM.reason, true]));
  });
});
