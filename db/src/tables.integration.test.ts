import { HISTORY_COLLECTIONS } from '@tapeline/domain/history/collections.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENTITIES } from './entities/index.ts';
import { fieldOf, HISTORY } from './migrations/tenant-table.ts';
import { TITLED } from './operations/history/document-titles.ts';
import { SYSTEM } from './store.ts';
import { testActor } from './testing/actors.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Tables of the migrations themselves; the program has no rights on them. */
const INTERNAL = ['document_codes', 'mikro_orm_migrations'];

const tables = () =>
  database.query<{ name: string; forced: boolean; commands: string[] }>(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
       array(select distinct p.cmd from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname order by p.cmd) as commands
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all ($1) order by 1`,
    [INTERNAL],
  );

test('every table has row-level security with a policy for each kind of access', async () => {
  const found = await tables();
  expect(found.length).toBeGreaterThan(20);
  for (const { name, forced, commands } of found) {
    expect([name, forced, commands]).toEqual([name, true, ['DELETE', 'INSERT', 'SELECT', 'UPDATE']]);
  }
});

test('every table is registered for the history, or says why not', async () => {
  const found = await tables();
  expect([...HISTORY.keys()].sort()).toEqual(found.map(({ name }) => name));
});

test('every collection with a history has a name, a permission and titles for its documents', async () => {
  const registered = [...HISTORY].flatMap(([name, history]) =>
    'resource' in history ? [[history.resource, name]] : [],
  );
  expect(Object.keys(HISTORY_COLLECTIONS).sort()).toEqual(registered.map(([resource]) => resource).sort());
  expect(Object.entries(TITLED).map(([resource, { table }]) => [resource, table])).toEqual(
    expect.arrayContaining(registered),
  );
  expect(Object.keys(TITLED)).toHaveLength(registered.length);
});

test('a table is recorded by its trigger exactly where it is registered', async () => {
  const recorded = await database.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgfoid = 'record_change'::regproc order by 1`,
  );
  const registered = [...HISTORY].flatMap(([name, history]) => ('resource' in history ? [name] : []));
  expect(recorded.map(({ name }) => name)).toEqual(registered.sort());
});

test('the history names the fields of a document as the document does', async () => {
  const { metadata } = await database.store.as(SYSTEM, async ({ em }) => ({ metadata: em.getMetadata() }));
  for (const { meta } of ENTITIES) {
    const { tableName, props } = metadata.get(meta.className as never);
    if (!('resource' in (HISTORY.get(tableName) ?? {}))) continue;
    for (const { name, fieldNames } of props) expect([tableName, fieldOf(fieldNames[0]!)]).toEqual([tableName, name]);
  }
});

/** Tables whose policy has another condition, which no index serves. */
const READ_WHOLE = ['activities', 'files', 'funds', 'history', 'lp_groups', 'main_funds', 'reports'];

test("a manager's rows are found by the index of the manager, among those of all others", async () => {
  const owned = await database.query<{ name: string }>(
    `select tablename as name from pg_policies where policyname = 'read' and qual like '%actor_managers_from()%' order by 1`,
  );
  const unserved = await database.store.as(
    testActor({ type: 'manager', managerId: 'a'.repeat(24) }),
    async ({ query }) => {
      await query('set local enable_seqscan = off');
      const names: string[] = [];
      for (const { name } of owned) {
        const plan = await query<{ 'QUERY PLAN': string }>(`explain select * from ${name}`);
        const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
        if (!/Index Cond: \(+manager_id\)::text >=/.test(lines)) names.push(name);
      }
      return names;
    },
  );
  expect(owned.length).toBeGreaterThan(25);
  expect(unserved).toEqual(READ_WHOLE);
});
