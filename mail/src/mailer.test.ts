import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMailer, isRejectedForGood, type MailSettings, mailFolder } from './mailer.ts';
import { openSmtpServer, type TestSmtpServer } from './testing/smtp-server.ts';

const log = pino({ enabled: false });
const AT = new Date('2026-11-02T09:14:31.123Z');
const mail = { to: 'ann@example.com', subject: 'A subject', text: 'One\nTwo\n' };
const identity = { messageId: '<65f0c2a1b3d4e5f601234567@tapeline.test>', at: AT };

let server: TestSmtpServer;
let home: string;
let settings: MailSettings;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mailer-'));
  server = await openSmtpServer();
  settings = { home, nodeEnv: 'test', smtpUrl: null, mailFrom: 'Tapeline <no-reply@tapeline.test>' };
});
afterEach(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

const files = () => readdir(mailFolder({ home }));

test('outside production, an email is a file named after its time and address', async () => {
  await createMailer(settings, log, () => AT).send(mail);
  expect(await files()).toEqual(['2026-11-02T09-14-31.123Z-ann@example.com.eml']);
  const kept = await PostalMime.parse(await readFile(join(mailFolder({ home }), (await files())[0]!)));
  expect(kept).toMatchObject({ subject: 'A subject', text: 'One\nTwo\n', from: { address: 'no-reply@tapeline.test' } });
});

test('an email that is sent again is written once, and another of the same moment is kept too', async () => {
  const mailer = createMailer(settings, log);
  await mailer.send({ ...mail, identity });
  await mailer.send({ ...mail, identity });
  expect(await files()).toHaveLength(1);
  await mailer.send({ ...mail, identity: { ...identity, messageId: '<another@tapeline.test>' } });
  expect((await files()).sort()).toEqual([
    '2026-11-02T09-14-31.123Z-ann@example.com.eml',
    '2026-11-02T09-14-31.124Z-ann@example.com.eml',
  ]);
});

test('in production, an email goes to the mail server alone, with its id and the configured sender', async () => {
  const mailFrom = 'Harbour <lending@harbour.example>';
  const mailer = createMailer({ ...settings, nodeEnv: 'production', smtpUrl: server.url, mailFrom }, log);
  await mailer.send({ ...mail, identity });
  expect(mailer.delivers).toBe(true);
  expect(server.messages).toHaveLength(1);
  const sent = await PostalMime.parse(server.messages[0]!);
  expect(sent).toMatchObject({ messageId: identity.messageId, subject: 'A subject', from: { name: 'Harbour' } });
  await expect(files()).rejects.toMatchObject({ code: 'ENOENT' });
});

test('in production without a mail server, nothing is delivered', () => {
  expect(createMailer({ ...settings, nodeEnv: 'production' }, log).delivers).toBe(false);
});

test('a refusal for now is told from one for good', async () => {
  const mailer = createMailer({ ...settings, smtpUrl: server.url }, log);
  server.behave('refuse');
  expect(isRejectedForGood(await mailer.send(mail).catch((error: unknown) => error))).toBe(false);
  server.behave('reject');
  expect(isRejectedForGood(await mailer.send(mail).catch((error: unknown) => error))).toBe(true);
  await server.close();
  expect(isRejectedForGood(await mailer.send(mail).catch((error: unknown) => error))).toBe(false);
});
