import { describe, expect, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();

let counted = 0;
/** An entity with a formal ID that no other test uses. */
function entityOf(more: Record<string, unknown> = {}) {
  counted += 1;
  return {
    name: 'Larkspur Receivables',
    formalId: `LR-${counted}`,
    nationality: { country: 'US', state: 'CA' },
    ...more,
  };
}

const created = async (client: ApiClient, path: string, body: unknown) => {
  const answer = await client.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};
const put = (client: ApiClient, path: string, body: unknown) => client.call('PUT', path, { body });
const BANK = { title: 'First National', accountNumber: '000123456789', address: '1 Main Street', type: 'Business' };

describe('a company', () => {
  it('is created with a new entity, read, listed, and updated in the version that was read', async () => {
    const { manager } = tenant;
    const shares = [{ type: 'Common', amount: 1_000_000.25, percentage: 40 }];
    const business = { type: 'LLC', formalName: 'Larkspur Receivables LLC', currency: 'USD', raised: 12.5, shares };
    const company = await created(manager, '/crud/companies', {
      entity: entityOf({ business }),
      domains: ['Larkspur.example'],
    });
    const [{ id: managerId }] = (await manager.get('/crud/managers')).json;
    expect(company).toMatchObject({
      status: 'Active',
      version: 1,
      assoc: { manager: { id: managerId } },
      domains: ['larkspur.example'],
      entity: { name: 'Larkspur Receivables', business: { raised: 12.5, shares: [{ amount: 1_000_000.25 }] } },
    });
    expect((await manager.get(`/crud/companies/${company.id}`)).json).toEqual(company);
    const listed = await manager.get('/crud/companies', { filter: { 'entity.name': 'Larkspur Receivables' } });
    expect(listed.json).toEqual([company]);
    expect(listed.headers.get('x-docs-count')).toBe('1');

    const updated = await put(manager, `/crud/companies/${company.id}`, { ...company, status: 'Disabled' });
    expect(updated.json).toMatchObject({ ...company, status: 'Disabled', version: 2, metadata: expect.anything() });
    const stale = await put(manager, `/crud/companies/${company.id}`, company);
    expect(expectRefusal(stale, 400).flags).toHaveProperty('version');
  });

  it('is saved on the screen without a new version of its entity, unless the form changes the entity', async () => {
    const { manager } = tenant;
    const person = { dob: '1990-01-31' };
    const { id } = await created(manager, '/crud/companies', { entity: entityOf({ person }), domains: ['a.example'] });
    const read = async () => (await manager.get(`/crud/companies/${id}`)).json;
    const screens = await screensOf(tenant.emails.manager);
    const save = async (changes: Record<string, string>) => {
      const { version, status, entity } = await read();
      const form = {
        intent: 'save',
        'entity.name': entity.name,
        'entity.formalId': entity.formalId,
        'entity.nationality.country': 'US',
        'entity.nationality.state': 'CA',
        'entity.person.dob': person.dob,
        domains: 'a.example',
        status,
        partyVersion: String(version),
        entityVersion: String(entity.version),
      };
      const answer = await screens.submit(paths.editCompany(id), { ...form, ...changes });
      expect(answer.headers.get('location'), answer.text.slice(0, 500)).toBe(paths.company(id, { view: 'details' }));
      return (await read()).entity.version;
    };
    const city = { 'entity.nationality.city': 'Sacramento' };
    expect(await save({ domains: 'b.example' })).toBe(1);
    expect(await save(city)).toBe(2);
    expect(await save({ ...city, domains: 'b.example' })).toBe(2);
    expect(await read()).toMatchObject({ domains: ['b.example'], entity: { person, nationality: { state: 'CA' } } });
  });

  it('refers to an entity of the register by its id, and shows its changes', async () => {
    const { manager } = tenant;
    const entity = await created(manager, '/crud/entities', entityOf());
    const company = await created(manager, '/crud/companies', { entity: entity.id });
    expect(company.entity).toEqual(entity);
    const renamed = await put(manager, `/crud/entities/${entity.id}`, { ...entity, name: 'Larkspur Capital' });
    expect(renamed.json).toMatchObject({ name: 'Larkspur Capital', version: 2 });
    expect((await manager.get(`/crud/companies/${company.id}`)).json.entity).toEqual(renamed.json);
    const changed = { ...company, entity: { ...renamed.json, name: 'Another name' } };
    const refused = expectRefusal(await put(manager, `/crud/companies/${company.id}`, changed), 400);
    expect(refused.flags).toHaveProperty(['entity.name']);
  });

  it('has a history of its changes, each with who made it', async () => {
    const { manager } = tenant;
    const company = await created(manager, '/crud/companies', { entity: entityOf() });
    await put(manager, `/crud/companies/${company.id}`, { ...company, domains: ['larkspur.example'] });
    const ofCompany = { resource: 'companies', documentId: company.id };
    const { json, headers } = await manager.get('/crud/history', { filter: ofCompany });
    expect(headers.get('x-docs-count')).toBe('2');
    expect(json.map(({ operation }: { operation: string }) => operation)).toEqual(['Update', 'Insert']);
    const me = (await manager.get('/auth/me')).json;
    expect(json[0].changedBy.entity).toMatchObject({ id: me.id, firstName: me.firstName });
    expect(json[0].updatedFields.map(({ field }: { field: string }) => field)).toEqual(['domains[0]']);
    const other = await signedIn('manager2@tapeline.test');
    expect((await other.get('/crud/history', { filter: ofCompany })).json).toEqual([]);
    expectRefusal(await other.get(`/crud/companies/${company.id}`), 404);
    expectRefusal(await (await signedIn(tenant.emails.borrower)).get('/crud/history'), 403);
  });

  it('is created in a list with the others, or none of them is', async () => {
    const { manager } = tenant;
    const countOf = async () => Number((await manager.get('/crud/companies')).headers.get('x-docs-count'));
    const before = await countOf();
    const two = await created(manager, '/crud/companies', [{ entity: entityOf() }, { entity: entityOf() }]);
    expect(two).toHaveLength(2);
    expect(await countOf()).toBe(before + 2);
    const unknown = await manager.post('/crud/companies', [{ entity: entityOf() }, { entity: '0'.repeat(24) }]);
    const refused = expectRefusal(unknown, 400, /^Item 2: /);
    expect(refused.flags).toHaveProperty(['1.entity']);
    expect(await countOf()).toBe(before + 2);
  });

  it('names each field of its body that is wrong', async () => {
    const body = { entity: { name: 'L', formalId: '', nationality: {} }, domains: ['no domain'] };
    const refused = expectRefusal(await tenant.manager.post('/crud/companies', body), 400);
    expect(Object.keys(refused.flags).sort()).toEqual([
      'domains.0',
      'entity.formalId',
      'entity.name',
      'entity.nationality.country',
    ]);
    expect(refused.message).toContain('entity.name');
  });

  it('is written by those who may only', async () => {
    const analyst = await signedIn(tenant.emails.analyst);
    expectRefusal(await analyst.post('/crud/companies', { entity: entityOf() }), 403, 'enough permissions');
    expectRefusal(await analyst.post('/crud/entities', entityOf()), 403, 'enough permissions');
  });
});

describe('an entity', () => {
  it('hides its bank accounts, and those of its history, from who may not change it', async () => {
    const { manager } = tenant;
    const entity = await created(manager, '/crud/entities', entityOf({ banks: [BANK], category: ['Originator'] }));
    expect(entity.banks).toMatchObject([BANK]);
    const other = { ...BANK, accountNumber: '000987654321' };
    await put(manager, `/crud/entities/${entity.id}`, { ...entity, banks: [other] });
    expect((await manager.get('/crud/entities/categories')).json).toContain('Originator');
    const filter = { resource: 'entities', documentId: entity.id };
    expect((await manager.get('/crud/history', { filter })).text).toContain(BANK.accountNumber);

    const analyst = await signedIn(tenant.emails.analyst);
    expect((await analyst.get(`/crud/entities/${entity.id}`)).json.banks).toMatchObject([
      { accountNumber: '****4321' },
    ]);
    const history = await analyst.get('/crud/history', { filter });
    expect(history.json).toHaveLength(2);
    expect(history.text).not.toMatch(/000123456789|000987654321/);
    expect(history.text).toContain('****6789');
  });
});

describe('a service provider', () => {
  it('is created, listed, and updated by the id in the body', async () => {
    const { manager } = tenant;
    const provider = await created(manager, '/crud/serviceProviders', {
      title: 'Northgate Fund Services',
      type: 'Administrator',
      entities: [entityOf()],
    });
    expect(provider).toMatchObject({ title: 'Northgate Fund Services', entities: [{ name: 'Larkspur Receivables' }] });
    expect((await manager.get('/crud/serviceProviders')).json).toEqual([provider]);
    const updated = await put(manager, '/crud/serviceProviders', { ...provider, type: 'Auditor' });
    expect(updated.json).toMatchObject({ id: provider.id, type: 'Auditor', version: 2 });
    const { id: _, ...unnamed } = provider;
    expect(expectRefusal(await put(manager, '/crud/serviceProviders', unnamed), 400).message).toBe('id is required');
  });
});

it('is created by an admin for the manager that X-Manager-Id or the body names', async () => {
  const admin = await signedIn('admin@tapeline.test');
  const [{ id: managerId }] = (await tenant.manager.get('/crud/managers')).json;
  expect(expectRefusal(await admin.post('/crud/companies', { entity: entityOf() }), 400).flags).toHaveProperty(
    'manager',
  );
  const named = await created(admin, '/crud/companies', { entity: entityOf({ name: 'Sedge' }), manager: managerId });
  const narrowed = await admin.call('POST', '/crud/companies', {
    body: { entity: entityOf({ name: 'Rush' }) },
    headers: { 'x-manager-id': managerId },
  });
  expect(narrowed.status, narrowed.text).toBe(201);
  for (const company of [named, narrowed.json]) {
    expect(company.assoc).toEqual({ manager: { id: managerId } });
    expect((await tenant.manager.get(`/crud/companies/${company.id}`)).json).toEqual(company);
  }
});
