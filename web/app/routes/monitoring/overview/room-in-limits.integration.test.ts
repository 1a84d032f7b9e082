import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { concentrationLimits } from '@tapeline/domain/borrowing-base/concentration-limits.ts';
import type { BorrowingBaseResult, ConcentrationResult } from '@tapeline/domain/borrowing-base/result.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const group = (measure: string | null, part: 'measured' | 'skipped' = 'measured') => ({ key: 'a', part, measure });
const rule = (fields: object) => ({
  rule: 0,
  title: 'A limit',
  operand: 'lte',
  money: true,
  accumulatorField: null,
  limit: '120',
  measure: null,
  breached: false,
  removes: true,
  groupCount: 2,
  groups: [group('90'), group('60')],
  ...fields,
});

/** Rules as results have them: with the share of the limit that is left, worked out by hand. */
const RULES: [name: string, rule: object, room: number | null][] = [
  ['the largest group under a cap', rule({}), 0.25],
  ['a cap in breach', rule({ groups: [group('150')], groupCount: 1, breached: true }), -0.25],
  ['a cap that is just reached', rule({ groups: [group('120')], groupCount: 1 }), 0],
  ['groups measured together', rule({ measure: '30' }), 0.75],
  ['groups that are skipped', rule({ groups: [group('500', 'skipped'), group('60')] }), 0.5],
  ['money of another field', rule({ accumulatorField: 'targetData.sums.income' }), 0.25],
  ['a plain number', rule({ money: false, limit: '60', measure: '45' }), 0.25],
  ['a floor', rule({ operand: 'gte', money: false, limit: '640', measure: '704' }), 0.1],
  ['a floor in breach', rule({ operand: 'gt', money: false, limit: '640', measure: '576', breached: true }), -0.1],
  ['a floor with groups that are not all listed', rule({ operand: 'gte', groupCount: 300 }), null],
  ['a floor with every group listed', rule({ operand: 'gte', limit: '50' }), 0.2],
  ['a limit without a direction', rule({ operand: 'eq' }), null],
  ['a limit of zero, of which no share can be left', rule({ limit: '0', breached: true }), null],
  ['nothing measured', rule({ groups: [], groupCount: 0 }), null],
];

const resultOf = (one: object) =>
  ({
    totals: { pools: { eligibleOrPerforming: { amount: { sum: '1000', currency: 'USD' } } } },
    excessBreachDistribution: [one],
  }) as unknown as BorrowingBaseResult;

interface Stored {
  title: string;
  unit: string;
  measured: string | null;
  limit: string | null;
  room: string | null;
  breached: boolean;
}

test.each(RULES)('the database and the certificate agree on %s', async (_, one, room) => {
  const result = resultOf(one);
  const [row] = await database.query<{ limits: Stored[] }>('select limits_of($1) as limits', [JSON.stringify(result)]);
  const [stored] = row!.limits;
  const [shown] = concentrationLimits(result);
  const number = (value: string | null) => (value === null ? null : Number(value));
  const isZero = (one as ConcentrationResult).limit === '0';
  expect([stored!.title, stored!.unit, stored!.breached]).toEqual([shown!.title, shown!.unit, shown!.breached]);
  expect(number(stored!.measured)).toBe(number(shown!.measured));
  expect(number(stored!.limit)).toBe(isZero ? null : number(shown!.limit));
  expect(number(stored!.room)).toBe(room);
  if (room !== null) expect(Math.sign(Number(shown!.room))).toBe(Math.sign(room));
});

test('a result without limits, or of an empty pool, has no room', async () => {
  const [row] = await database.query<{ none: Stored[]; empty: Stored[] }>(
    `select limits_of('{}') as none, limits_of($1) as empty`,
    [
      JSON.stringify({
        totals: { pools: { eligibleOrPerforming: { amount: { sum: '0', currency: 'USD' } } } },
        excessBreachDistribution: [rule({})],
      }),
    ],
  );
  expect(row!.none).toEqual([]);
  expect(row!.empty).toMatchObject([{ measured: null, limit: null }]);
});
