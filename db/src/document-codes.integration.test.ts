import { afterAll, beforeAll, expect, test } from 'vitest';
import { Company, Manager, Role } from './entities/people.ts';
import { newId } from './ids.ts';
import { SYSTEM } from './store.ts';
import { testActor } from './testing/actors.ts';
import { addEntity } from './testing/entities.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const makeManager = () =>
  database.store.as(SYSTEM, async ({ em }) => {
    const id = newId();
    const manager = em.create(Manager, { id, entityId: addEntity(em, id, 'Harbour') });
    return manager.id;
  });

/** Adds a company as the manager itself does, and returns its code. */
const addCompany = (managerId: string, options: { rollback?: boolean } = {}) =>
  database.store.as(
    testActor({ type: 'manager', managerId }),
    async ({ em }) => {
      const company = em.create(Company, { id: newId(), managerId, entityId: addEntity(em, managerId, 'Northwind') });
      await em.flush();
      return company.code;
    },
    options,
  );

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const ascending = (codes: number[]) => codes.sort((a, b) => a - b);

test('documents are numbered per manager without gaps, also by many at once and with some taken back', async () => {
  const [one, two] = [await makeManager(), await makeManager()];
  const codes: number[][] = [[], []];
  await Promise.all(
    upTo(10).flatMap(() => [
      addCompany(one).then((code) => codes[0]!.push(code)),
      addCompany(two).then((code) => codes[1]!.push(code)),
      addCompany(one, { rollback: true }),
    ]),
  );
  expect(codes.map(ascending)).toEqual([upTo(10), upTo(10)]);
  expect(await addCompany(one)).toBe(11);
});

test('a code is not given again when its document is deleted, and one written by hand is counted', async () => {
  const managerId = await makeManager();
  expect(await addCompany(managerId)).toBe(1);
  expect(await addCompany(managerId)).toBe(2);
  await database.store.as(SYSTEM, ({ query }) => query('delete from companies where manager_id = $1', [managerId]));
  expect(await addCompany(managerId)).toBe(3);
  await database.store.as(SYSTEM, ({ query }) =>
    query(
      `insert into companies (id, code, manager_id, entity_id) select $1, 9, id, entity_id from managers where id = $2`,
      [newId(), managerId],
    ),
  );
  expect(await addCompany(managerId)).toBe(10);
});

test('documents of no manager are numbered together', async () => {
  const codes = await database.store.as(SYSTEM, async ({ em }) => {
    const roles = ['First', 'Second'].map((title) =>
      em.create(Role, { id: newId(), title, level: 9, permissions: [] }),
    );
    await em.flush();
    return roles.map((role) => role.code);
  });
  expect(ascending(codes)).toEqual([1, 2]);
});

test('every table of a manager’s documents is numbered so, and nobody reads another’s count', async () => {
  const rows = await database.store.as(SYSTEM, ({ query }) =>
    query<{ table: string; counted: boolean }>(
      `select c.table_name as table, exists (select from pg_trigger g where g.tgrelid = to_regclass(c.table_name)
         and g.tgfoid = 'count_document'::regproc) as counted
       from information_schema.columns c join information_schema.columns m
         on m.table_schema = c.table_schema and m.table_name = c.table_name and m.column_name = 'manager_id'
       where c.table_schema = 'public' and c.column_name = 'code'`,
    ),
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !row.counted)).toEqual([]);
  for (const statement of ['select * from document_codes', 'delete from document_codes']) {
    await expect(database.store.as(SYSTEM, ({ query }) => query(statement))).rejects.toThrow('permission denied');
  }
});
