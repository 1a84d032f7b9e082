import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '../store.ts';
import { makeTenant, type TestTenant } from '../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-store.ts';
import { Privacy } from './60-privacy.ts';

let database: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
  await database.query(`update write_offs set status = 'Removed' where investor_lp_id = $1`, [tenant.lpIds[1]]);
  await database.query(`delete from write_offs where investor_lp_id = $1`, [tenant.lpIds[1]]);
});
afterAll(() => database.close());

const owned = () =>
  database.query<{ id: string; owners: string[] }>(
    `select id, array(select unnest(owners) order by 1) as owners from history
     union all select id, array(select unnest(owners) order by 1) from notifications order by 1`,
  );

test('entries and notifications from before have the owners that they would have today, also of a deleted document', async () => {
  const before = await owned();
  expect(before.filter(({ owners }) => owners.includes(`LPs/${tenant.lpIds[1]}`)).length).toBeGreaterThan(5);
  expect([...new Set(before.map(({ owners }) => owners.length > 0))]).toEqual([true]);
  await database.query(`update history set owners = '{}'`);
  await database.query(`update notifications set owners = '{}'`);

  const migration = new Privacy(null as never, null as never);
  migration.up();
  // Without the parts that make the columns, which a database from before does not have.
  const sql = migration.getQueries().map(String).join('\n');
  for (const [body] of sql.matchAll(/do \$\$[\s\S]*?end \$\$;/g)) await database.query(body);
  expect(await owned()).toEqual(before);
});
