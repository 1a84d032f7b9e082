import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();
let roles: Record<string, string>;
let managerId: string;

let counted = 0;
const bodyOf = (more: Record<string, unknown> = {}) => {
  counted += 1;
  return {
    firstName: 'Amina',
    lastName: 'Farouk',
    email: `person-${counted}-${managerId}@harbour.test`,
    type: 'manager',
    assoc: { manager: { id: managerId } },
    role: roles.Analyst,
    ...more,
  };
};
const created = async (client: ApiClient, path: string, body: unknown) => {
  const answer = await client.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};
const put = (client: ApiClient, path: string, body: unknown) => client.call('PUT', path, { body });

beforeAll(async () => {
  const listed: { id: string; title: string }[] = (await tenant.manager.get('/crud/roles')).json;
  roles = Object.fromEntries(listed.map(({ id, title }) => [title, id]));
  managerId = (await tenant.manager.get('/crud/managers')).json[0].id;
});

describe('a user', () => {
  it('is created Pending, read, listed with the names of the tenant, and updated in the version that was read', async () => {
    const { manager } = tenant;
    const user = await created(manager, '/crud/users', bodyOf({ phoneNumber: '442079460000' }));
    expect(user).toMatchObject({
      status: 'Pending',
      version: 1,
      assoc: { manager: { id: managerId, title: tenant.managerName } },
      role: roles.Analyst,
      magicLink: false,
      lastVisited: null,
      exclusiveResources: [],
    });
    expect(JSON.stringify(user)).not.toMatch(/token|hash/i);
    expect((await manager.get(`/crud/users/${user.id}`)).json).toEqual(user);
    const filter = { organization: tenant.managerName, roleTitle: 'Analyst', status: 'Pending' };
    expect((await manager.get('/crud/users', { filter })).json).toEqual([user]);

    const updated = await put(manager, `/crud/users/${user.id}`, { ...user, lastName: 'Okafor', role: null });
    expect(updated.json).toMatchObject({ lastName: 'Okafor', role: null, version: 2 });
    expect(expectRefusal(await put(manager, `/crud/users/${user.id}`, user), 400).flags).toHaveProperty('version');
    const twice = expectRefusal(await manager.post('/crud/users', bodyOf({ email: user.email })), 400);
    expect(twice.flags).toEqual({ email: 'is already used by another user' });
  });

  it('is not created for a disabled investor, and the answer says what to do first', async () => {
    const { manager } = tenant;
    const [investor] = (await manager.get('/crud/LPs', { limit: 1, sort: { title: -1 } })).json;
    const stored = (await manager.get(`/crud/LPs/${investor.id}`)).json;
    const disabled = await put(manager, `/crud/LPs/${investor.id}`, { ...stored, status: 'Disabled' });
    expect(disabled.json, disabled.text).toMatchObject({ status: 'Disabled' });
    const body = bodyOf({ type: 'LP', assoc: { LP: { id: investor.id } }, role: roles.Investor });
    const refused = expectRefusal(await manager.post('/crud/users', body), 400);
    expect(refused.message).toBe('This investor is Disabled. Set it to Active first, and then add its users');
    const again = await put(manager, `/crud/LPs/${investor.id}`, { ...disabled.json, status: 'Active' });
    expect(again.json).toMatchObject({ status: 'Active' });
    expect(await created(manager, '/crud/users', body)).toMatchObject({ assoc: { LP: { id: investor.id } } });
  });

  it('is within the limits', async () => {
    const { manager } = tenant;
    const lp = (await manager.get('/crud/LPs')).json[0].id;
    const ids = (count: number) =>
      Array.from({ length: count }, (_, n) => (n === 0 ? lp : String(n).padStart(24, '0')));
    const refused = async (more: Record<string, unknown>) =>
      Object.keys(expectRefusal(await manager.post('/crud/users', bodyOf(more)), 400).flags ?? {});
    expect(await refused({ firstName: 'A' })).toEqual(['firstName']);
    expect(await refused({ lastName: 'x'.repeat(31) })).toEqual(['lastName']);
    expect(await refused({ phoneNumber: '12345678901234567' })).toEqual(['phoneNumber']);
    expect((await manager.post('/crud/users', bodyOf({ phoneNumber: '+441' }))).json.flags).toEqual({
      phoneNumber: 'Invalid phone number',
    });
    const investor = { type: 'LP', assoc: { LP: { id: lp } }, role: roles.Investor };
    expect(await refused({ ...investor, LPs: [] })).toEqual(['LPs']);
    expect(await refused({ ...investor, LPs: ids(101) })).toEqual(['LPs']);
    expect(await refused({ ...investor, assoc: { LP: { id: lp }, admin: true } })).toContain('assoc');
    const within = bodyOf({
      ...investor,
      firstName: 'Bo',
      lastName: 'x'.repeat(30),
      phoneNumber: '1234567890123456',
      LPs: ids(1),
    });
    expect(await created(manager, '/crud/users', within)).toMatchObject({ LPs: [lp], type: 'LP' });
    expect(await created(manager, '/crud/users', [bodyOf(), bodyOf()])).toHaveLength(2);
  });

  it('is updated and deleted with others, all or none, and loses its sessions', async () => {
    const { manager } = tenant;
    const [one, two] = await created(manager, '/crud/users', [bodyOf(), bodyOf()]);
    const active = await put(manager, '/crud/users/bulk', [
      { id: one.id, version: 1, status: 'Active' },
      { id: two.id, version: 1, status: 'Active', role: roles['Fund manager'] },
    ]);
    expect(active.json.map(({ status, role }: typeof one) => [status, role])).toEqual([
      ['Active', roles.Analyst],
      ['Active', roles['Fund manager']],
    ]);
    const stale = [
      { id: one.id, version: 2, status: 'Disabled' },
      { id: two.id, version: 1, status: 'Disabled' },
    ];
    expect(
      expectRefusal(
        await put(manager, '/crud/users/bulk', stale),
        400,
        new RegExp(`^${two.firstName} ${two.lastName}: `),
      ).flags,
    ).toHaveProperty(['1.version']);
    expectRefusal(await put(manager, '/crud/users/bulk', []), 400);
    const many = Array.from({ length: 501 }, (_, n) => ({ id: String(n).padStart(24, '0'), version: 1 }));
    expectRefusal(await put(manager, '/crud/users/bulk', many), 400);
    const client = await signedIn(one.email);
    expect((await client.get('/auth/me')).status).toBe(200);
    await put(manager, `/crud/users/${one.id}`, { version: 2, status: 'Disabled' });
    expectRefusal(await client.get('/auth/me'), 401);
    expectRefusal(await client.get('/auth/refreshAccessToken'), 401);

    const removed = await manager.call('DELETE', '/crud/users', { query: { ids: [one.id, two.id] } });
    expect([removed.status, removed.json]).toEqual([200, { ids: [one.id, two.id] }]);
    expectRefusal(await manager.get(`/crud/users/${one.id}`), 404);
    expectRefusal(await manager.call('DELETE', '/crud/users'), 400);
    expectRefusal(await manager.call('DELETE', '/crud/users', { query: { ids: [one.id] } }), 404);
  });

  it('is neither seen nor changed from another tenant, nor written without the permission', async () => {
    const user = await created(tenant.manager, '/crud/users', bodyOf());
    const other = await signedIn('manager2@tapeline.test');
    expectRefusal(await other.get(`/crud/users/${user.id}`), 404);
    expectRefusal(await put(other, `/crud/users/${user.id}`, user), 404);
    expectRefusal(await other.call('DELETE', '/crud/users', { query: { ids: [user.id] } }), 404);
    const lp = (await tenant.manager.get('/crud/LPs')).json[0].id;
    const ofOther = { type: 'LP', assoc: { LP: { id: lp } }, role: roles.Investor };
    expect(expectRefusal(await other.post('/crud/users', bodyOf(ofOther)), 400).flags).toHaveProperty('assoc');
    const analyst = await signedIn(tenant.emails.analyst);
    expectRefusal(await analyst.post('/crud/users', bodyOf()), 403);
    expect((await analyst.get(`/crud/users/${user.id}`)).json).toEqual(user);
    expectRefusal(await (await signedIn(tenant.emails.investor)).get('/crud/users'), 403);
  });
});

it('a role is created for the tenant and updated for everyone who has it', async () => {
  const { manager } = tenant;
  const role = await created(manager, '/crud/roles', {
    title: 'Treasury',
    level: 8,
    permissions: ['companies/read', 'users/read'],
  });
  expect(role).toMatchObject({ status: 'Active', version: 1, assoc: { manager: { id: managerId } } });
  const [user] = (await manager.get('/crud/users', { filter: { email: tenant.emails.analyst } })).json;
  await put(manager, `/crud/users/${user.id}`, { version: user.version, role: role.id });
  const client = await signedIn(user.email);
  expect((await client.get('/crud/companies')).status).toBe(200);
  const updated = await put(manager, `/crud/roles/${role.id}`, { ...role, permissions: ['users/read'] });
  expect(updated.json).toMatchObject({ permissions: ['users/read'], version: 2 });
  expectRefusal(await client.get('/crud/companies'), 403);
  await put(manager, `/crud/users/${user.id}`, { version: user.version + 1, role: roles.Analyst });
  for (const [field, value] of Object.entries({ title: 'x', level: 31, permissions: ['funds'] })) {
    const refused = expectRefusal(await manager.post('/crud/roles', { ...role, [field]: value }), 400);
    expect(Object.keys(refused.flags)[0]).toMatch(field);
  }
  expectRefusal(await manager.post('/crud/roles', { title: 'Above', level: 4, permissions: [] }), 403);
});

it('a permission is created and updated by an administrator of all managers', async () => {
  const admin = await signedIn('admin@tapeline.test');
  const key = `reports/${managerId.replaceAll(/\d/g, 'x')}/read`;
  const permission = await created(admin, '/crud/permissions', { title: 'Reports read', key, allowed: ['manager'] });
  expect(permission).toMatchObject({ key, allowed: ['manager'], assoc: { admin: true } });
  const updated = await put(admin, '/crud/permissions', { ...permission, allowed: ['manager', 'LP'] });
  expect(updated.json).toMatchObject({ id: permission.id, allowed: ['manager', 'LP'], version: 2 });
  expect(expectRefusal(await put(admin, '/crud/permissions', permission), 400).flags).toHaveProperty('version');
  expectRefusal(await admin.post('/crud/permissions', { ...permission, key }), 400);
  const more = { title: 'More', key: 'more/read', allowed: ['manager'] };
  expectRefusal(await tenant.manager.post('/crud/permissions', more), 403);
});
