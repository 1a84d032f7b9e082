import { beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest';
import { paths } from '../app/paths.ts';
import { type DrawnNote, drawBody, drawnNote } from './drawn-note.ts';
import { anonymousScreens, fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let note: DrawnNote;
let borrower: ScreenClient;
let manager: ScreenClient;
beforeAll(async () => {
  note = await drawnNote(tenant.manager, '40000000');
  borrower = await screensOf(tenant.emails.borrower);
  manager = await screensOf(tenant.emails.manager);
});

const told = async (client: ScreenClient, filter: object = {}) =>
  (await client.api.get('/crud/notifications', { filter })).json as {
    id: string;
    title: string;
    isRead: boolean;
    actionRequired: boolean;
  }[];

/** The events that a browser with this client's cookies receives. */
async function eventsOf({ cookie }: ScreenClient) {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const url = new URL(paths.notificationStream(), inject('productUrl'));
  const answer = await fetch(url, { headers: { cookie, 'accept-encoding': 'gzip' }, signal: gone.signal });
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-encoding')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    null,
  ]);
  const seen = { text: '' };
  const read = async () => {
    for await (const bytes of answer.body ?? []) seen.text += Buffer.from(bytes).toString();
  };
  read().catch(() => undefined);
  const received = (event: string) => vi.waitFor(() => expect(seen.text).toContain(event), { timeout: 30_000 });
  await received('event: unread\ndata: 0\n\n');
  return received;
}

it('a draw request is told to who decides, and its decision to who asked', async () => {
  const received = await eventsOf(manager);
  const asked = await borrower.api.post('/crud/transactionDraws', drawBody(note, 1_000_000));
  expect(asked.status, asked.text).toBe(201);
  const [waiting, ...others] = await told(manager);
  expect(others).toEqual([]);
  expect(waiting).toMatchObject({ isRead: false, actionRequired: true });
  expect(waiting?.title).toMatch(/^Draw \d+ of Northwind Consumer Loans waits for a decision$/);
  expect(await told(borrower)).toEqual([]);
  await received('event: unread\ndata: 1\n\n');
  const page = await manager.get(paths.notifications({ show: 'action' }));
  expect(page.text).toContain(waiting?.title);
  expect(page.text).toContain('Notifications, 1 unread');

  // The form that opens the page also marks the notification as read.
  const opened = await manager.submit(paths.notifications(), { intent: 'open', id: waiting!.id });
  expect([opened.status, opened.headers.get('location')]).toEqual([302, paths.draw(asked.json.id)]);
  expect((await told(manager))[0]).toMatchObject({ isRead: true, actionRequired: true });

  const { version } = (await manager.api.get(`/crud/transactionDraws/${asked.json.id}`)).json;
  const decision = { version, status: 'Rejected', rejectionMessage: 'The tape of October has open questions' };
  const rejected = await manager.api.call('PUT', `/crud/transactionDraws/${asked.json.id}`, { body: decision });
  expect(rejected.status, rejected.text).toBe(200);
  expect((await told(manager))[0]).toMatchObject({ actionRequired: false });
  // Everybody who was asked is told that it is done, and by whom.
  const shown = read(await manager.get(paths.notifications()));
  expect(shown).toMatch(/Done Rejected by \w+/);
  const [answer] = await told(borrower, { isRead: false });
  expect(answer?.title).toMatch(/was rejected$/);

  const foreign = await borrower.api.call('PUT', `/crud/notifications/${waiting!.id}`, { body: { isRead: false } });
  expect(foreign.status).toBe(404);
  const all = await borrower.api.call('PUT', '/crud/notifications/setReadAll');
  expect([all.status, all.json]).toEqual([200, { count: 1 }]);
  const unread = await borrower.api.call('PUT', `/crud/notifications/${answer!.id}`, { body: { isRead: false } });
  expect(unread.json).toMatchObject({ id: answer!.id, isRead: false });
  expect((await borrower.submit(paths.notifications(), { intent: 'markAll' })).status).toBe(200);
  expect(await told(borrower, { isRead: false })).toEqual([]);
});

it('the stream of notifications needs a sign-in', async () => {
  const answer = await (await anonymousScreens()).get(paths.notificationStream());
  expect([answer.status, answer.text]).toEqual([204, '']);
});

it.each(['manager', 'borrower', 'investor'] as const)(
  'a %s chooses how to be told, but not whether of what must be told',
  async (account) => {
    const client = await screensOf(tenant.emails[account]);
    const page = await client.get(paths.notificationSettings());
    const form = fieldsOf(page, 'digestHour');
    expect(form).toMatchObject({ 'channels.announcement': 'email', digestHour: '7' });
    expect(Object.keys(form).filter((name) => /bankDetails|callIssued|Withdrawn/.test(name))).toEqual([]);
    expect(read(page)).toMatch(/Always by email at once Bank details changed/);
    const changed = { ...form, 'channels.announcement': 'digest', digestHour: '18' };
    const wrong = await client.submit(paths.notificationSettings(), { ...changed, digestHour: '24' });
    expect([wrong.status, read(wrong).includes('Choose an hour from 00 to 23')]).toEqual([422, true]);
    const saved = await client.submit(paths.notificationSettings(), {
      ...changed,
      'channels.bankDetailsChanged': 'off',
    });
    expect([saved.status, saved.headers.get('location')]).toEqual([302, paths.notificationSettings({ saved: 'yes' })]);
    expect(fieldsOf(await client.get(paths.notificationSettings()), 'digestHour')).toMatchObject({
      'channels.announcement': 'digest',
      digestHour: '18',
    });
  },
);
