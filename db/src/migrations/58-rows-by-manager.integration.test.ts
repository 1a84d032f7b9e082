import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-store.ts';
import { RowsByManager } from './58-rows-by-manager.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

interface Policy {
  name: string;
  table: string;
  using: string | null;
  check: string | null;
}

const policies = () =>
  database.query<Policy>(
    `select policyname as name, tablename as table, qual as using, with_check as check from pg_policies order by 2, 1`,
  );

const RANGE =
  '((manager_id)::text = ( SELECT actor_manager() AS actor_manager)) OR (((manager_id)::text >= actor_managers_from()) AND ((manager_id)::text <= actor_managers_to())) OR ((manager_id IS NULL) AND ( SELECT actor_sees_all() AS actor_sees_all))';
/** As the policies were before the migration. */
const earlier = (condition: string) =>
  condition.replaceAll(RANGE, '(select actor_sees_all()) or manager_id = (select actor_manager())');

test('a database from before the change gets the policies of a new one', async () => {
  const before = await policies();
  const changed = before.filter(({ using, check }) => `${using} ${check}`.includes(RANGE));
  expect(changed.length).toBeGreaterThan(100);
  for (const { name, table, using, check } of changed) {
    const parts = [using && `using (${earlier(using)})`, check && `with check (${earlier(check)})`];
    await database.query(`alter policy "${name}" on ${table} ${parts.filter(Boolean).join(' ')}`);
  }
  expect((await policies()).some(({ using, check }) => `${using} ${check}`.includes(RANGE))).toBe(false);

  const migration = new RowsByManager(null as never, null as never);
  migration.up();
  for (const sql of migration.getQueries()) await database.query(String(sql));
  expect(await policies()).toEqual(before);
});
