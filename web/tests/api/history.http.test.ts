import { expect, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();

interface Wire {
  id: string;
  operation: string;
  resource: string;
  documentId: string;
  updatedFields: { field: string; old: unknown; new: unknown }[];
  changedBy: { entity: { id?: string }; agent: string | null };
  changedAt: string;
  recordedAt: string;
}

const history = async (client: ApiClient, query: Record<string, unknown>): Promise<Wire[]> => {
  const answer = await client.get('/crud/history', query);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};

const BANK = { title: 'Main account', accountNumber: '000123456789', address: '1 High Street', type: 'Business' };

it('lists what changed, field by field, with who and when, and filters by each of them', async () => {
  const { manager } = tenant;
  const entity = (
    await manager.post('/crud/entities', {
      name: 'Larkspur Receivables',
      formalId: 'LR-1',
      nationality: { country: 'US' },
      banks: [{ ...BANK, IBAN: 'DE75512108001245126199' }],
    })
  ).json;
  const answer = await manager.call('PUT', `/crud/entities/${entity.id}`, {
    body: { ...entity, banks: [{ ...BANK, IBAN: 'DE02120300000000202051' }], category: ['Originator'] },
  });
  expect(answer.status, answer.text).toBe(200);
  const ofEntity = { resource: 'entities', documentId: entity.id };
  const [change, created] = await history(manager, { filter: ofEntity });
  expect(change).toMatchObject({ operation: 'Update', ...ofEntity });
  expect(change?.updatedFields.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual([
    { field: 'banks[0].IBAN', old: 'DE75512108001245126199', new: 'DE02120300000000202051' },
    { field: 'category[0]', old: null, new: 'Originator' },
  ]);
  expect(Date.parse(change!.recordedAt)).toBeGreaterThanOrEqual(Date.parse(change!.changedAt));
  expect(created?.operation).toBe('Insert');

  const me = (await manager.get('/auth/me')).json.id;
  const since = { changedAt: { gte: change!.changedAt } };
  const found = (filter: object, more: object = {}) =>
    history(manager, { filter: { ...ofEntity, ...filter }, ...more }).then((all) => all.map(({ id }) => id));
  const both = [change!.id, created!.id];
  expect(await found({ 'changedBy.entity.id': me })).toEqual(both);
  expect(await found({ 'changedBy.entity.id': '0'.repeat(24) })).toEqual([]);
  expect(await found({ operation: 'Update' })).toEqual([change!.id]);
  expect(await found(since)).toEqual([change!.id]);
  expect(await found({}, { field: 'category' })).toEqual(both);
  expect(await found({}, { field: 'name' })).toEqual([created!.id]);
  expect(await found({}, { sort: { changedAt: 1 } })).toEqual(both.toReversed());
  expect(await found({}, { limit: 1, skip: 1 })).toEqual([created!.id]);
  const groups = await manager.get('/crud/history', {
    filter: ofEntity,
    groupBy: { accumulator: '$sum', by: 'operation' },
  });
  expect(groups.json).toEqual([
    { key: 'Insert', value: 1, count: 1 },
    { key: 'Update', value: 1, count: 1 },
  ]);
  expectRefusal(await manager.get('/crud/history', { filter: { updatedFields: 'x' } }), 400);
});

it('is for holders of history/read, and shows only the collections that they can read', async () => {
  for (const email of [tenant.emails.borrower, tenant.emails.investor]) {
    expectRefusal(await (await signedIn(email)).get('/crud/history'), 403);
  }
  const analyst = await signedIn(tenant.emails.analyst);
  const resources = new Set((await history(analyst, { limit: 1000 })).map(({ resource }) => resource));
  expect(resources).toContain('transactions');
  const other = await signedIn('manager2@tapeline.test');
  const [own] = await history(tenant.manager, { limit: 1 });
  expect(await history(other, { filter: { documentId: own!.documentId } })).toEqual([]);
});

it('exports the filtered changes, one row per field, with formulas made harmless', async () => {
  const { manager } = tenant;
  const formula = '=HYPERLINK("http://x.example")';
  const entity = { name: formula, formalId: 'LR-2', nationality: { country: 'US' } };
  await manager.post('/crud/entities', entity);
  const client = await screensOf(tenant.emails.manager);
  const search = '?collection=entities&operation=Insert';
  const csv = await client.get(paths.historyExport('csv', search));
  expect(csv.status, csv.text).toBe(200);
  const [head, ...rows] = csv.text.trimEnd().split('\n');
  expect(head).toBe(
    'when,recorded,who,operation,collection,document,documentId,field,path,before,after,unit,numberBefore,numberAfter,address,client',
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.some((row) => row.includes('Name,name,,"\'=HYPERLINK(""http://x.example"")"'))).toBe(true);
  expect([...new Set(rows.map((row) => row.includes(',Created,Entity,')))]).toEqual([true]);
  const workbook = await client.get(paths.historyExport('xlsx', search));
  expect(workbook.headers.get('content-type')).toContain('spreadsheetml');
  expect(workbook.text.startsWith('PK')).toBe(true);
  expect((await client.get('/history/export?format=pdf')).status).toBe(400);
  const borrower = await screensOf(tenant.emails.borrower);
  expect((await borrower.get(paths.historyExport('csv', ''))).status).toBe(403);
});

it('an admin deletes removed documents for good by permanent=true; nobody else does', async () => {
  const { manager } = tenant;
  const me = (await manager.get('/auth/me')).json;
  const email = `leaver-${me.id}@tapeline.test`;
  const body = { firstName: 'Lea', lastName: 'Verne', email, type: 'manager', assoc: me.assoc, role: me.role };
  const created = await manager.post('/crud/users', body);
  expect(created.status, created.text).toBe(201);
  const { id } = created.json;
  const remove = (client: ApiClient, query: Record<string, unknown>) =>
    client.call('DELETE', '/crud/users', { query: { ids: [id], ...query } });
  const admin = await signedIn('admin@tapeline.test');
  expectRefusal(await remove(admin, { permanent: 'true' }), 400, /^Remove the user first/);
  expect((await remove(manager, {})).status).toBe(200);
  expectRefusal(await remove(manager, { permanent: 'true' }), 403, /Only an admin/);
  expectRefusal(await remove(admin, { permanent: 'yes' }), 400);
  const deleted = await remove(admin, { permanent: 'true' });
  expect([deleted.status, deleted.json]).toEqual([200, { ids: [id] }]);
  expectRefusal(await remove(admin, { permanent: 'true' }), 404);
  const changes = await history(manager, { filter: { resource: 'users', documentId: id } });
  expect(changes.map(({ operation }) => operation)).toEqual(['Permanent Delete', 'Delete', 'Insert']);
});
