import { checkDatabase } from '@tapeline/db/check-database.ts';
import { migrate } from '@tapeline/db/migrate.ts';
import { BASELINE, MIGRATIONS } from '@tapeline/db/migrations/index.ts';
import { FOLDED } from '@tapeline/db/migrations/version.ts';
import { type EmptyDatabase, makeEmptyDatabase } from '@tapeline/db/testing/empty-database.ts';
import { createTestDatabase } from '@tapeline/db/testing/test-store.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestColumns, loadDump } from './old-databases.ts';

let database: EmptyDatabase;
beforeEach(async () => {
  // Migrating the first database of a server creates the application's role.
  await (await createTestDatabase()).close();
  database = await makeEmptyDatabase();
});
afterEach(() => database.close());

const digests = () => digestColumns((sql) => database.query(sql));
const later = MIGRATIONS.slice(BASELINE.length).map(({ name }) => name);

test('a database from before the baseline gets only what came after it: its schema is that of a new one, and every value stays', async () => {
  await loadDump(database.databaseAdminUrl, `1ca2f178-${FOLDED.last}`);
  const before = await digests();
  expect(before.size).toBeGreaterThan(300);
  expect(await migrate(database.databaseAdminUrl)).toEqual({ ran: later, repaired: [] });
  // It compares the whole schema.
  expect(await checkDatabase(database)).toMatchObject({ problems: [] });
  // A later column may have a value by default.
  const after = await digests();
  expect(new Map([...after].filter(([column]) => before.has(column)))).toEqual(before);
});

test('a database with only some of the migrations from before the baseline is refused, and nothing changes', async () => {
  await loadDump(database.databaseAdminUrl, '8dd73e0b');
  const before = await digests();
  expect(before.size).toBeGreaterThan(50);
  const problem = `it has 16 of the ${FOLDED.count} migrations that were folded into the baseline`;
  await expect(migrate(database.databaseAdminUrl, { repair: true })).rejects.toThrow(problem);
  expect((await checkDatabase(database)).problems).toContainEqual(expect.stringContaining(problem));
  expect(await digests()).toEqual(before);
  expect(await database.query('select count(*)::integer as count from mikro_orm_migrations')).toEqual([{ count: 16 }]);
});
