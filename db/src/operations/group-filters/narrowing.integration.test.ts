import { MAX_FILTERS } from '@tapeline/domain/group-filters/group-filter.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listLPs } from '../investors/investors.ts';
import { createGroupFilter } from './group-filters.ts';

const TABLES = [
  ...['funds', 'lp_commitments', 'contributions', 'distributions', 'navs', 'write_offs'],
  ...['capital_accounts', 'reports', 'companies'],
];

let database: TestDatabase;
let own: TestTenant;
let other: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  [own, other] = await database.store.as(SYSTEM, async (session) => [
    await makeTenant(session),
    await makeTenant(session),
  ]);
});
afterAll(() => database.close());

/** The number of rows that the actor sees of each table, by `read` and by `as`. */
async function seen(actor: UserActor): Promise<Record<string, number>> {
  const sql = `select ${TABLES.map((name) => `(select count(*)::int from ${name}) as ${name}`).join(', ')}`;
  const [read] = await database.store.read(actor, (session) => session.query<Record<string, number>>(sql));
  const [transacted] = await database.store.as(actor, (session) => session.query<Record<string, number>>(sql));
  expect(transacted).toEqual(read);
  return read ?? {};
}
const manager = (within?: UserActor['within']) =>
  testActor({ type: 'manager', managerId: own.managerId, ...(within ? { within } : {}) });

test('a saved filter narrows every table of funds and investors, and no other', async () => {
  const everything = await seen(manager());
  expect(await seen(manager({ funds: [own.fundId], investors: [] }))).toEqual(everything);
  const one = await seen(manager({ funds: [], investors: [own.lpIds[0] ?? ''] }));
  expect(one).toMatchObject({ funds: everything.funds, companies: everything.companies });
  const narrowed = manager({ funds: [], investors: [own.lpIds[0] ?? ''] });
  const { documents, total } = await database.store.read(narrowed, (session) => listLPs(session));
  expect([documents.map(({ id }) => id), total]).toEqual([[own.lpIds[0]], 1]);
  for (const name of ['lp_commitments', 'contributions', 'distributions', 'navs', 'write_offs', 'capital_accounts']) {
    expect([name, one[name]]).toEqual([name, (everything[name] ?? 0) / 2]);
  }
  const none = await seen(manager({ funds: ['f'.repeat(24)], investors: [] }));
  expect(none).toEqual({
    ...Object.fromEntries(TABLES.map((name) => [name, 0])),
    companies: everything.companies,
  });
});

test('a saved filter never shows more', async () => {
  const foreign = await seen(manager({ funds: [other.fundId], investors: other.lpIds }));
  expect(foreign).toMatchObject({ funds: 0, lp_commitments: 0, reports: 0 });
  const investor = testActor({ type: 'LP', managerId: own.managerId, lpIds: [own.lpIds[0] ?? ''] });
  const whole = await seen(investor);
  expect(await seen({ ...investor, within: { funds: [own.fundId, other.fundId], investors: own.lpIds } })).toEqual(
    whole,
  );
});

test('a user saves a limited number of filters, and those of others do not count', async () => {
  const [first, second] = await database.query<{ id: string }>('select id from users order by id limit 2');
  const as = (userId: string | undefined) => testActor({ type: 'manager', managerId: own.managerId, userId: userId! });
  await database.query(
    `insert into group_filters (id, metadata, manager_id, user_id, title, fund_ids)
     select lpad(to_hex(n), 24, '0'), '{}', $1, $2, 'Filter ' || n, array[$3::object_id]
     from generate_series(2 + (select count(*)::int from group_filters where user_id = $2), $4) as n`,
    [own.managerId, first?.id, own.fundId, MAX_FILTERS],
  );
  const save = (userId: string | undefined) =>
    database.store.as(as(userId), (session) =>
      createGroupFilter(session, { title: 'One more', filters: { funds: [own.fundId], investors: [] } }),
    );
  expect(await save(first?.id)).toMatchObject({ title: 'One more' });
  await expect(save(first?.id)).rejects.toMatchObject({
    code: 'badRequest',
    message: 'A user has at most 200 saved filters. Delete one first.',
  });
  expect(await save(second?.id)).toMatchObject({ title: 'One more' });
});
