import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ApiClient, expectRefusal, signedIn } from './api-client.ts';
import { addApprovedDraw } from './approved-draw.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let borrower: ApiClient;
let screens: ScreenClient;
let borrowerScreens: ScreenClient;
let transaction: string;
let note: string;

beforeAll(async () => {
  ({ transactionId: transaction, noteId: note } = await addApprovedDraw(tenant.emails.manager, {
    dueDate: '2026-08-03',
    sum: '10000000',
  }));
  borrower = await signedIn(tenant.emails.borrower);
  screens = await screensOf(tenant.emails.manager);
  borrowerScreens = await screensOf(tenant.emails.borrower);
});

const body = (more: object = {}) => ({
  transaction,
  noteTitle: 'Senior',
  currency: 'USD',
  from: '2026-08-03',
  to: '2026-09-01',
  dueDate: '2027-09-15',
  ...more,
});
const feesOf = (lines: { kind: string; title: string; amount: unknown }[]) =>
  lines.filter(({ kind }) => kind === 'fees').map(({ title, amount }) => [title, amount]);

it('calls propose, prepare, issue and withdraw an invoice, which its borrower sees while it is issued', async () => {
  const proposed = await tenant.manager.get('/crud/invoices/proposal', {
    transaction,
    note,
    from: '2026-08-03',
    to: '2026-09-01',
  });
  expect(proposed.status, proposed.text).toBe(200);
  // 35,000,000 of 45,000,000 are undrawn for 29 days at 0.5%.
  expect(feesOf(proposed.json.lines)).toEqual([['Unused fee', { sum: 14_097.22, currency: 'USD' }]]);

  const drafted = await tenant.manager.post('/crud/invoices', body({ principal: { sum: 500_000, currency: 'USD' } }));
  expect(drafted.status, drafted.text).toBe(201);
  expect(drafted.json).toMatchObject({
    status: 'Draft',
    number: 1,
    transaction: { id: transaction },
    noteTitle: 'Senior',
    waterfall: ['fees', 'interest', 'principal'],
    open: null,
  });
  const { id, version, lines } = drafted.json;
  // The tenant has no fixings, so its interest is unknown.
  expect(lines[0]).toMatchObject({ kind: 'interest', amount: null, unknown: expect.stringContaining('no fixing') });
  expect((await borrower.get(`/crud/invoices/${id}`)).status).toBe(404);
  const issued = await tenant.manager.call('PUT', `/crud/invoices/${id}/issue`, {
    body: { version, amount: { sum: 1, currency: 'USD' } },
  });
  expect(expectRefusal(issued, 400).message).toContain('no fixing');
  expect((await borrower.post('/crud/invoices', body())).status).toBe(403);
  const change = (fields: object, client = tenant.manager) =>
    client.call('PUT', `/crud/invoices/${id}`, {
      body: { version, from: '2026-08-03', to: '2026-09-01', dueDate: '2027-09-15', ...fields },
    });
  const changed = await change({ to: '2026-08-18', dueDate: '2027-09-01', description: 'Half a month' });
  expect(changed.json).toMatchObject({ version: version + 1, to: '2026-08-18', description: 'Half a month' });
  // 35,000,000 are undrawn for 15 days.
  expect(feesOf(changed.json.lines)).toEqual([['Unused fee', { sum: 7_291.67, currency: 'USD' }]]);
  expect(expectRefusal(await change({}), 400).flags).toHaveProperty('version');
  expect(expectRefusal(await change({ version: version + 1, to: '2026-08-03' }), 400).flags).toHaveProperty('to');
  expect((await change({ version: version + 1 }, borrower)).status).toBe(403);
  const removed = await tenant.manager.call('PUT', `/crud/invoices/${id}/withdraw`, {
    body: { version: version + 1, reason: 'Prepared too early' },
  });
  expect(removed.json).toMatchObject({ status: 'Removed', removalReason: 'Prepared too early' });
});

it('plain forms prepare, issue and withdraw an invoice, and its PDF is downloaded', async () => {
  const rates = await tenant.manager.get('/crud/tables', { filter: { name: 'Base rates' } });
  const [list] = rates.json;
  const saved = await tenant.manager.call('PUT', `/crud/tables/${list.id}`, {
    body: { ...list, values: [...list.values, { title: 'SOFR', date: '2026-08-01', rate: 4.25 }] },
  });
  expect(saved.status, saved.text).toBe(200);

  const asked = await screens.get(`${paths.newInvoice({ transaction, note })}&from=2026-08-03&to=2026-09-01`);
  expect(asked.text).toContain('14,097.22');
  const form = { intent: 'prepare', ...body(), waterfall: 'fees,interest,principal', principal: '', description: '' };
  const early = await screens.submit(paths.newInvoice({ transaction, note }), { ...form, dueDate: '2026-08-31' });
  expect(early.status).toBe(422);
  expect(early.text).toContain('not be before the end of the period');
  const prepared = await screens.submit(paths.newInvoice({ transaction, note }), form);
  expect(prepared.status, prepared.text.slice(0, 300)).toBe(302);
  const path = prepared.headers.get('location') ?? '';
  const id = path.split('/').at(-1) ?? '';

  const first = (await tenant.manager.get(`/crud/invoices/${id}`)).json;
  const changes = { intent: 'change', seenVersion: String(first.version), waterfall: 'interest,fees,principal' };
  const change = (fields: Record<string, string>, client = screens) =>
    client.submit(path, { ...changes, from: '2026-08-03', to: '2026-09-01', dueDate: '2027-09-20', ...fields });
  expect((await screens.get(`${path}?ask=change`)).text).toContain('Save draft');
  expect((await change({ dueDate: '2026-08-31' })).text).toContain('not be before the end of the period');
  expect((await change({}, borrowerScreens)).status).toBe(403);
  expect((await change({ description: 'August' })).status).toBe(302);
  expect((await change({ description: 'September' })).status).toBe(422);
  const draft = (await tenant.manager.get(`/crud/invoices/${id}`)).json;
  expect(draft).toMatchObject({
    dueDate: '2027-09-20',
    description: 'August',
    waterfall: ['interest', 'fees', 'principal'],
  });
  // 10,000,000 for 29 days at 8.50%, and the fee.
  expect(draft.amount).toEqual({ sum: 82_569.44, currency: 'USD' });
  const act = (fields: Record<string, string>, client = screens) => client.submit(path, fields);
  const seen = { intent: 'issue', seenVersion: String(draft.version), amount: '82569.44' };
  const question = await act(seen);
  expect(question.headers.get('location')).toContain('confirm=issue');
  expect((await act({ ...seen, confirmed: 'yes' }, borrowerScreens)).status).toBe(403);
  expect((await act({ ...seen, amount: '82569.45', confirmed: 'yes' })).status).toBe(422);
  expect((await act({ ...seen, confirmed: 'yes' })).status).toBe(302);

  const own = await borrowerScreens.get(path);
  expect(own.text).toContain('82,569.44');
  expect(own.text).not.toContain('>Withdraw<');
  const facility = await borrowerScreens.get(paths.transaction(transaction, { view: 'draws' }));
  expect(facility.text).toContain(path);
  const file = await borrowerScreens.get(paths.invoiceFile(id));
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const owed = await borrower.get('/crud/obligations', { kind: 'invoice' });
  expect(owed.json).toMatchObject([{ document: id, open: { sum: 82_569.44, currency: 'USD' } }]);

  const { version } = (await tenant.manager.get(`/crud/invoices/${id}`)).json;
  const withdraw = { intent: 'withdraw', seenVersion: String(version) };
  expect((await act({ ...withdraw, reason: ' ' })).status).toBe(422);
  expect((await act({ ...withdraw, reason: 'Agreed otherwise' })).status).toBe(302);
  expect((await borrowerScreens.get(path)).status).toBe(404);
});
