import { afterAll, beforeAll, expect, test } from 'vitest';
import { Permission } from '../entities/people.ts';
import { updatePermission } from '../operations/permissions/permissions.ts';
import { SYSTEM } from '../store.ts';
import { testActor } from '../testing/actors.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-store.ts';
import { seedFoundations } from './seed-foundations.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, seedFoundations);
});
afterAll(() => database.close());

const titleOf = async (key: string) => {
  const [row] = await database.query<{ title: string }>('select title from permissions where key = $1', [key]);
  return row?.title;
};

test('a permission that the product has renamed has its new title after the next seeding', async () => {
  await database.query(`update permissions set title = 'LPs read' where key = 'LPs/read'`);
  await database.store.as(SYSTEM, seedFoundations);
  expect(await titleOf('LPs/read')).toBe('Investors read');
  // What the seeding renamed is not an administrator's change: it is renamed again.
  await database.query(`update permissions set title = 'Partners read' where key = 'LPs/read'`);
  await database.store.as(SYSTEM, seedFoundations);
  expect(await titleOf('LPs/read')).toBe('Investors read');
});

test('the title that an administrator gave a permission stays', async () => {
  await database.store.as(testActor({ type: 'admin' }), async (session) => {
    const permission = await session.em.findOneOrFail(Permission, { key: 'funds/read' });
    const { id, key, version, allowed } = permission;
    await updatePermission(session, { id, body: { id, key, version, allowed, title: 'See funds' } });
  });
  await database.store.as(SYSTEM, seedFoundations);
  expect(await titleOf('funds/read')).toBe('See funds');
});
