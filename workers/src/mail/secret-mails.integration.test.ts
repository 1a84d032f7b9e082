import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMailDelayed, sealMail, sendSecretMail } from '@tapeline/db/operations/identity/secret-mails.ts';
import { requestSignInCode } from '@tapeline/db/operations/identity/sign-in-codes.ts';
import { createAdmin, seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { createMailer, isRejectedForGood } from '@tapeline/mail/mailer.ts';
import { openSmtpServer, type TestSmtpServer } from '@tapeline/mail/testing/smtp-server.ts';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendDueMail } from './activities.ts';

const KNOWN = 'ann@example.com';
const UNKNOWN = 'nobody@example.com';
const SECRET = 'only for tests of emails';
const MINUTE_MS = 60_000;
const log = pino({ level: 'silent' });

let database: TestDatabase;
let server: TestSmtpServer;
let home: string;

beforeAll(async () => {
  [database, server] = await Promise.all([createTestDatabase(), openSmtpServer()]);
  home = await mkdtemp(join(tmpdir(), 'secret-mails-'));
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    await createAdmin(session, { email: KNOWN });
  });
});
afterAll(async () => {
  await Promise.all([database?.close(), server?.close()]);
  await rm(home, { recursive: true, force: true });
});
beforeEach(async () => {
  await database.query('delete from secret_mails');
  await database.query('delete from limited_calls');
  server.messages.length = 0;
  server.offered.length = 0;
  server.behave('accept');
});

const mailerOf = (smtpUrl: string) =>
  createMailer({ home, nodeEnv: 'production', smtpUrl, mailFrom: 'Tapeline <no-reply@example.com>' }, log);
const senderOf = (smtpUrl = server.url) => {
  const { send, probe } = mailerOf(smtpUrl);
  return { send, probe, isFinal: isRejectedForGood, appSecret: SECRET, publicUrl: 'https://tapeline.example' };
};
/** What the workflow runs. */
const sendDue = (now: Date, smtpUrl = server.url) =>
  sendDueMail(
    { store: database.store, log, mailer: mailerOf(smtpUrl), publicUrl: 'https://tapeline.example', appSecret: SECRET },
    { now: () => now },
  );

async function requestCode(email: string, now = new Date()) {
  const { mailId } = await requestSignInCode(database.store, {
    email,
    clientToken: 'browser',
    address: '192.0.2.1',
    now,
    sealedMailOf: ({ email: to, firstName, code }) =>
      sealMail(SECRET, { to, subject: 'Your code', text: `Hello ${firstName}\n${code}\n` }),
  });
  if (mailId === null) throw new Error('no email was queued');
  return mailId;
}

const delayed = (email: string) => isMailDelayed(database.store, { clientToken: 'browser', email });
const counted = async () => (await database.query('select id from limited_calls')).length;
const stored = () => database.query<{ status: string; sealed: string }>('select status, sealed from secret_mails');
/** Nothing listens there. */
const CLOSED = 'smtp://127.0.0.1:9';

test('a code is queued encrypted, sent once, and erased', async () => {
  const id = await requestCode(KNOWN);
  const [{ sealed = '' } = {}] = await stored();
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toMatch(/\d{6}|Hello/);
  expect(await sendSecretMail(database.store, senderOf(), { id })).toEqual({ result: 'sent' });
  expect(await sendSecretMail(database.store, senderOf(), { id })).toBeNull();
  expect(server.messages).toEqual([expect.stringMatching(/^\d{6}$/m)]);
  expect(await stored()).toEqual([{ status: 'Sent', sealed: '' }]);
  expect(await counted()).toBe(3);
});

test.each([KNOWN, UNKNOWN])(
  'without a mail server, a code for %s does not count, and the page can say so',
  async (email) => {
    const now = new Date();
    // The limit is five in fifteen minutes.
    for (let request = 0; request < 7; request += 1) {
      const id = await requestCode(email, now);
      expect(await sendSecretMail(database.store, senderOf(CLOSED), { id, now })).toMatchObject({ result: 'failed' });
    }
    expect(await counted()).toBe(0);
    expect(await delayed(email)).toBe(true);

    // The workflow tries again until it works.
    const later = new Date(now.getTime() + MINUTE_MS);
    await sendDue(later, CLOSED);
    expect(await delayed(email)).toBe(true);
    await sendDue(new Date(later.getTime() + MINUTE_MS));
    expect(await delayed(email)).toBe(false);
    expect(server.messages).toHaveLength(email === KNOWN ? 7 : 0);
  },
);

test('what was sent counts: the sixth code of a browser is refused', async () => {
  const now = new Date();
  for (let request = 0; request < 5; request += 1) {
    await sendSecretMail(database.store, senderOf(), { id: await requestCode(KNOWN, now), now });
  }
  await expect(requestCode(KNOWN, now)).rejects.toMatchObject({ code: 'tooMany' });
});

test('a code that is no longer valid is not sent, nor one that the server rejects for good', async () => {
  const now = new Date();
  const late = await requestCode(KNOWN, now);
  await sendSecretMail(database.store, senderOf(CLOSED), { id: late, now });
  await sendDue(new Date(now.getTime() + 11 * MINUTE_MS));
  expect(server.offered).toEqual([]);

  server.behave('reject');
  const rejected = await requestCode(KNOWN, now);
  expect(await sendSecretMail(database.store, senderOf(), { id: rejected, now })).toMatchObject({ result: 'ended' });
  await sendDue(new Date(now.getTime() + 5 * MINUTE_MS));
  expect(server.offered.filter((mail) => mail.includes(rejected))).toHaveLength(1);
  expect(await delayed(KNOWN)).toBe(false);
});

test('an email whose sender was killed is sent by the workflow after a minute', async () => {
  const now = new Date();
  await requestCode(KNOWN, now);
  await sendDue(new Date(now.getTime() + MINUTE_MS / 2));
  expect(server.messages).toEqual([]);
  await sendDue(new Date(now.getTime() + 2 * MINUTE_MS));
  expect(server.messages).toHaveLength(1);
});
