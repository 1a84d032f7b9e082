import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
let investor: ScreenClient;
let fund: string;
/** The investors of the fund. */
const lps: string[] = [];

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  investor = await screensOf(tenant.emails.investor);
  const [own] = (await investor.api.get('/crud/LPs')).json as { id: string }[];
  const entity = { name: 'Okavango Life', formalId: 'LP-OKA', nationality: { country: 'US' } };
  const other = await created('/crud/LPs', { title: 'Okavango Life', entity });
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 4000, hardCap: 4000 };
  fund = (await created('/crud/funds', { title: 'Breakwater Fund', ...terms })).id;
  lps.push(own?.id ?? '', other.id);
  for (const [index, sum] of [3000, 1000].entries()) {
    await created('/crud/LPCommitments', {
      fund,
      investor: { id: lps[index], kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: { sum, currency: 'USD' },
    });
  }
});

const usd = (sum: number) => ({ sum, currency: 'USD' });

describe('a draft call', () => {
  let id: string;
  beforeAll(async () => {
    const [part] = await created('/crud/contributions', {
      fund,
      callNumber: '1',
      cutOffDate: '2026-03-02',
      dueDate: '2026-03-20',
      amount: usd(100),
      callPurposes: [{ title: 'A loan', kind: 'investments', amount: 100 }],
      trailingDescription: 'Pay by wire.',
      pdfOptions: { fundLevel: true },
    });
    id = part.metadata.bundleId;
  });

  test('opens with its values, and is saved with others after a review', async () => {
    const page = await client.get(paths.editCapitalCall(id));
    const shown = fieldsOf(page, 'headerVersion');
    expect(shown).toMatchObject({ amount: '100.00', fundLevel: 'on', investors: 'same', callNumber: '1' });
    expect(page.text).toContain('Pay by wire.</textarea>');
    const form = { ...shown, trailingDescription: 'Pay by wire.', amount: '200', 'callPurposes[0].amount': '200' };
    const wrong = await client.submit(paths.editCapitalCall(id), { ...form, dueDate: '2026-03-01' });
    expect([wrong.status, read(wrong).includes('Due date must not be before the cut-off date')]).toEqual([422, true]);
    const review = await client.submit(paths.editCapitalCall(id), form);
    expect(review.status, review.text.slice(0, 500)).toBe(200);
    expect(read(review)).toMatch(/Okavango Life [\w ]*1,000\.00 25\.0000 50\.00 50\.00 1,000\.00 950\.00/);
    const entered = fieldsOf(review, 'headerVersion');
    expect(entered).toMatchObject({ intent: 'draft', amount: '200', header: id });

    const commitment = /<option value="([0-9a-f]{24})"[^>]*>Okavango Life/.exec(review.text)?.[1] ?? '';
    const preview = { ...entered, intent: 'change', commitment };
    const pdf = await client.submit(paths.previewCallNotice(), preview);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(pdf.text.slice(0, 5)).toBe('%PDF-');
    const stranger = await client.submit(paths.previewCallNotice(), { ...preview, commitment: fund });
    expect(stranger.status).toBe(404);
    expect((await investor.submit(paths.previewCallNotice(), preview)).status).toBe(403);

    const saved = await client.submit(paths.editCapitalCall(id), entered);
    expect(saved.headers.get('location')).toBe(paths.capitalCall(id));
    const { json } = await tenant.manager.get('/crud/contributions', { filter: { fund } });
    expect(json.map(({ status, amount }: never) => [status, (amount as { sum: number }).sum]).sort()).toEqual([
      ['Draft', 150],
      ['Draft', 50],
    ]);
    expect(read(await client.get(paths.capitalCall(id)))).toMatch(/200\.00/);
    const again = await client.submit(paths.editCapitalCall(id), entered);
    expect([again.status, again.headers.get('location')]).toEqual([302, paths.capitalCall(id)]);
    const stale = await client.submit(paths.editCapitalCall(id), { ...entered, trailingDescription: 'Pay by check.' });
    expect([stale.status, read(stale).includes('Someone else has changed this')]).toEqual([422, true]);
  });

  test('is issued from its review, then only issued again, and no longer changed once it is closed', async () => {
    const form = fieldsOf(await client.get(paths.editCapitalCall(id)), 'headerVersion');
    expect((await investor.get(paths.editCapitalCall(id))).status).toBe(403);
    const beyond = { ...form, amount: '4000.04', 'callPurposes[0].amount': '4000.04' };
    const refused = await client.submit(paths.editCapitalCall(id), { ...beyond, intent: 'issue' });
    expect([refused.status, read(refused).includes('Okavango Life by 0.01 USD')]).toEqual([422, true]);
    const issued = await client.submit(paths.editCapitalCall(id), { ...form, intent: 'issue' });
    expect(issued.status, read(issued).slice(0, 800)).toBe(302);
    const stale = await client.submit(paths.editCapitalCall(id), { ...form, intent: 'draft' });
    expect(stale.status).toBe(422);

    const shown = fieldsOf(await client.get(paths.editCapitalCall(id)), 'headerVersion');
    const withoutReason = await client.submit(paths.editCapitalCall(id), { ...shown, intent: 'issue' });
    expect(withoutReason.status).toBe(422);
    expect(read(withoutReason)).toContain('It was already issued. Give a reason for withdrawing it.');
    const again = await client.submit(paths.editCapitalCall(id), {
      ...shown,
      intent: 'issue',
      reason: 'A side letter',
    });
    const address = again.headers.get('location') ?? '';
    expect([again.status, address]).toEqual([302, expect.not.stringContaining(id)]);
    const former = await client.get(paths.capitalCall(id));
    expect([read(former).includes('Withdrawn'), former.text.includes(`href="${address}"`)]).toEqual([true, true]);
    // The investor sees that it was withdrawn, and its part of the new call, without the reason.
    const own = await investor.get(paths.capitalCall(id));
    expect([own.text.includes(`href="${address}"`), read(own).includes('A side letter')]).toEqual([true, false]);
    const closing = fieldsOf(await client.get(`${address}?ask=close`), 'headerVersion');
    expect((await client.submit(address, { ...closing, intent: 'close', confirmed: 'yes' })).status).toBe(302);
    expect(read(await client.get(`${address}/edit`))).toContain('What is closed cannot be changed');
  });
});

test('a draft distribution is changed and issued, and its notice is previewed before', async () => {
  const [part] = await created('/crud/distributions', {
    fund,
    callNumber: 'D1',
    cutOffDate: '2026-06-30',
    distributionKind: 'Interest and Principal',
    principal: usd(40),
    components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(8) }],
    pdfOptions: { recallableDistribution: true, vat: 19 },
  });
  const id = part.metadata.bundleId;
  const address = paths.editDistribution(id);
  const shown = fieldsOf(await client.get(address), 'headerVersion');
  expect(shown).toMatchObject({ principal: '40.00', recallableDistribution: 'on', vat: '19', callNumber: 'D1' });
  const review = await client.submit(address, { ...shown, principal: '80' });
  expect(review.status, review.text.slice(0, 500)).toBe(200);
  expect(read(review)).toMatch(/No bank account: [^.]*Okavango Life/);
  const commitment = /<option value="([0-9a-f]{24})"[^>]*>Okavango Life/.exec(review.text)?.[1] ?? '';
  const entered = fieldsOf(review, 'headerVersion');
  const preview = { ...entered, intent: 'change', commitment };
  const pdf = await client.submit(paths.previewDistributionNotice(), preview);
  expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
  expect((await client.submit(address, { ...entered, intent: 'issue' })).status).toBe(302);
  const { json } = await tenant.manager.get('/crud/distributions', { filter: { fund } });
  expect(
    json.map(({ status, totalDistributed }: never) => [status, (totalDistributed as { sum: number }).sum]).sort(),
  ).toEqual([
    ['Active', 22],
    ['Active', 66],
  ]);
});

describe('NAVs and write-offs', () => {
  test('are chosen in the tab of the fund, changed together, and removed with a reason', async () => {
    const bodies = lps.map((id) => ({
      fund,
      investor: { id, kind: 'LP' },
      cutOffDate: '2026-06-30',
      gross: 110,
      net: 100,
      currency: 'USD',
    }));
    const navs = (await created('/crud/navs', bodies)) as { id: string }[];
    const ids = navs.map(({ id }) => id);
    const tab = await client.get(paths.fund(fund, { view: 'navs' }));
    for (const id of ids) expect(tab.text).toContain(`value="${id}"`);
    expect((await investor.get(paths.editNavs(ids))).status).toBe(403);
    expect((await investor.get(paths.fund(fund, { view: 'navs' }))).text).not.toContain('type="checkbox"');

    const address = paths.editNavs(ids);
    const shown = fieldsOf(await client.get(address), 'rows[0].gross');
    expect(shown).toMatchObject({ 'rows[0].id': ids[0], 'rows[1].net': '100.00', 'rows[1].status': 'Active' });
    const wrong = await client.submit(address, { ...shown, 'rows[1].net': '100.0001' });
    expect([wrong.status, read(wrong).includes('must have at most 2 decimals')]).toEqual([422, true]);
    const unclear = await client.submit(address, { ...shown, 'rows[1].net': '100.001' });
    expect([unclear.status, read(unclear).includes('can mean 100.0010 or 100,001')]).toEqual([422, true]);
    const saved = await client.submit(address, { ...shown, 'rows[1].net': '-1.5', 'rows[0].status': 'Closed' });
    expect(saved.headers.get('location')).toBe(paths.fund(fund, { view: 'navs' }));
    const stored = (await tenant.manager.get('/crud/navs', { filter: { fund } })).json as Record<string, unknown>[];
    expect(stored.map(({ status, net }) => [status, net]).sort()).toEqual([
      ['Active', -1.5],
      ['Closed', 100],
    ]);
    const stale = await client.submit(address, shown);
    expect([stale.status, read(stale).includes('Someone else has changed this')]).toEqual([422, true]);

    // What is closed is shown, and only removed.
    const page = await client.get(address);
    expect(Object.keys(fieldsOf(page, 'rows[0].gross')).filter((name) => name.endsWith('.gross'))).toHaveLength(1);
    expect(read(page)).toMatch(/History/);
    const removal = fieldsOf(page, 'reason');
    const without = await client.submit(address, removal);
    expect([without.status, read(without).includes('Enter a reason')]).toEqual([422, true]);
    const removed = await client.submit(address, { ...removal, reason: 'Restated' });
    expect(removed.status).toBe(302);
    expect((await tenant.manager.get('/crud/navs', { filter: { fund } })).json).toEqual([]);
    expect(read(await client.get(address))).toContain('No NAVs chosen');
  });

  test('of one row are changed and removed alike', async () => {
    const saved = await client.submit(paths.newWriteOff({ fund }), {
      ...{ intent: 'create', fund, cutOffDate: '2026-06-30', status: 'Draft', amount: '10' },
    });
    expect(saved.headers.get('location')).toBe(paths.fund(fund, { view: 'navs' }));
    const of = async () =>
      (await tenant.manager.get('/crud/writeOffs', { filter: { fund }, sort: { amount: 1 } })).json as {
        id: string;
        amount: { sum: number };
      }[];
    const [small] = await of();
    const address = paths.editWriteOffs([small?.id ?? '']);
    expect(read(await client.get(paths.fund(fund, { view: 'navs' })))).toContain('Okavango Life');
    const shown = fieldsOf(await client.get(address), 'rows[0].amount');
    const zero = await client.submit(address, { ...shown, 'rows[0].amount': '0' });
    expect([zero.status, read(zero).includes('must be above 0')]).toEqual([422, true]);
    expect((await client.submit(address, { ...shown, 'rows[0].amount': '3' })).status).toBe(302);
    expect((await of()).map(({ amount }) => amount.sum)).toEqual([3, 7.5]);
    // A draft needs no reason.
    const removed = await client.submit(address, fieldsOf(await client.get(address), 'reason'));
    expect(removed.headers.get('location')).toBe(paths.fund(fund, { view: 'navs' }));
    expect((await of()).map(({ amount }) => amount.sum)).toEqual([7.5]);
  });
});
