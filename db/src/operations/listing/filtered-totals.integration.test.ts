import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { CALL_HEADERS } from '../capital/calls-and-distributions.ts';
import { COMMITTED_TODAY, FUNDS } from '../funds/funds.ts';
import { filteredTotals } from './list-figures.ts';

let database: TestDatabase;
let managerId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  managerId = await database.store.as(SYSTEM, async (session) => {
    await makeTenant(session);
    return (await makeTenant(session)).managerId;
  });
  await database.query(
    `insert into funds (id, manager_id, title, type, strategy, currency, target_size, hard_cap)
     select lpad(n::text, 24, '0'), $1, 'Extra ' || n, 'SMA', 'ABL', case when n = 1 then 'EUR' else 'USD' end,
       90071992547409.93 + n, 0.1 from generate_series(1, 3) as n`,
    [managerId],
  );
});
afterAll(() => database.close());

const totals = (filter: unknown) =>
  database.store.read(testActor({ type: 'manager', managerId }), (session) =>
    filteredTotals(session, FUNDS, { filter }, ['targetSize', 'hardCap', 'title']),
  );

test('the totals of a list are exact, by currency, and only of what the filter finds and the actor sees', async () => {
  expect(await totals(null)).toEqual([
    { path: 'targetSize', currency: 'EUR', sum: '90071992547410.93' },
    { path: 'targetSize', currency: 'USD', sum: '180143985094825.86' },
    { path: 'hardCap', currency: 'EUR', sum: '0.1' },
    { path: 'hardCap', currency: 'USD', sum: '1.2' },
  ]);
  expect(await totals({ title: 'Extra 2' })).toEqual([
    { path: 'targetSize', currency: 'USD', sum: '90071992547411.93' },
    { path: 'hardCap', currency: 'USD', sum: '0.1' },
  ]);
  expect(await totals({ title: 'No fund' })).toEqual([]);
});

test('what is committed to the funds found is added up, by the currency of the fund and without drafts', async () => {
  const [investor] = await database.query<{ id: string }>('select id from lps where manager_id = $1 limit 1', [
    managerId,
  ]);
  await database.query(
    `insert into lp_commitments (id, manager_id, fund_id, investor_kind, investor_lp_id, status, closing_date, currency, max_commitment, active_commitment)
     select lpad((90 + n)::text, 24, '0'), $1, lpad(n::text, 24, '0'), 'LP', $2, case when n = 3 then 'Draft' else 'Active' end,
       '2026-01-01', case when n = 1 then 'EUR' else 'USD' end, 1000.25 * n, 1000.25 * n from generate_series(1, 3) as n`,
    [managerId, investor?.id],
  );
  const committed = (filter: unknown) =>
    database.store.read(testActor({ type: 'manager', managerId }), (session) =>
      filteredTotals(session, FUNDS, { filter }, [COMMITTED_TODAY]),
    );
  expect(await committed({ title: { like: 'Extra%' } })).toEqual([
    { path: 'committed', currency: 'EUR', sum: '1000.25' },
    { path: 'committed', currency: 'USD', sum: '2000.50' },
  ]);
  expect(await committed({ title: 'Extra 3' })).toEqual([]);
});

test('lists of documents that are put together have totals too', async () => {
  const found = await database.store.read(testActor({ type: 'manager', managerId }), (session) =>
    filteredTotals(session, CALL_HEADERS, {}, ['amount']),
  );
  expect(found.map(({ path, currency }) => [path, currency])).toEqual([['amount', 'USD']]);
});
