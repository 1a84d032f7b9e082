import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { saveNotificationSettings } from '@tapeline/db/operations/notifications/settings.ts';
import { tell } from '@tapeline/db/operations/outbox/tell.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { makeTenant, type TestTenant } from '@tapeline/db/testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import type { ChosenChannels } from '@tapeline/domain/communication/notification-settings.schema.ts';
import type { MailKind } from '@tapeline/domain/mail/mail.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { createMailer } from '@tapeline/mail/mailer.ts';
import { openSmtpServer, type TestSmtpServer } from '@tapeline/mail/testing/smtp-server.ts';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendDueMail } from './activities.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');
const DIGEST = new Date('2026-11-21T07:00:00.000Z');
const log = pino({ level: 'silent' });

let database: TestDatabase;
let server: TestSmtpServer;
let home: string;
let tenant: TestTenant;
let roleId: string;

beforeAll(async () => {
  [database, server] = await Promise.all([createTestDatabase(), openSmtpServer()]);
  home = await mkdtemp(join(tmpdir(), 'digests-'));
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    roleId = newId();
    session.em.create(Role, { id: roleId, title: 'Reader', level: 12, permissions: ['assets/read'] });
  });
});
afterAll(async () => {
  await Promise.all([database.close(), server.close()]);
  await rm(home, { recursive: true });
});
beforeEach(async () => {
  server.messages.length = 0;
  server.behave('accept');
  await database.query(`update outbox set status = 'Skipped' where status = 'Queued'`);
});

async function person(channels: ChosenChannels, digestHour = 7): Promise<UserActor> {
  const { managerId } = tenant;
  const id = newId();
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(User, {
      id,
      type: 'manager',
      managerId,
      assoc: { manager: { id: managerId } },
      firstName: 'Ann',
      lastName: 'Example',
      email: `${id}@example.test`,
      roleId,
    });
  });
  const actor = testActor({ type: 'manager', managerId, userId: id });
  await database.store.as(actor, (session) => saveNotificationSettings(session, { channels, digestHour }), {
    now: NOON,
  });
  return actor;
}

let occasions = 0;
const tellOf = (kind: MailKind, to: readonly UserActor[], subject: string, company = 0) => {
  occasions += 1;
  return database.store.as(
    SYSTEM,
    (session) =>
      tell(session, {
        to: { users: to.map(({ userId }) => userId) },
        kind,
        resource: 'loanTapes',
        documentId: tenant.companies[company]!.tapeId,
        key: `digest/${occasions}`,
        subject,
        lines: [`About ${subject}.`],
        page: `/monitoring/tapes/${tenant.companies[company]!.tapeId}`,
        pageTitle: 'Open the tape',
      }),
    { now: NOON },
  );
};

const send = (at: Date) => {
  const config = { nodeEnv: 'production', smtpUrl: server.url, mailFrom: 'Tapeline <no-reply@example.com>' } as const;
  const mailer = createMailer({ home, ...config }, log);
  return sendDueMail(
    { store: database.store, log, mailer, publicUrl: 'https://tapeline.example', appSecret: 'only for tests' },
    { now: () => at },
  );
};

/** The plain text of what was sent to a person, with its subject. */
const sentTo = ({ userId }: UserActor) =>
  server.messages
    .filter((message) => message.includes(`To: ${userId}@example.test`))
    .map((message) => ({
      subject: /^Subject: (.*)$/m.exec(message)?.[1]?.trim(),
      text: message
        .slice(0, message.indexOf('Content-Type: text/html'))
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=')
        .replaceAll('\r\n', '\n'),
    }));

test('a digest is one email at its hour with everything that was due, and nothing is sent twice', async () => {
  const ann = await person({ tapeLate: 'digest', tapeFailed: 'digest' });
  await tellOf('tapeLate', [ann], 'The first tape is late');
  await tellOf('tapeFailed', [ann], 'The second tape failed', 1);
  await tellOf('bankDetailsChanged', [ann], 'Bank details of Northwind were changed');
  expect(await send(NOON)).toEqual({ sent: 1, failed: 0, ended: 0 });
  expect(sentTo(ann).map(({ subject }) => subject)).toEqual(['Bank details of Northwind were changed']);
  expect(await send(new Date(DIGEST.getTime() - 1))).toEqual({ sent: 0, failed: 0, ended: 0 });
  expect(await send(DIGEST)).toEqual({ sent: 1, failed: 0, ended: 0 });
  expect(sentTo(ann)[1]).toMatchObject({ subject: 'Daily digest: 2 updates' });
  const { text } = sentTo(ann)[1]!;
  expect(text).toContain(
    `Late tapes\n- The first tape is late: https://tapeline.example/monitoring/tapes/${tenant.companies[0]!.tapeId}`,
  );
  expect(text).toContain('Failed tapes\n- The second tape failed:');
  expect(text).toContain('https://tapeline.example/notifications');
  expect(await send(new Date(DIGEST.getTime() + 86_400_000))).toEqual({ sent: 0, failed: 0, ended: 0 });
});

test('a digest has nothing that was hidden from the person, or that the person switched off, in the meantime', async () => {
  const ann = await person({ tapeLate: 'digest', tapeFailed: 'digest' });
  await tellOf('tapeLate', [ann], 'A hidden tape is late');
  await tellOf('tapeLate', [ann], 'The other tape is late', 1);
  await tellOf('tapeFailed', [ann], 'The other tape failed', 1);
  await database.query(`update users set exclusive_resources = $2 where id = $1`, [
    ann.userId,
    [`loanTapes/${tenant.companies[0]!.tapeId}`],
  ]);
  await database.query(
    `update notification_settings set channels = '{"tapeLate": "digest", "tapeFailed": "product"}' where user_id = $1`,
    [ann.userId],
  );
  await send(DIGEST);
  // One message is left, which is sent as it is.
  expect(sentTo(ann).map(({ subject }) => subject)).toEqual(['The other tape is late']);
  const [counted] = await database.query<{ skipped: number }>(
    `select count(*)::int as skipped from outbox where user_id = $1 and status = 'Skipped'`,
    [ann.userId],
  );
  expect(counted?.skipped).toBe(2);
});

test('a digest that could not be sent is tried again as it was, and each person has their own', async () => {
  const [ann, ben] = [await person({ tapeLate: 'digest' }), await person({ tapeLate: 'digest' }, 9)];
  await tellOf('tapeLate', [ann, ben], 'One tape is late');
  await tellOf('tapeLate', [ann, ben], 'Another tape is late', 1);
  server.behave('refuse');
  expect(await send(DIGEST)).toMatchObject({ sent: 0, failed: 1 });
  server.behave('accept');
  await tellOf('tapeLate', [ann], 'A third tape is late');
  await send(new Date(DIGEST.getTime() + 60_000));
  expect(sentTo(ann).map(({ subject }) => subject)).toEqual(['A third tape is late', 'Daily digest: 2 updates']);
  expect(sentTo(ben)).toEqual([]);
  await send(new Date('2026-11-21T09:00:00.000Z'));
  expect(sentTo(ben).map(({ subject }) => subject)).toEqual(['Daily digest: 2 updates']);
});
