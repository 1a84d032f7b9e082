import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listReceivables } from './receivables.ts';

let database: TestDatabase;
let tenant: TestTenant;
let other: TestTenant;
/** The contributions of the two investors. */
let ids: string[];
let dueDate: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    other = await makeTenant(session);
  });
  const rows = await database.query<{ id: string; due: string }>(
    `select id, due_date::text as due from contributions where manager_id = $1 and investor_lp_id is not null
     order by code, id`,
    [tenant.managerId],
  );
  ids = rows.map(({ id }) => id);
  dueDate = rows[0]!.due;
  await database.query(`update contributions set status = 'Active' where manager_id = $1`, [tenant.managerId]);
});
afterAll(() => database.close());

const manager = (fields: Partial<UserActor> = {}) =>
  testActor({ type: 'manager', managerId: tenant.managerId, ...fields });
const dayFrom = (days: number) => new Date(Date.parse(`${dueDate}T12:00:00Z`) + days * 86_400_000);
const listed = (
  days: number,
  due: Parameters<typeof listReceivables>[1]['due'],
  actor: UserActor = manager(),
  page = { skip: 0, limit: 50 },
) => database.store.as(actor, (session) => listReceivables(session, { due, ...page }), { now: dayFrom(days) });

test('a call is not due before its day, due on it, and its date has passed after it', async () => {
  expect(ids.length).toBeGreaterThan(1);
  for (const [days, due] of [
    [-1, 'upcoming'],
    [0, 'today'],
    [1, 'passed'],
  ] as const) {
    const { rows, totals, today } = await listed(days, due);
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect([...new Set(totals.map((total) => total.due))]).toEqual([due]);
    expect(today).toBe(dayFrom(days).toISOString().slice(0, 10));
    for (const elsewhere of (['upcoming', 'today', 'passed'] as const).filter((state) => state !== due)) {
      expect((await listed(days, elsewhere)).rows).toEqual([]);
    }
  }
});

test('the totals are those of all rows, by currency, and a page has its part of the rows', async () => {
  const { rows, totals } = await listed(1, 'passed');
  const [total] = totals;
  expect(totals).toHaveLength(1);
  expect(total).toMatchObject({ count: rows.length, currency: rows[0]!.currency });
  expect(Number(total!.amount)).toBe(rows.reduce((sum, { amount }) => sum + Number(amount), 0));
  const second = await listed(1, 'passed', manager(), { skip: 1, limit: 1 });
  expect(second.rows).toEqual([rows[1]]);
  expect(second.totals).toEqual(totals);
});

test('drafts and closed calls are left out', async () => {
  const [first] = ids;
  for (const status of ['Draft', 'Closed']) {
    await database.query('update contributions set status = $2 where id = $1', [first, status]);
    expect((await listed(1, 'passed')).rows.map(({ id }) => id)).not.toContain(first);
  }
  await database.query(`update contributions set status = 'Active' where id = $1`, [first]);
  expect((await listed(1, 'passed')).rows.map(({ id }) => id)).toContain(first);
});

test('only what the user can see is listed and added up', async () => {
  const { rows, totals } = await listed(1, 'passed');
  const hidden = rows[0]!;
  const without = await listed(1, 'passed', manager({ blockedDocuments: [`contributions/${hidden.id}`] }));
  expect(without.rows).toEqual(rows.slice(1));
  expect(without.totals[0]?.count).toBe(totals[0]!.count - 1);
  expect(await listed(1, 'passed', testActor({ type: 'manager', managerId: other.managerId }))).not.toMatchObject({
    rows: expect.arrayContaining([expect.objectContaining({ id: hidden.id })]),
  });
});
