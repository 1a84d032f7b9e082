import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import {
  implausibleFilter,
  implausibleSql,
  isImplausible,
  PLAUSIBLE_RANGES,
  type PlausibleRange,
} from '@tapeline/domain/tapes/plausible-ranges.ts';
import { assetCatalog, findTargetField, TARGET_FIELDS, withUnread } from '@tapeline/domain/tapes/target-schema.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lake, openLake, quoteText, readParquet } from './lake.ts';
import { tapeWarnings } from './tape-warnings.ts';

const TYPES = new Map(TARGET_FIELDS.flatMap(({ columns }) => columns.map(({ name, type }) => [name, type])));

const fieldsAt = (...paths: string[]) => paths.map((path) => findTargetField(path)!);

let lake: Lake;
let folder: string;
beforeAll(async () => {
  lake = await openLake({ threads: 1 });
  folder = await mkdtemp(join(tmpdir(), 'warnings-'));
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

/** Values at the bounds of a range, just outside them, and anywhere else. */
const valuesOf = ({ min, max, leastAboveZero }: PlausibleRange): fc.Arbitrary<string | null> =>
  typeof min === 'string'
    ? fc.option(fc.constantFrom('1949-12-31', '1950-01-01', '2024-06-30', '2100-12-31', '2101-01-01', '0001-01-01'))
    : fc.option(
        fc
          .oneof(
            fc.constantFrom(
              Number(min),
              Number(min) - 1,
              Number(max ?? 9),
              Number(max ?? 9) + 1,
              leastAboveZero ?? 0,
              0.01,
            ),
            fc.integer({ min: -10_000, max: 1_000_000 }).map((value) => value / 100),
          )
          .map(String),
      );

describe('values outside the plausible ranges', () => {
  test.each(PLAUSIBLE_RANGES.map((range) => [range.path, range] as const))(
    'are the same in SQL, in a filter and in plain code: %s',
    async (_, range) => {
      const type = TYPES.get(range.column)!;
      const catalog = assetCatalog();
      const filter = parseFilter(implausibleFilter(range), catalog);
      await fc.assert(
        fc.asyncProperty(fc.array(valuesOf(range), { minLength: 1, maxLength: 20 }), async (values) => {
          const rows = values.map((value) => `(CAST(${value === null ? 'NULL' : quoteText(value)} AS ${type}))`);
          const answers = await lake.connected(async (connection) => {
            const result = await connection.runAndReadAll(
              `SELECT coalesce(${implausibleSql(range, 'v')}, false) FROM (VALUES ${rows.join(', ')}) AS t(v)`,
            );
            return result.getRows().map(([answer]) => answer);
          });
          const plain = values.map((value) => isImplausible(range, value));
          expect(answers).toEqual(plain);
          const isDate = typeof range.min === 'string';
          const judged = values.map((value) =>
            evaluateFilter(filter, () =>
              value === null || isDate || type.startsWith('DECIMAL') ? value : Number(value),
            ),
          );
          expect(judged.map((answer) => answer === true)).toEqual(plain);
        }),
        { numRuns: 20 },
      );
    },
  );

  test.each([
    ['interestRate', ['0', '0.25', '100'], ['-1', '0.24', '100.00000001']],
    ['term', ['1', '18263'], ['0', '18264']],
    ['daysPastDue', ['0', '3650'], ['-1', '3651']],
    ['sums.sum', ['0', '100000000000'], ['-0.01', '100000000000.01']],
    ['dateFinanced', ['1950-01-01', '2100-12-31'], ['1949-12-31', '2101-01-01', '+010000-01-01']],
    ['creditScores.origination', ['250', '999'], ['0', '249', '1000']],
  ])('lie just outside the bounds of %s', (path, inside, outside) => {
    const range = PLAUSIBLE_RANGES.find((each) => each.path === path)!;
    expect(inside.filter((value) => isImplausible(range, value))).toEqual([]);
    expect(outside.filter((value) => !isImplausible(range, value))).toEqual([]);
  });

  test('are counted by field, and an asset with several of them counts once', async () => {
    const path = join(folder, 'assets.parquet');
    const counted = await lake.connected(async (connection) => {
      await connection.run(
        `COPY (SELECT * FROM (VALUES (1370.0, 700.0, NULL), (13.7, 0.0, NULL), (1100.0, 0.0, NULL), (NULL, NULL, NULL), (5, 700, '"x" is not a number'))
           AS t("interestRate", "creditScores.origination", "term.unread")
           , LATERAL (SELECT NULL::DOUBLE AS "term.days")) TO ${quoteText(path)} (FORMAT PARQUET)`,
      );
      const fields = [...fieldsAt('interestRate', 'creditScores.origination'), ...fieldsAt('term').map(withUnread)];
      return tapeWarnings(connection, readParquet([path]), fields);
    });
    expect(counted).toEqual({
      assets: 4,
      fields: [
        {
          path: 'interestRate',
          label: 'Interest rate',
          assets: 2,
          reason: 'is outside the plausible range (0.25% to 100%, or 0)',
        },
        {
          path: 'creditScores.origination',
          label: 'Origination credit score',
          assets: 2,
          reason: 'is outside the plausible range (250 to 999)',
        },
        {
          path: 'term',
          label: 'Term',
          assets: 1,
          reason: 'is empty because the cell could not be read',
          isUnread: true,
        },
      ],
    });
  });

  test('are none for fields that the tape does not have', async () => {
    const none = await lake.connected((connection) => tapeWarnings(connection, 'nowhere', fieldsAt('assetId')));
    expect(none).toEqual({ assets: 0, fields: [] });
  });
});
