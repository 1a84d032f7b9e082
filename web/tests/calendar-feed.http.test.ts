import { beforeAll, expect, inject, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { readAnswer, type ScreenAnswer, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let investor: ScreenClient;

beforeAll(async () => {
  investor = await screensOf(tenant.emails.investor);
  const [own] = (await investor.api.get('/crud/LPs')).json as { id: string }[];
  const created = async (path: string, body: unknown) => {
    const answer = await tenant.manager.post(path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  };
  const entity = { name: 'Marsh Pension', formalId: 'LP-MAR', nationality: { country: 'US' } };
  const other = (await created('/crud/LPs', { title: 'Marsh Pension', entity })).id as string;
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const terms = { type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 4000, hardCap: 4000 };
  for (const [title, id] of [
    ['Fund of Ours', own!.id],
    ['Fund of Theirs', other],
  ]) {
    const fund = (await created('/crud/funds', { title, ...terms })).id;
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: { sum: 2000, currency: 'USD' },
    });
    await created('/crud/contributions', {
      fund,
      callNumber: '41',
      cutOffDate: '2026-02-02',
      dueDate: soon,
      amount: { sum: 200, currency: 'USD' },
      callPurposes: [{ title: 'Investments', kind: 'investments', amount: 200 }],
      status: 'Active',
    });
  }
});

/** What a calendar program gets: it sends no cookies. */
const subscribed = async (address: string): Promise<ScreenAnswer> =>
  readAnswer(await fetch(new URL(new URL(address).pathname + new URL(address).search, inject('productUrl'))));

/** The address on the calendar page; null if there is none. */
const addressOn = ({ text }: ScreenAnswer): string | null =>
  /value="(http[^"]*\/calendar\/feed\.ics\?key=[^"]+)"/.exec(text)?.[1] ?? null;

const submit = (intent: string, fields: Record<string, string> = {}) =>
  investor.submit(paths.calendar(), { intent, ...fields });

test('a calendar program reads what the person sees, until the address is replaced or turned off', async () => {
  expect(addressOn(await investor.get(paths.calendar()))).toBeNull();
  expect((await submit('createAddress')).headers.get('location')).toBe(paths.calendar());
  const first = addressOn(await investor.get(paths.calendar()))!;
  const answer = await subscribed(first);
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'private, no-store',
  ]);
  const text = answer.text.replaceAll('\r\n ', '');
  expect(text).toMatch(/SUMMARY:Capital call 41 due.*Fund of Ours/);
  expect(text).not.toContain('Fund of Theirs');
  expect(answer.headers.getSetCookie()).toEqual([]);

  // What cannot be undone is asked about first, also without JavaScript.
  const asked = await submit('renewAddress');
  expect(asked.headers.get('location')).toBe(`${paths.calendar()}?confirm=renew`);
  expect((await subscribed(first)).status).toBe(200);
  await submit('renewAddress', { confirmed: 'yes' });
  const second = addressOn(await investor.get(paths.calendar()))!;
  expect(second).not.toBe(first);
  expect([(await subscribed(first)).status, (await subscribed(second)).status]).toEqual([404, 200]);

  await submit('removeAddress', { confirmed: 'yes' });
  expect((await subscribed(second)).status).toBe(404);
  expect(addressOn(await investor.get(paths.calendar()))).toBeNull();
});

test('without a key, with that of another installation or one that is too long, there is no calendar', async () => {
  const base = `${inject('productUrl')}/calendar/feed.ics`;
  const statuses = ['', '?key=', `?key=${'0'.repeat(24)}.x`, `?key=${'0'.repeat(24)}.${'x'.repeat(2000)}`].map(
    async (search) => (await subscribed(base + search)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404]);
  // A sign-in opens none either.
  expect((await investor.get('/calendar/feed.ics')).status).toBe(404);
});

test('an administrator has no address', async () => {
  const administrator = await screensOf('admin@tapeline.test');
  expect((await administrator.get(paths.calendar())).text).not.toContain('Create address');
  const refused = await administrator.submit(paths.calendar(), { intent: 'createAddress' });
  expect([refused.status, addressOn(await administrator.get(paths.calendar()))]).toEqual([403, null]);
});
