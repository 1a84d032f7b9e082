import { ENTITY, ENTITY_LIMITS } from '@tapeline/domain/entities/testing/entity-limits.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();
let admin: ApiClient;
beforeAll(async () => {
  admin = await signedIn('admin@tapeline.test');
});

const created = async (client: ApiClient, path: string, body: unknown) => {
  const answer = await client.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};
const put = (client: ApiClient, path: string, body: unknown) => client.call('PUT', path, { body });
const BANK = {
  title: 'First National',
  accountNumber: '000123456789',
  address: '1 Main Street',
  type: 'Business',
  IBAN: 'GB29NWBK60161331926819',
  swiftCode: 'NWBKGB2L',
  abaOrRouting: '021000021',
};

describe('an entity', () => {
  it.each(ENTITY_LIMITS)(
    'accepts a value within the limit of %s, and names the field of one beyond it',
    async (path, within, beyond) => {
      await created(tenant.manager, '/crud/entities', { ...ENTITY, ...within });
      const refused = expectRefusal(await tenant.manager.post('/crud/entities', { ...ENTITY, ...beyond }), 400);
      expect(Object.keys(refused.flags)).toEqual([path]);
    },
  );

  it('is a person born before today', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const refused = await tenant.manager.post('/crud/entities', { ...ENTITY, person: { dob: tomorrow } });
    expect(expectRefusal(refused, 400).flags).toEqual({ 'person.dob': 'must be in the past' });
    const person = await created(tenant.manager, '/crud/entities', { ...ENTITY, person: { dob: '1970-05-31' } });
    expect(person).toMatchObject({ person: { dob: '1970-05-31' }, business: null });
  });

  it('is listed, counted and grouped by its category', async () => {
    const { manager } = tenant;
    await created(manager, '/crud/entities', [
      { ...ENTITY, name: 'Auditors One', category: ['Auditor', 'Adviser'] },
      { ...ENTITY, name: 'Auditors Two', category: ['Senior auditor'] },
    ]);
    const listed = await manager.call('GET', '/crud/entities', { query: { category: 'Auditor' } });
    expect(listed.json.map(({ name }: { name: string }) => name)).toEqual(['Auditors One']);
    expect(listed.headers.get('x-docs-count')).toBe('1');
    const groups = await manager.call('GET', '/crud/entities', {
      query: { category: 'Auditor', groupBy: { accumulator: '$sum' } },
    });
    expect(groups.json).toMatchObject([{ count: 1 }]);
    expect((await manager.get('/crud/entities/categories')).json).toEqual(
      expect.arrayContaining(['Adviser', 'Auditor', 'Senior auditor']),
    );
  });

  it('shows the last characters of its bank numbers to readers, wherever it is embedded', async () => {
    const { manager } = tenant;
    const entity = await created(manager, '/crud/entities', { ...ENTITY, name: 'Masked', banks: [BANK] });
    const investor = await created(manager, '/crud/LPs', { title: 'Masked', entity: entity.id });
    const company = await created(manager, '/crud/companies', { entity: entity.id });
    const provider = await created(manager, '/crud/serviceProviders', {
      title: 'Masked',
      type: 'x',
      entities: [entity.id],
    });
    const analyst = await signedIn(tenant.emails.analyst);
    for (const path of [
      '/crud/entities',
      '/crud/LPs',
      '/crud/companies',
      '/crud/serviceProviders',
      `/crud/entities/${entity.id}`,
      `/crud/LPs/${investor.id}`,
      `/crud/companies/${company.id}`,
      `/crud/history?filter=${encodeURIComponent(JSON.stringify({ resource: 'entities', documentId: entity.id }))}`,
    ]) {
      const answer = await analyst.get(path);
      expect(answer.status, path).toBe(200);
      for (const number of [BANK.accountNumber, BANK.IBAN, BANK.swiftCode, BANK.abaOrRouting]) {
        expect(answer.text, path).not.toContain(number);
      }
      expect(answer.text, path).toContain('****6789');
    }
    expect(provider.entities[0].banks).toMatchObject([BANK]);
  });
});

describe('a manager', () => {
  it('is set up from nothing by an admin, and works as a tenant', async () => {
    const manager = await created(admin, '/crud/managers', {
      entity: {
        name: 'Tamarack Capital',
        formalId: 'TC-1',
        nationality: { country: 'CA' },
        business: { type: 'LLC', formalName: 'Tamarack Capital LLC', currency: 'CAD' },
      },
      domains: ['tamarack.test'],
    });
    expect(manager).toMatchObject({
      status: 'Active',
      version: 1,
      domains: ['tamarack.test'],
      assoc: { admin: true },
      entity: { name: 'Tamarack Capital', assoc: { manager: { id: manager.id } } },
    });
    expect((await admin.get(`/crud/managers/${manager.id}`)).json).toEqual(manager);

    const headers = { 'x-manager-id': manager.id };
    const acting = async (path: string, body: unknown) => {
      const answer = await admin.call('POST', path, { body, headers });
      expect(answer.status, answer.text).toBe(201);
      return answer.json;
    };
    const listed = async (path: string) => (await admin.call('GET', path, { headers })).json as { id: string }[];
    for (const path of ['/crud/companies', '/crud/LPs', '/crud/funds', '/crud/transactions', '/crud/assetsETLs']) {
      expect(await listed(path), path).toEqual([]);
    }
    expect((await listed('/crud/roles')).length).toBeGreaterThan(4);
    const company = await acting('/crud/companies', { entity: { ...ENTITY, name: 'First borrower' } });
    expect(company).toMatchObject({ code: 1, assoc: { manager: { id: manager.id } } });
    expect(
      await acting('/crud/LPs', { title: 'First investor', entity: ENTITY, group: { title: 'First' } }),
    ).toMatchObject({ code: 1 });
    expect(await acting('/crud/serviceProviders', { title: 'Auditors', type: 'Auditor' })).toMatchObject({ code: 1 });
    // Another tenant sees none of it.
    expectRefusal(await tenant.manager.get(`/crud/companies/${company.id}`), 404);
    expectRefusal(await tenant.manager.get(`/crud/managers/${manager.id}`), 404);
    expectRefusal(await tenant.manager.get(`/crud/entities/${manager.entity.id}`), 404);

    const updated = await put(admin, `/crud/managers/${manager.id}`, { ...manager, status: 'Disabled' });
    expect(updated.json).toMatchObject({ status: 'Disabled', version: 2 });
    const stale = expectRefusal(await put(admin, `/crud/managers/${manager.id}`, manager), 400);
    expect(stale.flags).toHaveProperty('version');
    const again = await put(admin, `/crud/managers/${manager.id}`, { ...updated.json, status: 'Draft' });
    expect(expectRefusal(again, 400).flags).toHaveProperty('status');
    const filter = { resource: 'managers', documentId: manager.id };
    expect((await admin.get('/crud/history', { filter })).headers.get('x-docs-count')).toBe('2');
  });

  it('is created and changed by admins alone, and not by one who acts for a manager', async () => {
    const [own] = (await tenant.manager.get('/crud/managers')).json;
    const body = { entity: ENTITY };
    for (const email of [tenant.emails.manager, tenant.emails.analyst]) {
      const client = await signedIn(email);
      expectRefusal(await client.post('/crud/managers', body), 403);
      expectRefusal(await put(client, `/crud/managers/${own.id}`, own), 403);
    }
    const headers = { 'x-manager-id': own.id };
    expectRefusal(await admin.call('POST', '/crud/managers', { body, headers }), 403);
    expectRefusal(await admin.call('PUT', `/crud/managers/${own.id}`, { body: own, headers }), 403);
    const taken = await admin.post('/crud/managers', { entity: own.entity.id });
    expect(expectRefusal(taken, 400).flags).toEqual({ entity: 'must be a new entity' });
  });
});

describe('an investor', () => {
  it('is created with a group, listed by it, and updated in the version that was read', async () => {
    const { manager } = tenant;
    const [first, second] = await created(manager, '/crud/LPs', [
      {
        title: 'Alpha Pension',
        entity: { ...ENTITY, name: 'Alpha' },
        group: { title: 'Pension schemes' },
        domains: ['Alpha.test'],
      },
      { title: 'Beta Pension', entity: { ...ENTITY, name: 'Beta' }, group: { title: 'pension schemes' } },
    ]);
    expect(first).toMatchObject({
      status: 'Active',
      title: 'Alpha Pension',
      group: { title: 'Pension schemes' },
      domains: ['alpha.test'],
      lastVisitedStats: { loggedInCount: 0, totalUsers: 0 },
    });
    expect(second.group).toEqual(first.group);
    expect((await manager.get(`/crud/LPs/${first.id}`)).json).toEqual(first);
    const grouped = await manager.get('/crud/LPs', { filter: { 'group.id': first.group.id }, sort: { title: 1 } });
    expect(grouped.json).toEqual([first, second]);

    const third = await created(manager, '/crud/LPs', {
      title: 'Gamma',
      entity: ENTITY,
      group: { id: first.group.id },
    });
    expect(third.group).toEqual(first.group);
    const left = await put(manager, `/crud/LPs/${third.id}`, { ...third, group: null, status: 'Disabled' });
    expect(left.json).toMatchObject({ group: null, status: 'Disabled', version: 2 });
    expect(expectRefusal(await put(manager, `/crud/LPs/${third.id}`, third), 400).flags).toHaveProperty('version');
    const renamed = await put(manager, `/crud/LPs/${first.id}`, {
      ...first,
      group: { ...first.group, title: 'Others' },
    });
    expect(expectRefusal(renamed, 400).flags).toHaveProperty(['group.title']);
  });

  it('joins only a group of its own manager, and is written by those who may', async () => {
    const other = await signedIn('manager2@tapeline.test');
    const { group } = await created(tenant.manager, '/crud/LPs', {
      title: 'Delta',
      entity: ENTITY,
      group: { title: 'Own' },
    });
    const before = (await other.get('/crud/LPs')).headers.get('x-docs-count');
    const refused = await other.post('/crud/LPs', { title: 'Theft', entity: ENTITY, group: { id: group.id } });
    expect(expectRefusal(refused, 400).flags).toHaveProperty(['group.id']);
    expect((await other.get('/crud/LPs')).headers.get('x-docs-count')).toBe(before);
    expect((await other.get('/crud/LPs', { filter: { 'group.title': 'Own' } })).json).toEqual([]);
    for (const email of [tenant.emails.analyst, tenant.emails.investor]) {
      expectRefusal(await (await signedIn(email)).post('/crud/LPs', { title: 'Epsilon', entity: ENTITY }), 403);
    }
  });

  it('counts the users who act for it, and those who have signed in', async () => {
    const own = (await tenant.manager.get('/crud/LPs', { filter: { title: 'Calder Valley Pension Scheme' } })).json[0];
    expect(own.lastVisitedStats.totalUsers).toBe(1);
    const investor = await signedIn(tenant.emails.investor);
    const seen = (await investor.get('/crud/LPs')).json;
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ id: own.id, lastVisitedStats: { totalUsers: 1 } });
  });
});
