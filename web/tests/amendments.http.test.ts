import { beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ApiClient, signedIn } from './api-client.ts';
import { fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const stranger = ownTenant();
let borrower: ApiClient;
let client: ScreenClient;
let transaction: string;
let note: string;

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  borrower = await signedIn(tenant.emails.borrower);
  const title = 'Northwind warehouse facility';
  const [facility] = (await tenant.manager.get('/crud/transactions', { filter: { title } })).json;
  transaction = facility.id;
  note = facility.notes[0].id;
});

const spread = (value: number) => ({
  interest: { kind: 'variable', baseRate: 'SOFR', spread: value, minimumInterest: 7.5 },
});
const body = (effectiveDate: string, terms: object) => ({
  ...{ transaction, note, title: 'First amendment', effectiveDate, tranche: 1, terms },
});

test('terms are amended, read as of a day and removed over the API', async () => {
  const terms = spread(3.75);
  const preview = await tenant.manager.post('/crud/amendments/preview', body('2026-09-15', terms));
  expect(preview.status, preview.text).toBe(200);
  expect(preview.json).toEqual({ changes: ['Spread over SOFR: 4.25% becomes 3.75% from 15 Sep 2026'], invoices: [] });
  const created = await tenant.manager.post('/crud/amendments', body('2026-09-15', terms));
  expect(created.status, created.text).toBe(201);
  expect(created.json).toMatchObject({
    isInForce: true,
    usedByInvoice: null,
    document: null,
    changes: preview.json.changes,
  });
  const spreadOn = async (day: string) =>
    (await tenant.manager.get('/crud/amendments/terms', { transaction, note, day })).json.tranches[0].terms.interest
      .spread;
  expect([await spreadOn('2026-09-14'), await spreadOn('2026-09-15')]).toEqual([4.25, 3.75]);
  const { notes } = (await tenant.manager.get(`/crud/transactions/${transaction}`)).json;
  expect(notes[0].tranches[0].terms.interest.spread).toBe(3.75);

  const seen = await borrower.get(`/crud/amendments/${created.json.id}`);
  expect(seen.status, seen.text).toBe(200);
  expect((await borrower.post('/crud/amendments', body('2026-09-20', spread(3)))).status).toBe(403);
  expect((await borrower.call('DELETE', `/crud/amendments/${created.json.id}`)).status).toBe(403);
  expect((await stranger.manager.get(`/crud/amendments/${created.json.id}`)).status).toBe(404);
  expect((await stranger.manager.post('/crud/amendments', body('2026-09-20', spread(3)))).status).toBe(404);
  expect((await tenant.manager.post('/crud/amendments', body('2026-09-20', {}))).status).toBe(400);

  expect((await tenant.manager.call('DELETE', `/crud/amendments/${created.json.id}`)).status).toBe(200);
  expect(await spreadOn('2026-09-15')).toBe(4.25);
});

test('the form shows the effect first, and stores what was seen, without scripts', async () => {
  const address = paths.amendTerms(transaction, note, { tranche: 1 });
  const page = await client.get(address);
  const fields = {
    ...fieldsOf(page, 'effectiveDate'),
    title: 'Second amendment',
    effectiveDate: '1 Oct 2026',
  };
  const nothing = await client.submit(address, { ...fields, intent: 'review' });
  expect(nothing.status).toBe(422);
  expect(read(nothing)).toContain('Nothing is changed yet');
  const changed = { ...fields, 'terms.interest.spread': '4' };
  const reviewed = await client.submit(address, { ...changed, intent: 'review' });
  expect(reviewed.status, read(reviewed).slice(0, 2000)).toBe(200);
  expect(read(reviewed)).toContain('Spread over SOFR: 4.25% becomes 4% from 1 Oct 2026');
  expect(read(reviewed)).toContain('Nothing is stored yet');
  const again = fieldsOf(reviewed, 'effectiveDate');
  expect(again).toMatchObject({ title: 'Second amendment', 'terms.interest.spread': '4' });
  // What was not seen is not stored.
  const other = await client.submit(address, { ...again, 'terms.interest.spread': '3', intent: 'create' });
  expect(other.status).toBe(422);
  expect(read(other)).toContain('Review it again');
  const stored = await client.submit(address, { ...again, intent: 'create' });
  expect(stored.status, read(stored).slice(0, 2000)).toBe(302);
  const amendment = await client.get(stored.headers.get('location') as string);
  expect(read(amendment)).toContain('Spread over SOFR: 4.25% becomes 4% from 1 Oct 2026');
  const terms = (search: object) => client.get(paths.transaction(transaction, { note, view: 'terms', ...search }));
  expect(read(await terms({}))).toContain('SOFR + 4%');
  expect(read(await terms({ day: '2026-09-30' }))).toContain('SOFR + 4.25%');
  const asked = await client.submit(stored.headers.get('location') as string, { intent: 'remove' });
  expect(read(await client.get(asked.headers.get('location') as string))).toContain('Remove Second amendment?');
  const removed = await client.submit(stored.headers.get('location') as string, { intent: 'remove', confirmed: 'yes' });
  expect(removed.status).toBe(302);
  expect(read(await terms({}))).toContain('SOFR + 4.25%');
});

test('an amendment of an earlier day starts with the terms of that day, and leaves what later ones changed', async () => {
  const later = await tenant.manager.post('/crud/amendments', body('2026-10-01', spread(3.5)));
  expect(later.status, later.text).toBe(201);
  const terms = await client.get(paths.transaction(transaction, { note, view: 'terms', day: '2026-09-30' }));
  const address = paths.amendTerms(transaction, note, { tranche: 1, day: '2026-09-30' });
  expect(terms.text.replaceAll('&amp;', '&')).toContain(`href="${address}"`);
  const page = await client.get(address);
  expect(read(page)).toContain('as of 30 Sep 2026');
  const fields = fieldsOf(page, 'effectiveDate');
  expect(fields).toMatchObject({ effectiveDate: '2026-09-30', 'terms.interest.spread': '4.25' });
  const entered = { ...fields, title: 'Floor of 8%', 'terms.interest.minimumInterest': '8', intent: 'review' };
  const reviewed = await client.submit(address, entered);
  expect(reviewed.status, read(reviewed).slice(0, 2000)).toBe(200);
  expect(read(reviewed)).toContain('What it changes Minimum interest: 7.5% becomes 8% from 30 Sep 2026 Amendment');
  const stored = await client.submit(address, { ...fieldsOf(reviewed, 'effectiveDate'), intent: 'create' });
  expect(stored.status, read(stored).slice(0, 2000)).toBe(302);
  const interestOn = async (day: string) =>
    (await tenant.manager.get('/crud/amendments/terms', { transaction, note, day })).json.tranches[0].terms.interest;
  expect(await interestOn('2026-09-30')).toMatchObject({ spread: 4.25, minimumInterest: 8 });
  expect(await interestOn('2026-10-01')).toMatchObject({ spread: 3.5 });
  expect((await client.get(paths.amendTerms(transaction, note, { day: 'soon' }))).status).toBe(400);
});
