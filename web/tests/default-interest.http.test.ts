import { beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 6000, hardCap: 6000 };
let fund: string;
let late: { document: string; activity: string };
let draft: string;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const termsOf = (defaultInterest: object) => [{ from: '2025-01-01', terms: { defaultInterest } }];

/** 400.00 were due on 5 January 2026 and were paid on 4 February 2026. */
beforeAll(async () => {
  const feeTerms = termsOf({ rate: 10, graceDays: 10, dayCount: 'ACT/360' });
  fund = (await created('/crud/funds', { title: 'Gillan Fund', ...terms, feeTerms })).id;
  const [{ id }] = (await (await screensOf(tenant.emails.investor)).api.get('/crud/LPs')).json;
  const investor = { id, kind: 'LP' };
  await created('/crud/LPCommitments', { fund, investor, closingDate: '2025-12-15', maxCommitment: 1000 });
  const bankAccount = (
    await created('/crud/bankAccounts', {
      fund,
      title: 'Pay-in account',
      bankName: 'First Tidewater',
      accountNumber: 'GB29 NWBK 6016 1331 9268 20',
      currency: 'USD',
      openingDate: '2025-12-01',
    })
  ).id;
  const call = { fund, amount: { sum: 400, currency: 'USD' } };
  const callPurposes = [{ title: 'Loans', kind: 'investments', amount: 400 }];
  await created('/crud/contributions', {
    ...call,
    callPurposes,
    cutOffDate: '2025-12-16',
    dueDate: '2026-01-05',
    callNumber: '1',
    status: 'Active',
  });
  [late] = (await tenant.manager.get('/crud/obligations', { fund } as never)).json;
  await created('/crud/payments', {
    bankAccount,
    direction: 'in',
    amount: 400,
    bookedOn: '2026-02-04',
    allocations: [{ kind: 'contribution', document: late.document, amount: 400 }],
  });
  const [line] = await created('/crud/contributions', {
    ...call,
    callPurposes,
    cutOffDate: '2026-03-01',
    dueDate: '2149-01-31',
    callNumber: '2',
  });
  draft = line.metadata.bundleId;
});

test('terms of default interest are within their limits', async () => {
  for (const [refused, accepted] of [
    [{ rate: 100.01 }, { rate: 100 }],
    [{ rate: -1 }, { rate: 0 }],
    [
      { rate: 8, graceDays: 366 },
      { rate: 8, graceDays: 365 },
    ],
    [
      { rate: 8, graceDays: 1.5 },
      { rate: 8, graceDays: 0 },
    ],
    [
      { rate: 8, dayCount: 'ACT/364' },
      { rate: 8, dayCount: '30E/360' },
    ],
  ] as const) {
    const tried = (defaultInterest: object) =>
      tenant.manager.post('/crud/funds', { title: 'Another fund', ...terms, feeTerms: termsOf(defaultInterest) });
    expect((await tried(refused)).status, JSON.stringify(refused)).toBe(400);
    const stored = await tried(accepted);
    expect(stored.status, stored.text).toBe(201);
    expect(stored.json.feeTerms).toMatchObject([{ terms: { defaultInterest: accepted } }]);
  }
});

test('the form of fee terms takes default interest, and refuses what is beyond its limits', async () => {
  const manager = await screensOf(tenant.emails.manager);
  const { version } = (await tenant.manager.get(`/crud/funds/${fund}`)).json;
  const entered = { intent: 'create', termsVersion: String(version), from: '2148-01-01' };
  const of = (rate: string, graceDays: string) => ({
    ...entered,
    'terms.defaultInterest.rate': rate,
    'terms.defaultInterest.graceDays': graceDays,
    'terms.defaultInterest.dayCount': '30E/360',
  });
  expect((await manager.submit(paths.feeTerms(fund), of('6', '366'))).status).not.toBe(302);
  const sent = await manager.submit(paths.feeTerms(fund), of('6', '30'));
  expect(sent.status, sent.text).toBe(302);
  const shown = await manager.get(paths.fund(fund, { view: 'terms' }));
  expect(shown.text).toContain('6% a year after 30 days of grace, 30E/360');
});

test('a draft call asks for default interest once, and gives it back', async () => {
  const manager = await screensOf(tenant.emails.manager);
  // 400 × 10 % × 20 ÷ 360: from 15 January to 4 February.
  const amount = await manager.get(paths.obligation(late.document));
  expect(amount.text).toContain('10% a year after 10 days of grace, ACT/360');
  expect(amount.text).toContain('2.222222');
  const page = await manager.get(paths.capitalCall(draft));
  expect(page.text).toContain('Default interest not charged yet');
  const headerVersion = async () => {
    const [, version] = /name="headerVersion" value="(\d+)"/.exec((await manager.get(paths.capitalCall(draft))).text)!;
    return version!;
  };
  const add = async (intent: string) =>
    manager.submit(paths.capitalCall(draft), { intent, headerVersion: await headerVersion() });
  expect((await add('addInterest')).status).toBe(302);
  const lines = async () =>
    (await tenant.manager.get('/crud/contributions', { filter: { 'metadata.bundleId': draft } } as never)).json;
  expect(await lines()).toMatchObject([{ amount: { sum: 400 }, interest: { sum: 2.22 } }]);
  expect((await add('addInterest')).status).not.toBe(302);
  expect((await manager.get(paths.obligation(late.document))).text).toContain('draft call 2');
  // The amounts stay while it asks for it.
  const [{ id, version, callPurposes }] = await lines();
  const changed = await tenant.manager.call('PUT', '/crud/contributions/bulk', {
    body: [{ id, version, callPurposes: [{ ...callPurposes[0], interest: 1 }] }],
  });
  expect(changed.status, changed.text).toBe(400);
  expect((await add('removeInterest')).status).toBe(302);
  expect((await lines())[0].interest).toBeUndefined();

  const investor = await screensOf(tenant.emails.investor);
  const own = await investor.get(paths.capitalCall(late.activity));
  expect(own.status).toBe(200);
  expect(own.text).not.toContain('Default interest');
});

test('a program adds default interest to a draft call, and takes it out', async () => {
  const lines = async () =>
    (await tenant.manager.get('/crud/contributions', { filter: { 'metadata.bundleId': draft } } as never)).json;
  const [{ id, version }] = await lines();
  const documents = [{ id, version }];
  const path = '/crud/contributions/defaultInterest';
  for (const email of [tenant.emails.analyst, tenant.emails.investor]) {
    const { api } = await screensOf(email);
    expect((await api.post(path, { documents })).status).toBe(403);
  }
  expect((await tenant.manager.post(path, { documents: [] })).status).toBe(400);
  expect((await tenant.manager.post(path, { documents: [{ id, version: version + 1 }] })).status).toBe(400);
  const added = await tenant.manager.post(path, { documents });
  expect(added.status, added.text).toBe(200);
  expect(added.json).toMatchObject([{ id, amount: { sum: 400 }, interest: { sum: 2.22, currency: 'USD' } }]);
  expect(added.json[0].version).toBeGreaterThan(version);
  expect((await lines())[0]).toMatchObject({ interest: { sum: 2.22 }, version: added.json[0].version });
  // It is asked for once, and only by a draft.
  const now = added.json.map((line: { id: string; version: number }) => ({ id: line.id, version: line.version }));
  const again = await tenant.manager.post(path, { documents: now });
  expect([again.status, again.text]).toEqual([400, expect.stringContaining('No default interest is left')]);
  const issued = await tenant.manager.get(`/crud/contributions/${late.document}`);
  const paid = [{ id: late.document, version: issued.json.version }];
  expect((await tenant.manager.post(path, { documents: paid })).status).toBe(400);
  const taken = await tenant.manager.post(`${path}/reversals`, { documents: now });
  expect(taken.status, taken.text).toBe(200);
  expect(taken.json[0].interest).toBeUndefined();
});
