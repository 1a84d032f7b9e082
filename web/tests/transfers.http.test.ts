import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant, ownTenantWithoutMappings } from './tenant.ts';

const tenant = ownTenant();
const other = ownTenantWithoutMappings();
let client: ScreenClient;
let fund: string;
let investors: string[];
let commitment: { id: string; version: number };

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const usd = (sum: number) => ({ sum, currency: 'USD' });

/** 1,000 and 3,000 committed, of which 100 and 300 are called and 40 and 120 are valued. */
beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  const body = {
    title: 'Fal Fund',
    type: 'ComingleFund',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: 6000,
    hardCap: 6000,
  };
  fund = (await created('/crud/funds', body)).id;
  const own = (await (await screensOf(tenant.emails.investor)).api.get('/crud/LPs')).json as { id: string }[];
  investors = [own[0]!.id];
  for (const title of ['Lynher Life', 'Tavy Pensions']) {
    const entity = { name: title, formalId: title, nationality: { country: 'US' } };
    investors.push((await created('/crud/LPs', { title, entity })).id);
  }
  for (const [index, maxCommitment] of [1000, 3000].entries()) {
    const investor = { id: investors[index], kind: 'LP' };
    const made = await created('/crud/LPCommitments', { fund, investor, closingDate: '2025-12-15', maxCommitment });
    if (index === 0) commitment = made;
  }
  await created('/crud/contributions', {
    fund,
    cutOffDate: '2025-12-16',
    dueDate: '2026-01-01',
    callNumber: '1',
    amount: usd(400),
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 400 }],
    status: 'Active',
  });
  await created(
    '/crud/navs',
    [40, 120].map((net, index) => ({
      fund,
      investor: { id: investors[index], kind: 'LP' },
      cutOffDate: '2026-01-31',
      gross: net,
      net,
      currency: 'USD',
      status: 'Active',
    })),
  );
});

const transfer = (changes: object = {}) => ({
  commitment: commitment.id,
  version: commitment.version,
  to: { id: investors[2], kind: 'LP' },
  date: '2026-03-01',
  sharePercent: 25,
  price: 15.5,
  ...changes,
});
const post = (changes: object) => tenant.manager.post('/crud/transfers', transfer(changes));
const listed = async () => (await tenant.manager.get('/crud/transfers', { fund })).json as { id: string }[];
const commitments = async () => (await tenant.manager.get('/crud/LPCommitments', { filter: { fund } })).json;

async function uploaded(bucket: string): Promise<string> {
  const bytes = Buffer.from('%PDF-1.4\nAgreement');
  const file = { name: 'agreement.pdf', size: bytes.length, type: 'application/pdf' };
  const signed = await tenant.manager.post(`/files/signedUrls/${bucket}?operation=upload`, { filesInfo: [file] });
  const { key, signedUrl } = signed.json[0].fileMetadata;
  const put = await fetch(signedUrl, { method: 'PUT', headers: { 'Content-Type': file.type }, body: bytes });
  expect(put.status).toBe(200);
  return key;
}

describe('a transfer between investors', () => {
  test('is refused where it cannot be, and changes nothing', async () => {
    const before = await commitments();
    const flagsOf = async (changes: object) => {
      const { status, json } = await post(changes);
      expect(status, JSON.stringify(changes)).toBe(400);
      return json.flags;
    };
    expect(await flagsOf({ sharePercent: 0 })).toEqual({ sharePercent: expect.any(String) });
    expect(await flagsOf({ sharePercent: 100.000_000_01 })).toEqual({ sharePercent: expect.any(String) });
    expect(await flagsOf({ sharePercent: '1e400' })).toEqual({ sharePercent: expect.any(String) });
    expect(await flagsOf({ amount: 1 })).toEqual({ sharePercent: expect.any(String) });
    expect(await flagsOf({ price: -0.01 })).toEqual({ price: expect.any(String) });
    expect(await flagsOf({ price: 0.001 })).toEqual({ price: expect.any(String) });
    expect(await flagsOf({ date: '2025-12-14' })).toEqual({ date: expect.stringContaining('15 Dec 2025') });
    expect(await flagsOf({ date: '2151-01-01' })).toEqual({ date: expect.any(String) });
    expect(await flagsOf({ to: { id: investors[0], kind: 'LP' } })).toEqual({ 'to.id': expect.any(String) });
    expect(await flagsOf({ document: 'f'.repeat(24) })).toEqual({ document: 'is not an uploaded file' });
    expect(await flagsOf({ document: 'x'.repeat(1001) })).toEqual({ document: expect.any(String) });
    expect(await flagsOf({ document: await uploaded('fundReports') })).toEqual({ document: 'is not an uploaded file' });
    expect(await flagsOf({ from: investors[0] })).toEqual({ from: expect.any(String) });
    expect((await post({ version: commitment.version + 1 })).status).toBe(400);
    expect((await post({ commitment: 'f'.repeat(24) })).status).toBe(404);
    expect((await other.manager.post('/crud/transfers', transfer())).status).toBe(404);
    expect(await commitments()).toEqual(before);
    expect(await listed()).toEqual([]);
  });

  test('is tried with both investors before and after, and made with the same figures and its document', async () => {
    const before = await commitments();
    const tried = await post({ dryRun: true });
    expect(tried.status, tried.text).toBe(200);
    expect(await commitments()).toEqual(before);
    expect(await listed()).toEqual([]);
    const { changes, ...shown } = tried.json;
    // A quarter of 1,000: 25 of what was called and 225 of what is unfunded.
    expect(shown).toMatchObject({
      fund,
      Class: null,
      date: '2026-03-01',
      from: { commitment: commitment.id, investor: { id: investors[0], kind: 'LP' } },
      to: { commitment: null, investor: { id: investors[2], kind: 'LP', title: 'Tavy Pensions' } },
      amount: usd(250),
      sharePercent: 25,
      price: usd(15.5),
      document: null,
    });
    expect(shown.id).toBeUndefined();
    const figures = ({
      activeCommitment,
      maxCommitment,
      called,
      unfunded,
      nav,
    }: Record<string, { sum: number } | null>) =>
      [activeCommitment, maxCommitment, called, unfunded, nav].map((amount) => amount?.sum);
    expect(figures(changes.from.before)).toEqual([1000, 1000, 100, 900, 40]);
    expect(figures(changes.from.after)).toEqual([750, 1000, 75, 675, 30]);
    expect(figures(changes.from.difference)).toEqual([-250, 0, -25, -225, -10]);
    expect(figures(changes.to.before)).toEqual([0, 0, 0, 0, 0]);
    expect(figures(changes.to.after)).toEqual([250, 250, 25, 225, 10]);
    expect(figures(changes.to.difference)).toEqual([250, 250, 25, 225, 10]);
    expect(changes.fund.after).toEqual(changes.fund.before);
    expect(figures(changes.fund.difference)).toEqual([0, undefined, 0, 0, 0]);

    const made = await post({ document: await uploaded('capitalAccounts') });
    expect(made.status, made.text).toBe(201);
    const { id, document, to } = made.json;
    expect(made.json).toEqual({ ...shown, id, document, to: { ...shown.to, commitment: to.commitment } });
    expect(document).toMatch(/^[0-9a-f]{24}$/);
    expect((await tenant.manager.get(`/crud/transfers/${id}`)).json).toEqual(made.json);
    expect(await listed()).toEqual([made.json]);
    const deltas = (await tenant.manager.get(`/crud/LPCommitments/${to.commitment}`)).json.deltas;
    expect(deltas).toMatchObject([{ date: '2026-03-01', amount: 250, transfer: id }]);

    // The pages of both commitments lead to its document.
    for (const one of [commitment.id, to.commitment]) {
      expect((await client.get(paths.commitment(fund, one))).text).toContain(paths.download(document));
    }
  });

  test('of unfunded commitment moves that alone', async () => {
    const { version } = (await tenant.manager.get(`/crud/LPCommitments/${commitment.id}`)).json;
    const tried = await post({ version, sharePercent: null, price: null, amount: 75, dryRun: true });
    expect(tried.status, tried.text).toBe(200);
    expect(tried.json).toMatchObject({ amount: usd(75), sharePercent: null, price: null });
    expect(tried.json.changes.to.difference).toMatchObject({ unfunded: usd(75), called: usd(0), nav: usd(0) });
    const above = await post({ version, sharePercent: null, price: null, amount: 675.01 });
    expect(above.json.flags).toEqual({ amount: expect.stringContaining('675.00') });
  });

  test('is read by those who may read commitments, and by no investor', async () => {
    const [{ id, document }] = (await listed()) as [{ id: string; document: string }];
    const investor = await screensOf(tenant.emails.investor);
    expect((await investor.api.get(`/crud/transfers/${id}`)).status).toBe(404);
    expect((await investor.api.get('/crud/transfers', { fund })).json).toEqual([]);
    expect((await investor.api.post('/crud/transfers', transfer())).status).toBe(403);
    expect((await investor.get(paths.download(document))).status).toBe(404);
    const page = await investor.get(paths.commitment(fund, commitment.id));
    expect(page.status).toBe(200);
    expect(read(page)).toContain('Transfer to another investor');
    expect(page.text).not.toContain(document);
    expect((await other.manager.get(`/crud/transfers/${id}`)).status).toBe(404);
    expect((await other.manager.get('/crud/transfers', { fund })).json).toEqual([]);
    expect((await tenant.manager.get('/crud/transfers')).status).toBe(400);
  });
});
