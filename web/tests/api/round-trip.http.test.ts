import { User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { beforeAll, expect, it } from 'vitest';
import { endpoints } from '../../app/api/api.server.ts';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { productStore } from '../product-store.ts';
import { ownTenant } from '../tenant.ts';
import { createTwoNotes } from '../two-notes.ts';

const tenant = ownTenant();

/**
 * Collections whose documents can be updated individually at the URL that they are read from. An update of a draw
 * request that changes nothing keeps its version, since a new version is checked again: its own tests cover it.
 * A notification is only read or unread. Holds are for administrators.
 */
const OWN_TESTS = ['/crud/transactionDraws', '/crud/notifications', '/crud/holds'];
const collections = endpoints
  .filter(({ method, path }) => method === 'PUT' && path.endsWith('/{id}'))
  .map(({ path }) => path.replace('/{id}', ''))
  .filter((path) => !OWN_TESTS.includes(path));

// The other roles are shared by all managers, and only administrators change them.
beforeAll(async () => {
  const role = { title: 'Portfolio analyst', level: 12, permissions: ['funds/read'] };
  expect((await tenant.manager.post('/crud/roles', role)).status).toBe(201);
  const sizes = { currency: 'USD', targetSize: 100, hardCap: 150.5 };
  const mainFund = { title: 'Harbour funds', type: 'ComingleFund', strategy: 'ABL', ...sizes };
  expect((await tenant.manager.post('/crud/mainFunds', mainFund)).status).toBe(201);
  const [fund] = (await tenant.manager.get('/crud/funds', { limit: 1 })).json;
  const filter = { title: 'One fund', filters: { funds: [fund.id] } };
  expect((await tenant.manager.post('/crud/groupFilters', filter)).status).toBe(201);
  const account = await tenant.manager.post('/crud/bankAccounts', {
    fund: fund.id,
    title: 'Pay-in account',
    bankName: 'First Tidewater',
    accountNumber: 'US64 0210 0002 1000 4471',
    currency: 'USD',
    openingDate: '2026-01-01',
  });
  const paid = { bankAccount: account.json.id, direction: 'in', amount: 1, bookedOn: '2026-06-12' };
  expect((await tenant.manager.post('/crud/payments', paid)).status).toBe(201);
  const [facility] = (await tenant.manager.get('/crud/transactions', { limit: 1 })).json;
  const period = { from: '2026-07-01', to: '2026-10-01', dueDate: '2027-10-31' };
  const invoice = { transaction: facility.id, noteTitle: facility.notes[0].title, currency: 'USD', ...period };
  expect((await tenant.manager.post('/crud/invoices', invoice)).status).toBe(201);
  const figure = { company: facility.company, title: 'Cash', date: '2026-06-30', value: 2.5, currency: 'USD' };
  expect((await tenant.manager.post('/crud/facilityFigures', figure)).status).toBe(201);
  const covenant = {
    ...{ transaction: facility.id, note: facility.notes[0].id, title: 'Cash', formula: '[Cash]', unit: 'money' },
    ...{ currency: 'USD', bound: 'atLeast', steps: [{ from: '2026-06-30', limit: 2.25 }], frequency: 'quarterly' },
    ...{ firstTest: '2026-06-30', warningDistance: 0.5, consequence: 'defaultRate', defaultRate: 62.5 },
    springing: { formula: '[Cash]', bound: 'atMost', limit: 10.5 },
  };
  expect((await tenant.manager.post('/crud/covenants', covenant)).status).toBe(201);
  const deliverable = {
    ...{ company: facility.company, transaction: facility.id, note: facility.notes[0].id, title: 'Certificate' },
    ...{ kind: 'certificate', frequency: 'quarterly', firstPeriodEnd: '2026-06-30', lastPeriodEnd: '2030-06-30' },
    ...{ daysAfter: 45, clause: '5.1(b)', calendar: 'target', reminders: ['due'] },
  };
  expect((await tenant.manager.post('/crud/deliverables', deliverable)).status).toBe(201);
  const { bases } = await createTwoNotes(tenant.manager);
  const changes = [
    { kind: 'rate', rule: 0, ratePercent: 82.5 },
    { kind: 'haircut', filter: { 'address.state': 'CA' }, percent: 5 },
  ];
  const scenario = { borrowingBase: bases.Senior, title: 'Lower rate', changes };
  expect((await tenant.manager.post('/crud/scenarios', scenario)).status).toBe(201);
});

it('covers the collections that can be updated', () => {
  expect(collections).toEqual(
    expect.arrayContaining([
      '/crud/transactions',
      '/crud/assetsETLs',
      '/crud/companies',
      '/crud/entities',
      '/crud/invoices',
    ]),
  );
});

it.each(collections)('a document of %s that was read is accepted as an update, which changes nothing', async (path) => {
  const [listed] = (await tenant.manager.get(path, { limit: 1 })).json;
  expect(listed, `the tenant has a document of ${path}`).toBeDefined();
  const read = await tenant.manager.get(`${path}/${listed.id}`);
  // One document can say more than a list of them.
  expect(read.json).toMatchObject(listed);
  // Only admins change managers.
  const writer = path === '/crud/managers' ? await signedIn('admin@tapeline.test') : tenant.manager;
  const updated = await writer.call('PUT', `${path}/${listed.id}`, { body: read.text });
  expect(updated.status, updated.text).toBe(200);
  // One document can say more than the answer of its update.
  expect(read.json).toMatchObject(updated.json);
  const send = (fields: object) => writer.call('PUT', `${path}/${listed.id}`, { body: { ...read.json, ...fields } });
  const stale = await send({ version: read.json.version + 1 });
  expect(expectRefusal(stale, 400).flags).toHaveProperty('version');
  // "Success" is the status of no document here.
  for (const status of ['Mystery', 'Success']) {
    expect(expectRefusal(await send({ status }), 400).flags).toHaveProperty('status');
  }
  expect(expectRefusal(await send({ neverAField: 1 }), 400).flags).toEqual({ neverAField: 'is not a known field' });
  expect((await tenant.manager.get(`${path}/${listed.id}`)).json).toEqual(read.json);
});

it('refuses unknown fields and other statuses than the first of a new document', async () => {
  const entity = { name: 'Hillside Capital', formalId: 'HC-1', nationality: { country: 'US' } };
  const post = (fields: object) => tenant.manager.post('/crud/companies', { entity, ...fields });
  for (const [fields, flag] of [
    [{ titel: 'Hillside' }, 'titel'],
    [{ entity: { ...entity, formalID: 'HC-1' } }, 'entity.formalID'],
    [{ status: 'Disabled' }, 'status'],
  ] as const) {
    expect(Object.keys(expectRefusal(await post(fields), 400).flags ?? {})).toEqual([flag]);
  }
  expect((await post({ status: 'Active' })).status).toBe(201);
});

it('takes a change of a commitment as a number or an amount, in the currency of the fund alone', async () => {
  const [fund] = (await tenant.manager.get('/crud/funds', { limit: 1 })).json;
  const [investor] = (await tenant.manager.get('/crud/LPs', { limit: 1 })).json;
  const commit = (amount: unknown) =>
    tenant.manager.post('/crud/LPCommitments', {
      fund: fund.id,
      investor: { id: investor.id, kind: 'LP' },
      Class: fund.classes[0]?.uniqueKey,
      closingDate: '2026-01-31',
      maxCommitment: 100,
      activeCommitment: 50,
      status: 'Draft',
      deltas: [{ date: '2026-03-31', amount }],
    });
  const other = fund.currency === 'EUR' ? 'USD' : 'EUR';
  expect(Object.keys(expectRefusal(await commit({ sum: 5, currency: other }), 400).flags ?? {})).toEqual([
    'deltas.0.amount',
  ]);
  const made = await commit({ sum: 5, currency: fund.currency });
  // The tenant's investors have their commitment already, which the last check says.
  const problems = made.status === 201 ? {} : (expectRefusal(made, 400).flags ?? {});
  expect(Object.keys(problems).filter((path) => path.startsWith('deltas'))).toEqual([]);
});

it('stores a Draft contract whose condition cannot be read, and names it in the answer', async () => {
  const [listed] = (await tenant.manager.get('/crud/transactions', { limit: 1 })).json;
  const { json: stored } = await tenant.manager.get(`/crud/transactions/${listed.id}`);
  const [contract] = stored.notes[0].contracts;
  const { id: _, ...terms } = contract;
  const draft = {
    ...terms,
    status: 'Draft',
    eligibilityRules: [{ title: 'Unknown field', filter: { neverAField: 1 } }],
  };
  const notes = [{ ...stored.notes[0], contracts: [...stored.notes[0].contracts, draft] }, ...stored.notes.slice(1)];
  const change = (body: object) => tenant.manager.call('PUT', `/crud/transactions/${listed.id}`, { body });
  const changed = await change({ ...stored, notes });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.json.warnings).toEqual([
    expect.stringMatching(/^notes\.0\.contracts\.\d+\.eligibilityRules\.0\.filter.*neverAField/),
  ]);
  const { warnings: __, ...read } = changed.json;
  expect((await tenant.manager.get(`/crud/transactions/${listed.id}`)).json).toMatchObject(read);
});

it('filters by the parts of an amount as the document has it', async () => {
  const [fund] = (await tenant.manager.get('/crud/funds', { limit: 1 })).json;
  const titles = async (filter: object) =>
    (await tenant.manager.get('/crud/funds', { filter: { id: fund.id, ...filter } })).json.map(
      ({ title }: { title: string }) => title,
    );
  const { sum, currency } = fund.targetSize;
  expect(await titles({ 'targetSize.sum': sum, 'targetSize.currency': currency })).toEqual([fund.title]);
  expect(await titles({ 'targetSize.sum': { gt: sum } })).toEqual([]);
});

it('says in a sentence which field of a body is wrong', async () => {
  const [mapping] = (await tenant.manager.get('/crud/assetsETLs', { limit: 1 })).json;
  const refused = expectRefusal(
    await tenant.manager.call('PUT', `/crud/assetsETLs/${mapping.id}`, { body: { ...mapping, version: undefined } }),
    400,
  );
  expect(refused).toMatchObject({ message: 'version is required', flags: { version: 'is required' } });
  const [transaction] = (await tenant.manager.get('/crud/transactions', { limit: 1 })).json;
  const { title: _, ...untitled } = transaction;
  expect(expectRefusal(await tenant.manager.post('/crud/transactions', untitled), 400)).toMatchObject({
    message: 'title is required',
    flags: { title: 'is required' },
    issues: [{ path: ['title'], message: 'is required' }],
  });
  expect(expectRefusal(await tenant.manager.post('/crud/transactions', [transaction, untitled]), 400)).toMatchObject({
    message: '1.title is required',
    flags: { '1.title': 'is required' },
  });
  expect(expectRefusal(await tenant.manager.post('/crud/transactions', []), 400).message).toBe(
    'The request must have 1 to 500 items',
  );
});

it('answers a change with the document to who may read it, and with its id and version to who may only write it', async () => {
  const email = `writer-${newId(new Date())}@tapeline.test`;
  const [fund] = (await tenant.manager.get('/crud/funds', { limit: 1 })).json;
  const store = await productStore();
  await store.as(SYSTEM, async ({ em, now }) => {
    const manager = await em.findOneOrFail(User, { email: tenant.emails.manager });
    em.create(User, {
      id: newId(now),
      email,
      firstName: 'Hedda',
      lastName: 'Stone',
      type: 'manager',
      assoc: { manager: { id: manager.managerId! } },
      managerId: manager.managerId,
      roleId: manager.roleId,
      exclusiveResources: ['funds/read'],
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
    });
  });
  const read = await tenant.manager.get(`/crud/funds/${fund.id}`);
  const writer = await signedIn(email);
  expectRefusal(await writer.get(`/crud/funds/${fund.id}`), 403);
  const put = (client: ApiClient, headers = {}) =>
    client.call('PUT', `/crud/funds/${fund.id}`, { body: read.text, headers });
  const shown = await put(tenant.manager);
  expect([shown.status, shown.json]).toMatchObject([200, { id: fund.id, title: fund.title }]);
  const key = { 'idempotency-key': newId(new Date()) };
  const told = [200, { id: fund.id, version: read.json.version }];
  for (const headers of [{}, key, key]) {
    const answer = await put(writer, headers);
    expect([answer.status, answer.json]).toEqual(told);
  }
});
