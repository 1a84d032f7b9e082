import { beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let fund: string;
let account: string;
/** What the tenant's own investor owes of the call, and what another one does. */
let own: { document: string; amount: { sum: number }; reference: string; party: { id: string } };
let other: typeof own;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const put = (path: string, body: unknown) => tenant.manager.call('PUT', path, { body });
const obligations = async (query: object = {}) =>
  (await tenant.manager.get('/crud/obligations', { fund, ...query } as never)).json;

/** 1,000 and 3,000 committed, 400 called, due on 1 January 2026. */
beforeAll(async () => {
  fund = (
    await created('/crud/funds', {
      title: 'Fal Fund',
      type: 'ComingleFund',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 6000,
      hardCap: 6000,
    })
  ).id;
  const [investor] = (await (await screensOf(tenant.emails.investor)).api.get('/crud/LPs')).json;
  const entity = { name: 'Carrick Life', formalId: 'Carrick Life', nationality: { country: 'US' } };
  const second = await created('/crud/LPs', { title: 'Carrick Life', entity });
  for (const [id, maxCommitment] of [
    [investor.id, 1000],
    [second.id, 3000],
  ])
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2025-12-15',
      maxCommitment,
    });
  await created('/crud/contributions', {
    fund,
    cutOffDate: '2025-12-16',
    dueDate: '2026-01-01',
    callNumber: '1',
    amount: { sum: 400, currency: 'USD' },
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 400 }],
    status: 'Active',
  });
  account = (
    await created('/crud/bankAccounts', {
      fund,
      title: 'Pay-in account',
      bankName: 'First Tidewater',
      accountNumber: 'GB29 NWBK 6016 1331 9268 19',
      BIC: 'nwbkgb2l',
      currency: 'USD',
      openingDate: '2025-12-01',
      openingBalance: 10,
    })
  ).id;
  const found = await obligations();
  own = found.find(({ party }: typeof own) => party.id === investor.id);
  other = found.find(({ party }: typeof own) => party.id === second.id);
});

const pay = (more: object) =>
  tenant.manager.post('/crud/payments', {
    bankAccount: account,
    direction: 'in',
    amount: 150,
    bookedOn: '2025-12-30',
    ...more,
  });
const part = (amount: number, { document } = other) => ({ kind: 'contribution', document, amount });

test('an account is read as it was created, changed, and refused a second time', async () => {
  const read = (await tenant.manager.get(`/crud/bankAccounts/${account}`)).json;
  expect(read).toMatchObject({ BIC: 'NWBKGB2L', openingBalance: { sum: 10, currency: 'USD' }, tolerance: { sum: 50 } });
  const changed = await put(`/crud/bankAccounts/${account}`, { ...read, title: 'Calls' });
  expect(changed.json, changed.text).toMatchObject({ title: 'Calls', version: read.version + 1 });
  const { title, bankName, currency, openingDate } = read;
  const again = await tenant.manager.post('/crud/bankAccounts', {
    title,
    bankName,
    currency,
    openingDate,
    accountNumber: 'gb29nwbk60161331926819',
  });
  expect(again.status, again.text).toBe(400);
  expect(again.text).toContain('accountNumber');
});

test('a payment is recorded, allocated up to what is open, reversed, and leaves a credit', async () => {
  expect(other).toMatchObject({ amount: { sum: 300 }, reference: expect.stringMatching(/^FF\d+-C1-\d{3}-\d$/) });
  const payment = (await pay({ party: { kind: 'LP', id: other.party.id } })).json;
  expect(payment).toMatchObject({ allocated: { sum: 0 }, credit: { sum: 150 }, valuedOn: '2025-12-30' });
  const path = `/crud/payments/${payment.id}`;
  const beyond = await tenant.manager.post(`${path}/allocations`, {
    version: payment.version,
    allocations: [part(150.01)],
  });
  expect(beyond.status).toBe(400);
  expect(beyond.text).toContain('at most the 150.00 USD that is left');
  const allocated = await tenant.manager.post(`${path}/allocations`, {
    version: payment.version,
    allocations: [part(140)],
  });
  expect(allocated.json, allocated.text).toMatchObject({ allocated: { sum: 140 }, credit: { sum: 10 } });
  expect((await obligations({ document: other.document }))[0]).toMatchObject({
    state: 'overdue',
    allocated: { sum: 140 },
    open: { sum: 160 },
    paidOn: '2025-12-30',
  });
  const stale = await tenant.manager.post(`${path}/allocations`, { version: payment.version, allocations: [part(1)] });
  expect(stale.text).toContain('Someone else has changed this');
  const reversal = { allocation: allocated.json.allocations[0].id, reason: 'Of another call' };
  const reversed = await tenant.manager.post(`${path}/reversals`, reversal);
  expect(reversed.json).toMatchObject({ credit: { sum: 150 }, allocations: [{ reversalReason: 'Of another call' }] });
  expect((await tenant.manager.post(`${path}/reversals`, reversal)).status).toBe(400);
  const updated = await put(path, { ...reversed.json, note: 'Asked the investor' });
  expect(updated.json, updated.text).toMatchObject({ note: 'Asked the investor' });
  const removed = await put('/crud/payments/bulk', [
    { id: payment.id, version: updated.json.version, status: 'Removed', removalReason: 'Recorded twice' },
  ]);
  expect(removed.status, removed.text).toBe(200);
  const history = await tenant.manager.get('/crud/history', { filter: { documentId: payment.id } });
  expect(history.text).toContain('removalReason');
});

test('what is open is closed with a difference and a reason, and opened again', async () => {
  const path = `/crud/obligations/${other.document}`;
  const close = (amount: number) =>
    tenant.manager.post(`${path}/differences`, { currency: 'USD', amount, reason: 'bankCharges' });
  expect((await close(300.01)).status).toBe(400);
  const closed = await close(300);
  expect(closed.json, closed.text).toMatchObject({ state: 'paid', open: { sum: 0 }, difference: { sum: 300 } });
  const opened = await tenant.manager.post(`${path}/reversals`, {
    difference: closed.json.differences[0].id,
    reason: 'They pay after all',
  });
  expect(opened.json, opened.text).toMatchObject({ open: { sum: 300 }, difference: { sum: 0 } });
});

test('payments are marked as not ours by REST and on the queue, and put back on their page', async () => {
  const screens = await screensOf(tenant.emails.manager);
  const fees = [
    (await pay({ amount: 45, direction: 'out', remittance: 'Account maintenance fee' })).json,
    (await pay({ amount: 46, direction: 'out', remittance: 'Account maintenance fee' })).json,
  ];
  expect(fees.map(({ ownItem }) => ownItem)).toEqual([null, null]);
  const [{ id, version }] = fees;
  const marked = await put('/crud/payments/ownItems', [{ id, version, ownItem: 'fee' }]);
  expect(marked.json, marked.text).toMatchObject([{ ownItem: 'fee', credit: { sum: 0 } }]);
  expect((await put('/crud/payments/ownItems', [{ id, version, ownItem: 'gift' }])).status).toBe(400);
  expect((await put('/crud/payments/ownItems', [])).status).toBe(400);
  const { api } = await screensOf(tenant.emails.investor);
  const refused = await api.call('PUT', '/crud/payments/ownItems', { body: [{ id, version, ownItem: 'fee' }] });
  expect(refused.status).toBe(403);

  const none = await screens.submit(paths.toMatch(), { otherIntent: 'own?ownItem=fee' });
  expect([none.status, read(none).includes('Choose at least one payment')]).toEqual([422, true]);
  const chosen = JSON.stringify({ id: fees[1].id, version: fees[1].version });
  const done = await screens.submit(paths.toMatch(), { otherIntent: 'own?ownItem=interest', payments: chosen });
  expect([done.status, done.headers.get('location')]).toEqual([302, paths.toMatch({ marked: 1 })]);
  const page = read(await screens.get(paths.payment(fees[1].id)));
  expect(page).toContain('Bank interest. This payment does not need to be matched.');
  const { version: current } = (await tenant.manager.get(`/crud/payments/${fees[1].id}`)).json;
  await screens.submit(paths.payment(fees[1].id), { intent: 'own', paymentVersion: String(current) });
  expect((await tenant.manager.get(`/crud/payments/${fees[1].id}`)).json.ownItem).toBeNull();
});

test('the page of an amount closes what is open with a reason, says who did, and reverses it', async () => {
  const screens = await screensOf(tenant.emails.manager);
  const at = paths.obligation(own.document, { currency: 'USD' });
  const sent = { intent: 'close', currency: 'USD', note: 'The bank on the way kept it' };
  const none = await screens.submit(at, { ...sent, amount: '1', reason: '' });
  expect(none.status).toBe(422);
  const beyond = await screens.submit(at, { ...sent, amount: '100.01', reason: 'bankCharges' });
  expect(read(beyond)).toContain('at most the 100.00 USD that is open');
  const closed = await screens.submit(at, { ...sent, amount: '100', reason: 'bankCharges' });
  expect([closed.status, closed.headers.get('location')]).toEqual([302, at]);
  const page = read(await screens.get(at));
  expect(page).toMatch(/The bank on the way kept it Closed \d.*, Mara Holt State Reverse/);
  const [{ differences }] = await obligations({ document: own.document });
  const reopened = await screens.submit(at, {
    intent: 'reopen',
    difference: differences[0].id,
    reason: 'They paid it',
  });
  expect([reopened.status, reopened.headers.get('location')]).toEqual([302, at]);
  expect(read(await screens.get(at))).toMatch(/Reversed by .*: They paid it/);
  const investor = await screensOf(tenant.emails.investor);
  expect((await investor.get(at)).status).toBe(404);
});

test('an investor sees its own obligations and neither payments nor accounts', async () => {
  await pay({ amount: 5, remittance: 'Private words', allocations: [part(5)] });
  const { api } = await screensOf(tenant.emails.investor);
  const seen = await api.get('/crud/obligations', { fund });
  expect(seen.json.map(({ document }: typeof own) => document)).toEqual([own.document]);
  expect(seen.text).not.toContain('Private words');
  for (const path of ['/crud/payments', '/crud/bankAccounts']) expect((await api.get(path)).status).toBe(403);
  const paying = await api.post('/crud/payments', {
    bankAccount: account,
    direction: 'in',
    amount: 1,
    bookedOn: '2026-01-02',
  });
  expect(paying.status).toBe(403);
});

test('an overpayment is paid back by a payment that went out, by a call and on the screen, and that is reversed', async () => {
  const party = { kind: 'LP', id: other.party.id };
  const paid = (await pay({ party, amount: 90, bookedOn: '2026-01-05' })).json;
  const back = (await pay({ direction: 'out', amount: 60, bookedOn: '2026-01-07' })).json;
  const path = `/crud/payments/${back.id}`;
  const returning = (amount: number, version = back.version) =>
    tenant.manager.post(`${path}/returns`, { version, returns: [{ payment: paid.id, amount }] });
  const beyond = await returning(60.01);
  expect([beyond.status, beyond.text]).toEqual([400, expect.stringContaining('at most the 60.00 USD that is left')]);
  const returned = await returning(50);
  expect(returned.status, returned.text).toBe(201);
  expect(returned.json).toMatchObject({
    party,
    credit: { sum: 10 },
    allocations: [{ kind: 'credit', document: paid.id, number: String(paid.code), amount: { sum: 50 } }],
  });
  const received = async () => (await tenant.manager.get(`/crud/payments/${paid.id}`)).json;
  expect(await received()).toMatchObject({ allocated: { sum: 50 }, credit: { sum: 40 } });
  expect((await returning(1)).text).toContain('Someone else has changed this');

  const client = await screensOf(tenant.emails.manager);
  const page = await client.get(paths.payment(back.id));
  expect(page.text).toContain('Return a credit');
  expect(page.text).toContain(`payment ${paid.code} of`);
  const sent = await client.submit(paths.payment(back.id), {
    intent: 'returnCredit',
    paymentVersion: String(returned.json.version),
    credit: paid.id,
    part: '',
  });
  expect(sent.status, sent.text).toBe(302);
  expect((await received()).credit).toMatchObject({ sum: 30 });
  const own = (await received()).allocations.find(({ amount }: { amount: { sum: number } }) => amount.sum === 50);
  const reversed = await tenant.manager.post(`/crud/payments/${paid.id}/reversals`, {
    allocation: own.id,
    reason: 'Of another investor',
  });
  expect(reversed.json, reversed.text).toMatchObject({ credit: { sum: 80 } });
  expect((await tenant.manager.get(path)).json).toMatchObject({ credit: { sum: 50 } });
  const { api } = await screensOf(tenant.emails.investor);
  expect((await api.post(`${path}/returns`, { version: 1, returns: [{ payment: paid.id, amount: 1 }] })).status).toBe(
    403,
  );
});

test('the search finds what is owed and what pays it by the reference, for those who can see it', async () => {
  const manager = await screensOf(tenant.emails.manager);
  const found = read(await manager.get(`/search?q=${encodeURIComponent(own.reference.toLowerCase())}`));
  expect(found).toContain('Owed amounts');
  expect(found).toContain(own.reference);
  // Investors have no page of what is owed: their calls say it.
  const investor = await screensOf(tenant.emails.investor);
  expect(read(await investor.get(`/search?q=${own.reference}`))).not.toContain('Owed amounts');
});
