import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { TARGET_FIELDS } from '@tapeline/domain/tapes/target-schema.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetExport } from '../asset-export.ts';
import { assetListCatalog, type TapeSource } from '../asset-relation.ts';
import { type Lake, openLake, quoteName, quoteText } from '../lake.ts';
import type { ExportFormat } from './export-table.ts';
import { type Exporter, OWNER_EXPORTS, openExporter } from './exporter.ts';

const TAPES = 8;
const TAPE_ROWS = 60_000;

/** DuckDB cannot sort even one such list in this memory, let alone its wide rows. */
const MEMORY = '200MB';

let folder: string;
let spillFolder: string;
let lake: Lake;
let exporter: Exporter;
let tapes: TapeSource[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'long-lists-'));
  spillFolder = await mkdtemp(join(tmpdir(), 'long-lists-spill-'));
  lake = await openLake({ threads: 2 });
  exporter = openExporter({ memoryLimit: MEMORY, spillFolder });
  const columns = TARGET_FIELDS.flatMap((field) => field.columns);
  const held = [
    ...columns.filter(({ type }) => type === 'VARCHAR').slice(0, 12),
    ...columns.filter(({ type }) => type.startsWith('DECIMAL')).slice(0, 8),
  ];
  const cell = ({ name, type }: (typeof held)[number], index: number): string => {
    const any = `hash(i + ${index}) % 100000`;
    const sql = type === 'VARCHAR' ? `concat('a text of some length ', ${any})` : `CAST(${any} AS ${type})`;
    return `${sql} AS ${quoteName(name)}`;
  };
  const result = ({ path, type }: (typeof ASSET_RESULT_FIELDS)[number]): string =>
    `${type === 'decimal' ? 'CAST(i AS DECIMAL(38,12))' : `'eligible'`} AS ${quoteName(path)}`;
  const [assets, results] = [join(folder, 'assets.parquet'), join(folder, 'results.parquet')];
  await lake.connected(async (connection) => {
    const rows = `FROM range(${TAPE_ROWS}) t(i)`;
    await connection.run(
      `COPY (SELECT CAST(i + 2 AS INTEGER) AS "row", CAST(i AS INTEGER) AS "sequenceIndex", ${held.map(cell).join(', ')} ${rows}) TO ${quoteText(assets)} (FORMAT parquet)`,
    );
    await connection.run(
      `COPY (SELECT CAST(i AS INTEGER) AS "sequenceIndex", ${ASSET_RESULT_FIELDS.map(result).join(', ')} ${rows}) TO ${quoteText(results)} (FORMAT parquet)`,
    );
  });
  tapes = Array.from({ length: TAPES }, (_, index) => ({
    tapeId: String(index).padEnd(24, '0'),
    companyId: 'company',
    cutOffDate: `2026-0${index + 1}-28`,
    managerId: 'b'.repeat(24),
    assetPrefix: String(index).padEnd(16, '0'),
    mappingVersion: 1,
    paths: [assets],
    columns: held.map(({ name }) => name),
    customFields: [],
    borrowingBase: { id: 'base', currency: 'USD', paths: [results] },
  }));
});
afterAll(async () => {
  await exporter.close();
  lake.close();
  await rm(folder, { recursive: true, force: true });
  await rm(spillFolder, { recursive: true, force: true });
});

const tableOf = (query: object) => {
  const { filter, sort } = parseListQuery(query, assetListCatalog(tapes));
  return assetExport(lake, tapes, { filter, sort });
};

async function exported(query: object, format: ExportFormat, owner: string): Promise<string> {
  const path = join(folder, `${owner}.${format}`);
  const file = await open(path, 'w');
  for await (const piece of exporter.make(await tableOf(query), format, { sheetName: 'Assets', owner })) {
    await file.writeFile(piece);
  }
  await file.close();
  return path;
}

/**
 * How many rows the file has, and how many are out of order according to the expression over a row and the one before
 * it.
 */
async function orderOf(path: string, isAfter: string): Promise<[rows: number, outOfOrder: number]> {
  const [row] = await lake.connected(async (connection) =>
    (
      await connection.runAndReadAll(
        `SELECT count(*), count(*) FILTER (NOT coalesce(${isAfter}, true)) FROM
           (SELECT *, lag(key) OVER (ORDER BY n) AS before, lag(id) OVER (ORDER BY n) AS idBefore FROM
             (SELECT id, borrowerId AS key, file_row_number AS n FROM read_parquet(${quoteText(path)}, file_row_number = true)))`,
      )
    ).getRows(),
  );
  return [Number(row?.[0]), Number(row?.[1])];
}

describe('a list that exceeds the memory of exports', () => {
  it('is exported as Parquet when a filter excludes some of its tapes', async () => {
    const path = await exported({ filter: { cutOffDate: { lte: '2026-07-30' } } }, 'parquet', 'filtered');
    expect(await orderOf(path, 'id > idBefore')).toEqual([7 * TAPE_ROWS, 0]);
  });

  it('is sorted on disk, and its files are removed', async () => {
    const path = await exported({ sort: { borrowerId: -1 } }, 'parquet', 'sorted');
    const isAfter = 'key < before OR (key = before AND id > idBefore)';
    expect(await orderOf(path, isAfter)).toEqual([TAPES * TAPE_ROWS, 0]);
    await exporter.close();
    expect(await readdir(spillFolder)).toEqual([]);
  });

  it('is exported in full while many other clients have stopped reading theirs', async () => {
    const table = await tableOf({});
    const unread = Array.from({ length: 12 }, (_, index) =>
      exporter.make(table, 'csv', { sheetName: 'Assets', owner: `unread ${index}` }),
    );
    await Promise.all(unread.map((pieces) => pieces.next()));
    const path = await exported({}, 'parquet', 'reader');
    expect(await orderOf(path, 'id > idBefore')).toEqual([TAPES * TAPE_ROWS, 0]);
    await Promise.all(unread.map((pieces) => pieces.return()));
  });
});

it('is refused to an owner at the limit of exports in progress, and to no other owner', async () => {
  const table = await tableOf({ filter: { cutOffDate: '2026-01-28' } });
  const begin = async (owner: string) => {
    const pieces = exporter.make(table, 'csv', { sheetName: 'Assets', owner });
    await pieces.next();
    return pieces;
  };
  const begun = await Promise.all(Array.from({ length: OWNER_EXPORTS }, () => begin('greedy')));
  await expect(begin('greedy')).rejects.toMatchObject({
    code: 'tooMany',
    message: expect.stringContaining('You have 3 exports in progress'),
  });
  begun.push(await begin('modest'));
  await begun[0]!.return();
  begun.push(await begin('greedy'));
  await Promise.all(begun.map((pieces) => pieces.return()));
});
