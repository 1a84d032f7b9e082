import { COLLECTIONS } from '@tapeline/domain/collections/collections.ts';
import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Company, Manager } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addEntity } from '../../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { titlesOf } from './document-titles.ts';
import { getChange, groupHistory, historyOf, listHistory } from './history.ts';

const CHANGES = 200_000;
const AUTHOR = 'd'.repeat(24);

let database: TestDatabase;
let managerId: string;
let otherManagerId: string;
let companyId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  [managerId, otherManagerId] = [newId(), newId()];
  companyId = newId();
  await database.store.as(SYSTEM, async ({ em }) => {
    for (const id of [managerId, otherManagerId]) em.create(Manager, { id, entityId: addEntity(em, id, 'A manager') });
    em.create(Company, { id: companyId, managerId, entityId: addEntity(em, managerId, 'Northwind') });
  });
  // Nine in ten changes belong to the other manager, whose history must not slow this one's down.
  await database.query(
    `insert into history (id, resource, document_id, operation, updated_fields, changed_by, changed_at, manager_id)
     select lpad(to_hex(n), 24, '0'), case when n % 5 = 0 then 'funds' else 'companies' end, lpad(to_hex(n / 10), 24, 'e'),
       'Update', jsonb_build_array(jsonb_build_object('field', case when n % 2 = 0 then 'title' else 'domains' end,
         'old', n::text, 'new', (n + 1)::text)),
       jsonb_build_object('agent', null, 'ip', null, 'locale', null, 'timestamp', '2026-01-01T00:00:00.000Z',
         'entity', jsonb_build_object('id', case when n % 1000 = 0 then $4 else $5 end, 'firstName', 'Mara', 'lastName', 'Holt')),
       timestamptz '2026-01-01' + n * interval '1 minute', case when n % 10 = 0 then $2 else $3 end
     from generate_series(1, $1::int) as n`,
    [CHANGES, managerId, otherManagerId, AUTHOR, 'f'.repeat(24)],
  );
  await database.query('vacuum analyze history');
}, 120_000);
afterAll(() => database.close());

const manager = (fields: Partial<UserActor> = {}) => testActor({ type: 'manager', managerId, ...fields });
const list = (actor: UserActor, query: unknown = {}) =>
  database.store.read(actor, (session) => listHistory(session, query));

describe('the history is visible', () => {
  test('to holders of history/read, of their own tenant only', async () => {
    const { total, documents } = await list(manager(), { limit: 1000 });
    expect(total).toBe(CHANGES / 10 + 4);
    const others = await list(testActor({ type: 'manager', managerId: otherManagerId }));
    expect(others.total).toBe(CHANGES - CHANGES / 10 + 2);
    expect((await list(testActor({ type: 'admin' }))).total).toBe(CHANGES + 6);
    const [change] = documents;
    const read = (actor: UserActor) => database.store.read(actor, (session) => getChange(session, change!.id));
    expect((await read(manager())).id).toBe(change!.id);
    await expect(read(testActor({ type: 'manager', managerId: otherManagerId }))).rejects.toMatchObject({
      code: 'notFound',
    });
  });

  test('of the collections that the actor can read', async () => {
    const permissions = (...without: string[]) => PERMISSION_KEYS.filter((key) => !without.includes(key));
    const blind = manager({ permissions: permissions('history/read') });
    expect(await list(blind)).toEqual({ documents: [], total: 0 });
    const withoutFunds = await list(manager({ permissions: permissions('funds/read') }), { limit: 1000 });
    expect(new Set(withoutFunds.documents.map(({ resource }) => resource))).not.toContain('funds');
    expect(withoutFunds.total).toBeGreaterThan(0);
    const reads = Object.values(COLLECTIONS).map(({ read }) => read);
    expect(reads.length).toBeGreaterThan(20);
    expect(reads.filter((read) => !PERMISSION_KEYS.includes(read))).toEqual([]);
  });

  test('to no company and no investor, whatever their role says', async () => {
    for (const actor of [
      testActor({ type: 'company', managerId, companyId }),
      testActor({ type: 'LP', managerId, lpIds: [newId()] }),
    ]) {
      expect((await list(actor)).total).toBe(0);
    }
  });
});

test('a list filters by collection, document, author, operation, time and field, and groups', async () => {
  const filter = (conditions: object, more: object = {}) => list(manager(), { filter: conditions, ...more });
  expect((await filter({ 'changedBy.entity.id': AUTHOR })).total).toBe(CHANGES / 1000);
  expect((await filter({ 'changedBy.name': { like: 'mara h' } })).total).toBe(CHANGES / 10);
  expect((await filter({ resource: 'companies', documentId: companyId })).total).toBe(1);
  expect((await filter({ operation: 'Insert' })).total).toBe(4);
  const since = new Date(Date.UTC(2026, 0, 1) + (CHANGES - 99) * 60_000).toISOString();
  expect((await filter({ changedAt: { gte: since, lt: '2026-06-01T00:00:00.000Z' } })).total).toBe(10);
  expect((await filter({}, { field: 'title' })).total).toBe(CHANGES / 10);
  expect((await filter({}, { field: 'entityId' })).total).toBe(2);
  const groupBy = { accumulator: '$sum', by: 'resource' };
  const { groups } = await database.store.read(manager(), (session) =>
    groupHistory(session, { groupBy, field: 'title' }),
  );
  expect(groups).toEqual([{ key: 'funds', value: String(CHANGES / 10), count: CHANGES / 10 }]);
});

test('documents are named in one query, with those that were deleted', async () => {
  const titles = await database.store.read(manager(), (session) => titlesOf(session, [companyId, managerId, newId()]));
  expect(Object.fromEntries(titles)).toMatchObject({
    [companyId]: { resource: 'companies', title: 'Northwind', isStored: true, isRemoved: false },
    [managerId]: { resource: 'managers', title: 'A manager' },
  });
  expect(titles.size).toBe(2);
});

describe('a page is read from an index in its order', () => {
  /** The plans of the statements that the work sends, with the rows that each scan read. */
  async function plansOf(
    actor: UserActor,
    work: Parameters<typeof database.store.read<unknown>>[1],
  ): Promise<string[]> {
    const plans: string[] = [];
    await database.store.read(actor, (session) =>
      work({
        ...session,
        async queries(statements) {
          for (const { sql, values = [] } of statements) {
            const rows = await session.query<Record<string, string>>(
              `explain (analyze, costs off, timing off) ${sql}`,
              values,
            );
            plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
          }
          return session.queries(statements);
        },
        async query<Row>(sql: string, values: readonly unknown[] = []) {
          const rows = await session.query<Record<string, string>>(
            `explain (analyze, costs off, timing off) ${sql}`,
            values,
          );
          plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
          return session.query<Row>(sql, values);
        },
      }),
    );
    return plans;
  }
  /** The most rows that a node of the plan read or dropped. */
  const rowsRead = (plan: string): number =>
    Math.max(...[...plan.matchAll(/(?:rows=|Rows Removed by Filter: )(\d+)/g)].map(([, rows]) => Number(rows)));

  const cases: [string, UserActor | (() => UserActor), object][] = [
    ['the newest page of a tenant', () => manager(), {}],
    ['the newest page of everything', testActor({ type: 'admin' }), {}],
    ['the newest page of a collection', () => manager(), { filter: { resource: 'funds' } }],
    ['the changes of a user', () => manager(), { filter: { 'changedBy.entity.id': AUTHOR } }],
    ['the changes of a document', () => manager(), { filter: { documentId: `${'e'.repeat(20)}0010` } }],
    ['the newest page by an order of its own', () => manager(), { sort: { changedAt: -1 } }],
  ];
  test.each(cases)('%s', async (_, actor, query) => {
    const [page] = await plansOf(typeof actor === 'function' ? actor() : actor, (session) =>
      listHistory(session, { ...query, limit: 20 }),
    );
    expect(page).toContain('Index');
    expect(page).not.toContain('Seq Scan');
    expect(rowsRead(page!), page).toBeLessThan(1000);
  });

  test('the history on the page of a document', async () => {
    const ids = [`${'e'.repeat(20)}0010`, companyId];
    const plans = await plansOf(manager(), (session) => historyOf(session, [{ resource: 'companies', ids }]));
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).not.toContain('Seq Scan');
      expect(rowsRead(plan), plan).toBeLessThan(100);
    }
  });
});
