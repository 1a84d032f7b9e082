import { beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let fund: string;
/** What the tenant's own investor owes of a call that is overdue, and what one without users and contacts does. */
let own: { document: string; activity: string; state: string };
let other: typeof own;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const remind = (document: string, currency = 'USD', api = tenant.manager) =>
  api.post(`/crud/obligations/${document}/reminders`, { currency });

beforeAll(async () => {
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 6000, hardCap: 6000 };
  fund = (await created('/crud/funds', { title: 'Carrick Fund', ...terms })).id;
  const [investor] = (await (await screensOf(tenant.emails.investor)).api.get('/crud/LPs')).json;
  const entity = { name: 'Restronguet Life', formalId: 'Restronguet Life', nationality: { country: 'US' } };
  const second = await created('/crud/LPs', { title: 'Restronguet Life', entity });
  for (const id of [investor.id, second.id])
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2025-12-15',
      maxCommitment: 1000,
    });
  await created('/crud/bankAccounts', {
    fund,
    title: 'Pay-in account',
    bankName: 'First Tidewater',
    accountNumber: 'GB29 NWBK 6016 1331 9268 19',
    currency: 'USD',
    openingDate: '2025-12-01',
  });
  await created('/crud/contributions', {
    fund,
    cutOffDate: '2025-12-16',
    dueDate: '2026-01-05',
    callNumber: '1',
    amount: { sum: 400, currency: 'USD' },
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 400 }],
    status: 'Active',
  });
  const found = (await tenant.manager.get('/crud/obligations', { fund } as never)).json;
  own = found.find(({ party }: { party: { id: string } }) => party.id === investor.id);
  other = found.find(({ party }: { party: { id: string } }) => party.id === second.id);
});

test('a fund sends all reminders until it chooses, and a choice that is left out stays', async () => {
  const all = ['before', 'due', 'late1', 'late5', 'late10'];
  const read = async () => (await tenant.manager.get(`/crud/funds/${fund}`)).json;
  const { id: _, ...first } = await read();
  expect(first.reminders).toEqual(all);
  const put = (body: object) => tenant.manager.call('PUT', `/crud/funds/${fund}`, { body });
  const body = { ...first, targetSize: 6000, hardCap: 6000 };
  const unknown = await put({ ...body, reminders: ['late2'] });
  expect(unknown.status, unknown.text).toBe(400);
  const chosen = await put({ ...body, reminders: ['late10', 'due'] });
  expect(chosen.json, chosen.text).toMatchObject({ reminders: ['due', 'late10'] });
  const { reminders: __, ...rest } = body;
  expect((await put({ ...rest, version: chosen.json.version })).json).toMatchObject({ reminders: ['due', 'late10'] });
});

test('the form of a fund switches its reminders, and refuses a stale version', async () => {
  const manager = await screensOf(tenant.emails.manager);
  const { version } = (await tenant.manager.get(`/crud/funds/${fund}`)).json;
  const page = await manager.get(paths.fundReminders(fund));
  expect(page.status).toBe(200);
  expect(page.text).toContain('10 business days after');
  const sent = await manager.submit(paths.fundReminders(fund), {
    intent: 'save',
    fundVersion: String(version),
    before: 'on',
    late5: 'on',
  });
  expect(sent.status, sent.text).toBe(302);
  expect((await tenant.manager.get(`/crud/funds/${fund}`)).json).toMatchObject({ reminders: ['before', 'late5'] });
  const stale = await manager.submit(paths.fundReminders(fund), { intent: 'save', fundVersion: String(version) });
  expect(stale.status).not.toBe(302);
  expect((await tenant.manager.get(`/crud/funds/${fund}`)).json).toMatchObject({ reminders: ['before', 'late5'] });
  const investor = await screensOf(tenant.emails.investor);
  expect((await investor.get(paths.fundReminders(fund))).status).toBe(403);
});

test('an investor is reminded by hand once a day, and the pages list it', async () => {
  expect(own.state).toBe('overdue');
  const nobody = await remind(other.document);
  expect(nobody.status).toBe(400);
  expect(nobody.text).toContain('No user or contact of the investor can be told');
  expect((await remind(own.document, 'EUR')).status).toBe(404);
  const manager = await screensOf(tenant.emails.manager);
  const asked = await manager.get(paths.remind({ document: own.document, currency: 'USD' }));
  expect(asked.text).toContain(tenant.emails.investor);
  const sent = await remind(own.document);
  expect([sent.status, sent.json], sent.text).toMatchObject([201, { document: own.document, state: 'overdue' }]);
  const again = await remind(own.document);
  expect([again.status, again.text]).toEqual([400, expect.stringContaining('A reminder was already sent today')]);
  const amount = await manager.get(paths.obligation(own.document));
  expect(amount.text).toContain('Reminder: sent by hand');
  expect(amount.text).not.toContain('Send a reminder');
  expect((await manager.get(paths.capitalCall(own.activity))).text).toContain('Reminder: sent by hand');
  // Everybody who can be reminded was.
  const all = await manager.get(paths.remind({ activity: own.activity, currency: 'USD' }));
  expect(all.text).not.toContain(own.document);

  const { api } = await screensOf(tenant.emails.investor);
  expect((await remind(own.document, 'USD', api)).status).toBe(403);
  const told = (await api.get('/crud/notifications')).json as { title: string; description: string }[];
  const reminder = told.find(({ title }) => title.includes('Carrick Fund: capital call 1 was due'));
  expect(reminder?.description).toContain('Amount to pay: 200.00 USD');
});
