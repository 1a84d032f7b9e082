import { describeAction } from '@tapeline/domain/history/action-sentence.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { type Action, actionsOf, listActions } from './actions.ts';
import { listChangesOfAction, listHistory } from './history.ts';

let database: TestDatabase;
let tenant: TestTenant;
let mara: UserActor;
let pia: UserActor;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
  });
  const { managerId } = tenant;
  mara = testActor({ type: 'manager', managerId, firstName: 'Mara', lastName: 'Holt' });
  pia = testActor({ type: 'manager', managerId, firstName: 'Pia', lastName: 'Stern' });
});
afterAll(() => database.close());

const actionsSeen = (actor: UserActor, query: unknown = {}) =>
  database.store.read(actor, (session) => listActions(session, query));

const sentenceOf = ({ counts }: Action) => describeAction(counts.map((count) => ({ ...count, title: null })));

/** Changes the titles of these investors in one transaction, at a moment. */
const rename = (actor: UserActor, lpIds: readonly string[], now: Date) =>
  database.store.as(
    actor,
    async ({ query }) => {
      for (const id of lpIds) await query(`update lps set title = $2 where id = $1`, [id, `Investor ${newId()}`]);
    },
    { now },
  );

test('what one person changed in one transaction is one action, the latest first', async () => {
  const at = new Date('2031-01-01T10:00:00.000Z');
  await rename(mara, tenant.lpIds, at);
  // The same moment, but another person; and the same person at the same moment in another request.
  await rename(pia, tenant.lpIds.slice(0, 1), at);
  await rename(mara, tenant.lpIds.slice(0, 1), at);
  await rename(mara, tenant.lpIds.slice(0, 1), new Date('2031-01-01T10:00:00.001Z'));
  const { actions } = await actionsSeen(mara, { limit: 4 });
  expect(
    actions.map(({ at: moment, changedBy, total }) => [moment.getMilliseconds(), changedBy.entity, total]),
  ).toEqual([
    [1, { id: mara.userId, firstName: 'Mara', lastName: 'Holt' }, 1],
    [0, { id: mara.userId, firstName: 'Mara', lastName: 'Holt' }, 1],
    [0, { id: pia.userId, firstName: 'Pia', lastName: 'Stern' }, 1],
    [0, { id: mara.userId, firstName: 'Mara', lastName: 'Holt' }, tenant.lpIds.length],
  ]);
  expect(tenant.lpIds.length).toBeGreaterThan(1);
});

test('changes from before an upgrade, which name no transaction, belong together by author and moment', async () => {
  const at = new Date('2031-01-02T10:00:00.000Z');
  await rename(mara, tenant.lpIds, at);
  await database.query('alter table history disable trigger all');
  await database.query('update history set action_id = null where changed_at = $1', [at]);
  const { actions } = await actionsSeen(mara, { limit: 1 });
  expect(actions[0]?.total).toBe(tenant.lpIds.length);
});

test('an action has the changes that match the query, and its whole is found by one of them', async () => {
  const [id] = tenant.lpIds;
  const { actions, total, changes } = await database.store.read(mara, (session) =>
    actionsOf(session, [{ resource: 'LPs', ids: [id!] }]),
  );
  expect(changes).toBeGreaterThanOrEqual(total);
  expect([...new Set(actions.flatMap((action) => action.changes.map(({ documentId }) => documentId)))]).toEqual([id]);
  const several = (await actionsSeen(mara, { filter: { resource: 'LPs' }, limit: 1 })).actions[0]!;
  const whole = await database.store.read(mara, (session) =>
    listChangesOfAction(session, several.id, { skip: 0, limit: 1 }),
  );
  expect(whole.total).toBe(tenant.lpIds.length);
  const other = testActor({ type: 'manager', managerId: newId() });
  const hidden = await database.store.read(other, (session) =>
    listChangesOfAction(session, several.id, { skip: 0, limit: 1 }),
  );
  expect(hidden.total).toBe(0);
});

test('every change is in one action, on one page', async () => {
  const { total: changes } = await database.store.read(mara, (session) => listHistory(session, { limit: 1 }));
  let counted = 0;
  const { total } = await actionsSeen(mara, { limit: 1 });
  for (let skip = 0; skip < total; skip += 3) {
    const page = await actionsSeen(mara, { skip, limit: 3 });
    for (const action of page.actions) counted += action.total;
    expect([page.total, page.changes]).toEqual([total, changes]);
  }
  expect(counted).toBe(changes);
});

describe('the lines of one capital call', () => {
  const issue = (lines: readonly string[], at: string) =>
    database.store.as(
      mara,
      async ({ query }) => {
        await query(`update contributions set status = 'Closed' where id = any ($1)`, [lines]);
      },
      { now: new Date(at) },
    );

  test('are named by the call if they are all of one, and counted if not', async () => {
    const calls = await database.query<{ ids: string[]; number: string }>(
      `select array_agg(id)::text[] as ids, min(call_number) as number from contributions
       where manager_id = $1 and status = 'Active' group by activity_id order by count(*) desc`,
      [tenant.managerId],
    );
    const [first] = calls;
    expect(first?.ids.length).toBeGreaterThan(0);
    await issue(first!.ids, '2031-02-01T10:00:00.000Z');
    const [action] = (await actionsSeen(mara, { limit: 1 })).actions;
    const [count] = action!.counts;
    expect(count).toMatchObject({ resource: 'contributions', status: 'Closed', documents: first!.ids.length });
    expect(count!.header).toMatch(new RegExp(`^capital call ${first!.number} of `));
    if (first!.ids.length > 1) expect(sentenceOf(action!)).toMatch(/^Closed capital call .*: \d+ notices$/);
  });
});

test('10,000 changes of one action are one row, read without them', async () => {
  await database.query(
    `insert into history (id, resource, document_id, operation, updated_fields, changed_by, changed_at, manager_id, action_id)
     select lpad(to_hex(4000000000), 8, '0') || lpad(to_hex(n), 16, '0'), 'LPs', lpad(to_hex(n), 24, '0'), 'Insert',
       '[{"field": "title", "old": null, "new": "An investor"}]', $2::jsonb, '2032-01-01T10:00:00Z', $1, 'bulk'
     from generate_series(1, 10000) as n`,
    [
      tenant.managerId,
      JSON.stringify({
        agent: null,
        ip: null,
        locale: null,
        timestamp: '2032-01-01T10:00:00.000Z',
        entity: { apiName: 'Importer' },
      }),
    ],
  );
  const { actions } = await actionsSeen(mara, { limit: 1 });
  expect(actions[0]).toMatchObject({ total: 10_000, changes: { length: 6 } });
  expect(sentenceOf(actions[0]!)).toBe('Created 10,000 investors');
});
