import { gridViewCreateSchema, MAX_VIEWS } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import type { UserActor, UserType } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createGridView, listGridViews, removeGridView, updateGridView } from './grid-views.ts';

let database: TestDatabase;
let tenants: readonly TestTenant[];
let users: Readonly<Record<'holt' | 'lind' | 'borrower' | 'other', UserActor>>;

beforeAll(async () => {
  database = await createTestDatabase();
  tenants = await database.store.as(SYSTEM, async (session) => [await makeTenant(session), await makeTenant(session)]);
  const rows = await database.query<{ id: string; type: UserType; manager_id: string }>(
    "select id, type, manager_id from users where type = 'company'",
  );
  const userOf = (tenant: number, index: number) =>
    rows.filter(({ manager_id }) => manager_id === tenants[tenant]?.managerId)[index]?.id ?? '';
  const of = (tenant: number) => ({ managerId: tenants[tenant]?.managerId ?? '' });
  users = {
    holt: testActor({ type: 'manager', ...of(0), userId: userOf(0, 0) }),
    lind: testActor({ type: 'manager', ...of(0), userId: userOf(0, 1) }),
    borrower: testActor({
      type: 'company',
      ...of(0),
      companyId: tenants[0]?.companies[0]?.id ?? '',
      userId: userOf(0, 1),
    }),
    other: testActor({ type: 'manager', ...of(1), userId: userOf(1, 0) }),
  };
});
afterAll(() => database.close());

const body = (title: string, change: object = {}) =>
  gridViewCreateSchema.parse({ grid: 'funds', title, search: 'sort={"title":1}&skip=50', ...change });
const create = (actor: UserActor, title: string, change: object = {}) =>
  database.store.as(actor, (session) => createGridView(session, body(title, change)));
const titles = async (actor: UserActor) =>
  (await database.store.read(actor, (session) => listGridViews(session, 'funds'))).map(({ title }) => title);

test("a view is its user's own until it is shared, and then the colleagues' as well", async () => {
  const { holt, lind, borrower, other } = users;
  const { id } = await create(holt, 'Canary');
  expect(await titles(holt)).toEqual(['Canary']);
  expect(await titles(lind)).toEqual([]);
  const change = { title: 'Large funds', isShared: true, isDefault: false };
  await database.store.as(holt, (session) => updateGridView(session, { id, body: change }));
  expect(await titles(lind)).toEqual(['Large funds']);
  expect([await titles(borrower), await titles(other)]).toEqual([[], []]);
  // A shared view is changed and removed by its user only.
  const renamed = database.store.as(lind, (session) => updateGridView(session, { id, body: change }));
  await expect(renamed).rejects.toMatchObject({ code: 'notFound' });
  const removed = database.store.as(lind, (session) => removeGridView(session, id));
  await expect(removed).rejects.toMatchObject({ code: 'notFound' });
  await database.store.as(holt, (session) => removeGridView(session, id));
  expect(await titles(lind)).toEqual([]);
});

test('outsiders share nothing, by the operation and by the database', async () => {
  const { borrower } = users;
  await expect(create(borrower, 'Mine', { isShared: true })).rejects.toMatchObject({
    flags: { isShared: expect.any(String) },
  });
  const { id } = await create(borrower, 'Mine');
  const forced = database.store.as(borrower, (session) =>
    session.query('update grid_views set is_shared = true where id = $1', [id]),
  );
  await expect(forced).rejects.toThrow('row-level security');
});

test('a name is used once, one view is the default, and a grid has a bounded number of views', async () => {
  const { other } = users;
  await create(other, 'First', { isDefault: true });
  await create(other, 'Second', { isDefault: true });
  await expect(create(other, 'first')).rejects.toMatchObject({ flags: { title: expect.any(String) } });
  const views = await database.store.read(other, (session) => listGridViews(session, 'funds'));
  expect(views.map(({ title, isDefault, search }) => [title, isDefault, search])).toEqual([
    ['First', false, 'sort=%7B%22title%22%3A1%7D'],
    ['Second', true, 'sort=%7B%22title%22%3A1%7D'],
  ]);
  for (let number = 3; number <= MAX_VIEWS; number += 1) await create(other, `View ${number}`);
  await expect(create(other, 'One too many')).rejects.toMatchObject({ code: 'badRequest' });
  // Another grid has its own.
  await create(other, 'First', { grid: 'draws' });
});
