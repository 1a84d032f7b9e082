import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { calledBack } from './call-back.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';

/** Screens without JavaScript, and REST. */
const tenant = ownTenant();
type Client = Awaited<ReturnType<typeof signedIn>>;
let preparer: ScreenClient;
let releaser: ScreenClient;
let other: Client;
let account: string;
let payable: { kind: string; id: string };
let second: { kind: string; id: string };

const usd = (sum: number) => ({ sum, currency: 'USD' });
async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const today = new Date().toISOString().slice(0, 10);
const bodyOf = (...payables: object[]) => ({ bankAccount: account, executeOn: today, format: 'CSV', payables });

async function distribution(fund: string, number: string, investor: string) {
  const [drafted] = await created('/crud/distributions', {
    fund,
    investor: { id: investor, kind: 'LP' },
    cutOffDate: '2026-03-02',
    callNumber: number,
    distributionKind: 'Interest',
    principal: usd(0),
    components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(94_500) }],
  });
  const { id, version } = drafted;
  const issued = await tenant.manager.call('PUT', '/crud/distributions/bulk', {
    body: [{ id, version, status: 'Active' }],
  });
  expect(issued.status, issued.text).toBe(200);
  return { kind: 'distribution', id };
}

beforeAll(async () => {
  preparer = await screensOf(tenant.emails.manager);
  const email = await secondManager(tenant.emails.manager);
  releaser = await screensOf(email);
  other = await signedIn(email);
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 400_000, hardCap: 400_000 };
  const fund = (await created('/crud/funds', { title: 'Quay Fund', ...terms })).id;
  const banks = [{ title: 'Main account', accountNumber: '0011223344', address: '1 High Street', type: 'Business' }];
  const entity = { name: 'Rao Family Trust', formalId: 'LP-RAO', nationality: { country: 'US' }, banks };
  const payoutAccounts = [{ currency: 'USD', account: 'Main account' }];
  const investor = (await created('/crud/LPs', { title: 'Rao Family Trust', entity, payoutAccounts })).id;
  await created('/crud/LPCommitments', {
    fund,
    investor: { id: investor, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: usd(300_000),
  });
  account = (
    await created('/crud/bankAccounts', {
      title: 'Distribution account',
      bankName: 'First Tidewater',
      accountNumber: '5120001',
      currency: 'USD',
      openingDate: '2025-12-31',
    })
  ).id;
  payable = await distribution(fund, '1', investor);
  second = await distribution(fund, '2', investor);
  const held = await tenant.manager.post('/crud/paymentRuns', bodyOf(payable));
  expect([held.status, held.json.error?.message ?? held.text]).toEqual([
    400,
    expect.stringContaining('on hold until a second person confirms'),
  ]);
  const confirmed = await other.post(`/crud/LPs/${investor}/confirmPayoutAccount`, {
    currency: 'USD',
    check: calledBack(),
  });
  expect(confirmed.status, confirmed.text).toBe(201);
});

describe('a payment run', () => {
  it('is prepared by one person, released by another, and has one file, by REST', async () => {
    const run = await created('/crud/paymentRuns', bodyOf(payable));
    expect(run).toMatchObject({ status: 'Prepared', total: usd(94_500), count: 1, file: null });
    const release = (client: Client) =>
      client.call('PUT', `/crud/paymentRuns/${run.id}/release`, { body: { version: run.version } });
    expect((await release(tenant.manager)).status).toBe(403);
    const released = await release(other);
    expect(released.json).toMatchObject({ status: 'Released', payments: [{ account: '3344', state: 'sent' }] });
    expect((await release(other)).status).toBe(400);
    const files = [
      await other.get(`/crud/paymentRuns/${run.id}/file`),
      await other.get(`/crud/paymentRuns/${run.id}/file`),
    ];
    expect(files[0]!.text).toContain('Rao Family Trust,,0011223344');
    expect(files[1]!.text).toBe(files[0]!.text);
    const { json } = await other.get(`/crud/paymentRuns/${run.id}`);
    expect(json.file.downloads).toBe(2);
    expect(createHash('sha256').update(files[0]!.text).digest('hex')).toBe(json.file.checksum);
    const returned = await tenant.manager.call('PUT', `/crud/paymentRuns/${run.id}/payments/0/return`, {
      body: {
        version: json.version,
        reason: 'Account closed',
      },
    });
    expect(returned.json.payments).toMatchObject([{ state: 'returned', returnReason: 'Account closed' }]);
    expect((await created('/crud/paymentRuns', bodyOf(payable))).status).toBe('Prepared');
  });

  it('is prepared, asked about and released on its page without JavaScript', async () => {
    const at = paths.newPaymentRun({ account });
    expect(read(await preparer.get(at))).toContain('Rao Family Trust');
    const sent = { intent: 'prepare', bankAccount: account, executeOn: today, format: 'CSV' };
    const none = await preparer.submit(at, sent);
    expect(read(none)).toContain('Choose at least one payment');
    const prepared = await preparer.submit(at, { ...sent, payables: `${second.kind}/${second.id}` });
    expect(prepared.status).toBe(302);
    const page = prepared.headers.get('location') ?? '';
    expect(read(await preparer.get(page))).toContain('You prepared it, so another person must release it.');
    expect(read(await releaser.get(page))).toContain('You can release it.');
    const asked = await releaser.submit(page, { intent: 'release', seenVersion: '1' });
    const question = asked.headers.get('location') ?? '';
    expect(read(await releaser.get(question))).toContain('Release 1 payment: 94,500.00 USD?');
    const done = await releaser.submit(page, { intent: 'release', seenVersion: '1', confirmed: 'yes' });
    expect([done.status, done.headers.get('location')]).toEqual([302, page]);
    expect(read(await releaser.get(page))).toContain('Download file');
  });
});
