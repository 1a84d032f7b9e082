import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TapeSource } from './asset-relation.ts';
import { type Lake, openLake, quoteText } from './lake.ts';
import { statusMigration } from './status-migration.ts';

const COLUMNS = ['assetId', 'assetStatus', 'sums.outstandingSum', 'sums.outstandingSum.currency'];
let folder: string;
let lake: Lake;

/** A published part with a few assets: id, status, outstanding. */
async function source(
  name: string,
  rows: readonly (readonly [string | null, string | null, string | null])[],
): Promise<TapeSource> {
  const path = join(folder, `${name}.parquet`);
  const text = (value: string | null) => (value === null ? 'NULL' : quoteText(value));
  const values = rows.map(
    ([id, status, sum], index) => `(${index + 2}, ${index}, ${text(id)}, ${text(status)}, ${text(sum)}, 'USD')`,
  );
  await lake.connected((connection) =>
    connection.run(
      `COPY (SELECT "row"::INTEGER AS "row", seq::INTEGER AS "sequenceIndex", id::VARCHAR AS "assetId",
         status::VARCHAR AS "assetStatus", total::DECIMAL(18,4) AS "sums.outstandingSum",
         code::VARCHAR AS "sums.outstandingSum.currency"
       FROM (VALUES ${values.join(', ')}) AS t("row", seq, id, status, total, code)) TO ${quoteText(path)} (FORMAT parquet)`,
    ),
  );
  return {
    tapeId: name.padEnd(24, '0'),
    companyId: 'c'.repeat(24),
    cutOffDate: '2026-10-31',
    managerId: 'b'.repeat(24),
    assetPrefix: name.padEnd(16, '0'),
    mappingVersion: 1,
    paths: [path],
    columns: COLUMNS,
    customFields: [],
    borrowingBase: null,
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapeline-lake-'));
  lake = await openLake({ threads: 1 });
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the migration from one tape to the next', () => {
  it('counts every asset of the earlier tape that has an id once, with its exact opening balance, and leaves out new ones', async () => {
    const before = await source('before', [
      ['A', 'current', '100.10'],
      ['B', 'current', '200.20'],
      ['C', 'delinquent', '50.05'],
      ['D', null, null],
      ['F', 'current', '7.00'],
      [null, 'current', '999.99'],
    ]);
    const after = await source('after', [
      ['A', 'current', '90'],
      ['B', 'delinquent', '200.20'],
      ['B', 'default', '200.20'],
      ['D', 'current', '1'],
      ['E', 'current', '999'],
      ['F', 'current', '7.00'],
      ['F', null, '7.00'],
    ]);
    expect(await statusMigration(lake, { before, after })).toEqual([
      { from: 'current', to: 'current', currency: 'USD', count: 1, opening: '100.1' },
      { from: 'current', to: 'default', currency: 'USD', count: 1, opening: '200.2' },
      { from: 'current', to: 'unknown', currency: 'USD', count: 1, opening: '7' },
      { from: 'delinquent', to: 'vanished', currency: 'USD', count: 1, opening: '50.05' },
      { from: 'unknown', to: 'current', currency: null, count: 1, opening: null },
    ]);
  });

  it('is unknown if a tape has no ids', async () => {
    const one = await source('one', [['A', 'current', '1']]);
    expect(await statusMigration(lake, { before: { ...one, columns: ['assetStatus'] }, after: one })).toBeNull();
  });
});
