import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listNearLimits } from './near-limits.ts';

let database: TestDatabase;
let tenant: TestTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
  await database.query(`update borrowing_bases set status = 'Active'`);
});
afterAll(() => database.close());

/** A limit of 150, which is 15% of an eligible pool of 1,000, with what it measures. */
const cap = (rule: number, measure: string, more: object = {}) => ({
  rule,
  title: `Limit ${rule}`,
  operand: 'lte',
  money: true,
  accumulatorField: null,
  limit: '150',
  measure,
  breached: false,
  removes: true,
  groupCount: 1,
  groups: [],
  ...more,
});

test('a limit is near with less than two points left, not with two, beyond it, or in another unit', async () => {
  const [base] = await database.query<{ id: string; limits: { unit: string; measured: string }[] }>(
    `update borrowing_bases set result = $1 where id = (select min(id) from borrowing_bases where manager_id = $2)
     returning id, limits`,
    [
      JSON.stringify({
        totals: { pools: { eligibleOrPerforming: { amount: { sum: '1000', currency: 'USD' } } } },
        excessBreachDistribution: [
          cap(0, '130'),
          cap(1, '130.1'),
          cap(2, '149.9'),
          cap(3, '160', { breached: true }),
          cap(4, '145', { money: false }),
        ],
      }),
      tenant.managerId,
    ],
  );
  const units = base!.limits.map(({ unit }) => unit);
  const read = (managerId: string, limit = 50) =>
    database.store.read(testActor({ type: 'manager', managerId }), (session) => listNearLimits(session, { limit }));
  const found = await read(tenant.managerId);
  const titles = found.limits.filter(({ baseId }) => baseId === base!.id).map(({ title }) => title);
  expect([units, titles]).toEqual([
    ['percent', 'percent', 'percent', 'percent', 'number'],
    ['Limit 2', 'Limit 1'],
  ]);
  expect((await read(tenant.managerId, 1)).limits).toHaveLength(1);
  expect((await read(tenant.managerId, 1)).bases).toBe(found.bases);
  expect(await read('f'.repeat(24))).toEqual({ limits: [], bases: 0 });
});
