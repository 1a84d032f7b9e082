import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { prepareContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { ReferenceAsset } from '@tapeline/domain/borrowing-base/testing/reference.ts';
import {
  type TransactionContractInput,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTapeColumns } from './tape-columns.ts';
import { TapeParts } from './tape-parts.ts';
import { writeTape } from './testing/tape.ts';

const catalog = assetCatalog();
const TERMS = { cutOffDate: '2026-10-31', mainCurrency: 'USD', exchangeRates: {} };
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'answers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const COLUMNS = [
  'borrowerId',
  'address.state',
  'isDelinquent',
  'daysPastDue',
  'currentLtv',
  'dateFinanced',
  'sums.outstandingSum',
  'sums.outstandingSum.currency',
  'sums.sum',
  'sums.sum.currency',
  'monthsOnBook',
  'originalLtv',
  'dates.maturityDate',
];
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4, nil: null });
const states = ['CA', 'NY', 'TX', "O'X"];
const dates = ['2024-02-29', '2024-03-01', '1969-12-31', '2030-01-01', '2025-10-31', '2026-10-30', '2026-11-30'];
const ltvs = ['0', '79.99999999', '80', '80.00000001', '-3.5', '9999999999.99999998', '9999999999.99999999'];
const sums = ['100', '100.0001', '-0.01', '90071992547409.9300', '99999999999999.9999'];
const asset = fc.record({
  borrowerId: maybe(fc.constantFrom('b1', 'b2', 'ab1')),
  'address.state': maybe(fc.constantFrom(...states)),
  isDelinquent: maybe(fc.boolean()),
  daysPastDue: maybe(fc.constantFrom(0, 30, 30.5, -1, 1e17)),
  currentLtv: maybe(fc.constantFrom(...ltvs)),
  dateFinanced: maybe(fc.constantFrom(...dates)),
  'sums.outstandingSum': maybe(fc.constantFrom(...sums)),
  'sums.outstandingSum.currency': fc.constant('USD'),
  'sums.sum': maybe(fc.constantFrom(...sums)),
  'sums.sum.currency': maybe(fc.constantFrom('USD', 'EUR')),
  monthsOnBook: maybe(fc.constantFrom(0, 30, 30.5)),
  originalLtv: maybe(fc.constantFrom(...ltvs)),
  'dates.maturityDate': maybe(fc.constantFrom(...dates)),
});

const order = fc.constantFrom('eq', 'neq', 'lt', 'lte', 'gt', 'gte');
const list = fc.constantFrom('in', 'nin');
const on = (field: string, operator: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.tuple(operator, value).map(([name, literal]) => ({ [field]: { [name]: literal } }));
const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const condition = fc.oneof(
  on('address.state', fc.constantFrom('eq', 'neq'), fc.constantFrom(...states, 'ZZ')),
  on('address.state', list, some(...states, 'ZZ')),
  on('borrowerId', fc.constantFrom('like'), fc.constantFrom('b%', '%b1')),
  on('borrowerId', fc.constantFrom('regex'), fc.constantFrom('^b', '1$')),
  on('isDelinquent', fc.constantFrom('eq', 'neq'), fc.boolean()),
  on('daysPastDue', order, fc.constantFrom(0, 30, 30.25, -1, 1e17)),
  on('daysPastDue', list, some(0, 30, 31)),
  on('currentLtv', order, fc.constantFrom(80, 79.99999999, 80.000000005, -3.5)),
  on('currentLtv', list, some(0, 80, 80.000000005)),
  on('dateFinanced', order, fc.constantFrom(...dates)),
  on('dateFinanced', list, some(...dates)),
  on(
    'sums.outstandingSum',
    order,
    fc.constantFrom('100', '100.00005', '90071992547409.93', '99999999999999.9999', '0'),
  ),
  on('sums.outstandingSum', list, some('100', '100.00005', '99999999999999.9999')),
  on(
    'sums.outstandingSum',
    order,
    fc.constantFrom('sums.sum', 'sums.arrears').map(($field) => ({ $field })),
  ),
  on('daysPastDue', order, fc.constant({ $field: 'monthsOnBook' })),
  on('currentLtv', order, fc.constant({ $field: 'originalLtv' })),
  on(
    'dateFinanced',
    order,
    fc.constantFrom('-1d', '0d', '1m', '-1y').map(($cutOff) => ({ $cutOff })),
  ),
  on('dateFinanced', order, fc.constant({ $field: 'dates.maturityDate' })),
  on('product', fc.constantFrom('eq', 'neq'), fc.constant('Auto')),
  fc
    .tuple(fc.constantFrom(...COLUMNS.slice(0, 7), 'product'), fc.boolean())
    .map(([field, exists]) => ({ [field]: { exists } })),
);
const filter = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $not: tie('filter') }),
  ),
})).filter;

test('every filter is found true, false or unknown as it is evaluated one asset at a time', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  let file = 0;
  await fc.assert(
    fc.asyncProperty(
      fc
        .tuple(fc.array(asset, { minLength: 1, maxLength: 30 }), fc.constantFrom(null, 'USD', 'EUR'))
        // Currencies that all assets share need no look at each.
        .map(([assets, currency]) =>
          currency === null ? assets : assets.map((one) => ({ ...one, 'sums.sum.currency': currency })),
        ),
      fc.array(filter, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      async (assets: ReferenceAsset[], filters, codes) => {
        file += 1;
        const parquet = path.join(folder, `${file}.parquet`);
        await writeTape(assets, [parquet], { codes, columns: COLUMNS });
        const input = {
          cutOffDate: '2026-01-01',
          assetsETL: '64b000000000000000000001',
          scopes: filters.map((one, index) => ({ title: `Scope ${index}`, filter: one })),
          eligibilityRules: filters.map((one, index) => ({ title: `Rule ${index}`, filter: one })),
          advanceRate: { cases: [], defaultRate: 80 },
        } as unknown as TransactionContractInput;
        const prepared = prepareContract(transactionContractSchema.parse(input), catalog, TERMS.cutOffDate);
        const { layout, words } = await readTapeColumns(await TapeParts.open(connection, [parquet]), prepared, TERMS);
        for (const [index, one] of assets.entries()) {
          const expected = prepared.scopes.map((scope) => {
            const truth = evaluateFilter(scope.filter, (field) => one[field.path] ?? null);
            return { state: truth === null ? 2 : Number(truth), fails: Number(truth !== true) };
          });
          const bits = (at: { word: number; shift: number }, mask: number) =>
            (words[at.word]![index]! >>> at.shift) & mask;
          const found = prepared.scopes.map((_, at) => ({
            state: bits(layout.scopes[at]!, 3),
            fails: bits(layout.eligibility[at]!, 1),
          }));
          expect(found).toEqual(expected);
        }
        await rm(parquet);
      },
    ),
    { numRuns: Number(process.env.FC_RUNS ?? 60) },
  );
  connection.closeSync();
  instance.closeSync();
});
