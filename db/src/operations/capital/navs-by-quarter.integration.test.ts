import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { navsByQuarter } from './navs-by-quarter.ts';

let database: TestDatabase;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    other = await makeTenant(session);
  });
  await database.query('delete from navs where manager_id = $1', [tenant.managerId]);
  const [first, second] = await database.query<{ id: string }>(
    `select c.id from lp_commitments c join lps l on l.id = c.investor_lp_id where c.fund_id = $1 order by l.title`,
    [tenant.fundId],
  );
  for (const [commitment, day, status, net] of [
    [first, '2025-12-31', 'Active', '10'],
    [first, '2026-04-01', 'Closed', '11.5'],
    [first, '2026-06-30', 'Active', '12'],
    // The other one has none in the first quarter that has any.
    [second, '2026-06-30', 'Draft', '-3'],
    [second, '2026-09-30', 'Removed', '4'],
  ] as const) {
    await database.query(
      `insert into navs (id, manager_id, fund_id, investor_kind, investor_lp_id, currency, commitment_id, class, status, cut_off_date, gross, net)
       select $1, manager_id, fund_id, investor_kind, investor_lp_id, currency, id, class, $3, $4::date, $5::numeric, $5::numeric
       from lp_commitments where id = $2`,
      [newId(), commitment?.id, status, day, net],
    );
  }
});
afterAll(() => database.close());

const manager = () => testActor({ type: 'manager', managerId: tenant.managerId });
const WHOLE = { skip: 0, limit: 10, skipQuarters: 0, limitQuarters: 5 };
const found = async (actor = manager(), page: Partial<typeof WHOLE> = {}) => {
  const { quarters, rows, total, totalQuarters } = await database.store.as(actor, (session) =>
    navsByQuarter(session, { fund: tenant.fundId }, { ...WHOLE, ...page }),
  );
  return {
    totals: [total, totalQuarters],
    quarters,
    rows: rows.map(({ investor, quarters: cells }) => [
      investor,
      ...cells.map((navs) => navs.map(({ cutOffDate, status, net }) => `${cutOffDate} ${status} ${Number(net)}`)),
    ]),
  };
};

test('the NAVs of a fund are listed by investor and quarter, the latest quarter first', async () => {
  expect(await found()).toEqual({
    totals: [2, 2],
    quarters: ['2026-06-30', '2025-12-31'],
    rows: [
      // Both of the quarter, the latest day first.
      ['Investor one', ['2026-06-30 Active 12', '2026-04-01 Closed 11.5'], ['2025-12-31 Active 10']],
      ['Investor two', ['2026-06-30 Draft -3'], []],
    ],
  });
});

test('pages go down the investors and back over the quarters, with the totals of all', async () => {
  expect(await found(manager(), { skip: 1, skipQuarters: 1 })).toEqual({
    totals: [2, 2],
    quarters: ['2025-12-31'],
    rows: [['Investor two', []]],
  });
  expect(await found(manager(), { limit: 1, limitQuarters: 1 })).toEqual({
    totals: [2, 2],
    quarters: ['2026-06-30'],
    rows: [['Investor one', ['2026-06-30 Active 12', '2026-04-01 Closed 11.5']]],
  });
  expect(await found(manager(), { skip: 9, skipQuarters: 9 })).toEqual({ totals: [2, 2], quarters: [], rows: [] });
});

test('an investor sees only its own issued NAVs, and another manager none', async () => {
  const { managerId, lpIds } = tenant;
  const [, two] = lpIds;
  expect(await found(testActor({ type: 'LP', managerId, lpIds: [lpIds[0]!] }))).toMatchObject({
    totals: [1, 2],
    rows: [['Investor one', ['2026-06-30 Active 12', '2026-04-01 Closed 11.5'], ['2025-12-31 Active 10']]],
  });
  // Its only one is a draft.
  expect(await found(testActor({ type: 'LP', managerId, lpIds: [two!] }))).toMatchObject({ totals: [0, 0], rows: [] });
  expect(await found(testActor({ type: 'manager', managerId: other.managerId }))).toMatchObject({ totals: [0, 0] });
});

test('the NAVs of an investor are listed by fund, with the currency of each', async () => {
  const [investor] = await database.query<{ id: string }>(
    `select l.id from lps l join lp_commitments c on c.investor_lp_id = l.id where c.fund_id = $1 order by l.title limit 1`,
    [tenant.fundId],
  );
  const read = (actor = manager()) =>
    database.store.as(actor, (session) => navsByQuarter(session, { investor: investor?.id ?? '' }, WHOLE));
  const { rows, quarters, total } = await read();
  expect({ quarters, total }).toEqual({ quarters: ['2026-06-30', '2025-12-31'], total: 1 });
  expect(rows).toMatchObject([
    {
      fundId: tenant.fundId,
      investor: 'Investor one',
      currency: 'USD',
      quarters: [[{ net: '12' }, {}], [{ net: '10' }]],
    },
  ]);
  expect(rows[0]?.fund).toEqual(expect.any(String));
  expect((await read(testActor({ type: 'manager', managerId: other.managerId }))).rows).toEqual([]);
});
