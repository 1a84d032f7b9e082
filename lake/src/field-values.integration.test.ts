import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TapeSource } from './asset-relation.ts';
import { fieldValues, MAX_VALUES } from './field-values.ts';
import { type Lake, openLake, quoteText } from './lake.ts';

let folder: string;
let lake: Lake;
let source: TapeSource;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'field-values-'));
  lake = await openLake({ threads: 1 });
  const path = join(folder, 'tape.parquet');
  // 100 states by number, the first ten on ten assets each; every 20th asset has neither state nor score.
  await lake.connected((connection) =>
    connection.run(
      `COPY (SELECT i::INTEGER AS "row", i::INTEGER AS "sequenceIndex", 'L' || i AS "assetId",
         CASE WHEN i % 20 <> 0 THEN 'State ' || (CASE WHEN i < 100 THEN i % 10 ELSE i END) END AS "address.state",
         CASE WHEN i % 20 <> 0 THEN 600 + i END::DOUBLE AS "creditScores.origination"
       FROM range(200) AS given (i)) TO ${quoteText(path)} (FORMAT parquet)`,
    ),
  );
  source = {
    tapeId: 'tape',
    companyId: 'company',
    cutOffDate: '2026-10-31',
    managerId: 'b'.repeat(24),
    assetPrefix: 'a'.repeat(16),
    mappingVersion: 1,
    paths: [path],
    columns: ['row', 'sequenceIndex', 'assetId', 'address.state', 'creditScores.origination'],
    customFields: [],
    borrowingBase: null,
  };
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

const values = (path: string, search?: string) => {
  const found = assetCatalog().resolve(path);
  if (!('field' in found)) throw new Error(`There is no field ${path}`);
  return fieldValues(lake, source, found.field, search);
};

test('A text field offers its most frequent values with their counts, and says how many there are', async () => {
  const found = await values('address.state');
  expect(found).toMatchObject({ known: 190, missing: 10, distinct: 105, range: null });
  expect(found?.values).toHaveLength(MAX_VALUES);
  expect(found?.values.slice(0, 2)).toEqual([
    { value: 'State 1', count: 10 },
    { value: 'State 2', count: 10 },
  ]);
});

test('A search finds values that are not offered at first, and treats wildcards and quotes as text', async () => {
  expect((await values('address.state', 'sTATE 19'))?.values.map(({ value }) => value)).toContain('State 199');
  expect((await values('address.state', '%'))?.values).toEqual([]);
  expect((await values('address.state', `'`))?.distinct).toBe(0);
});

test('A number has a range with quartiles', async () => {
  const found = await values('creditScores.origination');
  expect(found).toMatchObject({ known: 190, missing: 10, values: [], range: { min: '601', max: '799' } });
  expect(Number(found?.range?.lower)).toBeLessThan(Number(found?.range?.median));
});

test('A field that the tape does not have has no values', async () => {
  expect(await values('address.city')).toBeNull();
});
