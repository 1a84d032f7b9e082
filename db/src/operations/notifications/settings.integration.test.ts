import {
  type ChosenChannels,
  NOTIFICATION_CHANNELS,
  type NotificationChannel,
  REQUIRED_KINDS,
} from '@tapeline/domain/communication/notification-settings.schema.ts';
import { MAIL_KINDS, type MailKind } from '@tapeline/domain/mail/mail.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { tell } from '../outbox/tell.ts';
import { completeAction, listNotificationGroups, listNotifications, markGroupRead } from './notifications.ts';
import { readNotificationSettings, saveNotificationSettings } from './settings.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

let database: TestDatabase;
let tenant: TestTenant;
let roleId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    roleId = newId();
    session.em.create(Role, { id: roleId, title: 'Reader', level: 12, permissions: ['assets/read'] });
  });
});
afterAll(() => database.close());

async function person(): Promise<UserActor> {
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
  return testActor({ type: 'manager', managerId, userId: id, firstName: 'Ann', lastName: 'Example' });
}

const save = (actor: UserActor, channels: ChosenChannels, digestHour = 7, now = NOON) =>
  database.store.as(actor, (session) => saveNotificationSettings(session, { channels, digestHour }), { now });

let occasions = 0;
const tellOf = (kind: MailKind, users: readonly UserActor[], now = NOON) => {
  occasions += 1;
  return database.store.as(
    SYSTEM,
    (session) =>
      tell(session, {
        to: { users: users.map(({ userId }) => userId) },
        kind,
        resource: 'loanTapes',
        documentId: tenant.companies[0]!.tapeId,
        key: `settings/${occasions}`,
        subject: `Occasion ${occasions}`,
        lines: ['It happened.'],
        page: '/monitoring/tapes',
        pageTitle: 'Open the tapes',
      }),
    { now },
  );
};

const queued = async ({ userId }: UserActor) =>
  (
    await database.query<{ isDigest: boolean; at: Date }>(
      `select is_digest as "isDigest", next_attempt_at as at from outbox where user_id = $1 and status = 'Queued' order by id`,
      [userId],
    )
  ).map(({ isDigest, at }) => [isDigest, at.toISOString()]);

test('a person who has chosen nothing is told by email at once', async () => {
  const ann = await person();
  expect(await database.store.read(ann, readNotificationSettings)).toMatchObject({
    channels: { drawWaits: 'email', bankDetailsChanged: 'email', importFinished: 'product' },
    digestHour: 7,
  });
  await tellOf('tapeLate', [ann]);
  expect(await queued(ann)).toEqual([[false, NOON.toISOString()]]);
});

describe('each person is told as they chose', () => {
  test.each<[NotificationChannel, notified: number, queued: unknown[]]>([
    ['email', 1, [[false, '2026-11-20T12:00:00.000Z']]],
    ['digest', 1, [[true, '2026-11-21T07:00:00.000Z']]],
    ['product', 1, []],
    ['off', 0, []],
  ])('%s', async (channel, notified, mails) => {
    const ann = await person();
    await save(ann, { tapeLate: channel });
    expect(await tellOf('tapeLate', [ann])).toBe(notified);
    expect((await database.store.read(ann, (session) => listNotifications(session))).total).toBe(notified);
    expect(await queued(ann)).toEqual(mails);
    // Another kind is as before.
    await tellOf('tapeFailed', [ann]);
    expect((await queued(ann)).at(-1)).toEqual([false, '2026-11-20T12:00:00.000Z']);
  });

  test.each([
    ['2026-11-20T06:59:59.000Z', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T07:00:00.000Z', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T07:00:00.001Z', '2026-11-21T07:00:00.000Z'],
  ])('what happens at %s is in the digest of %s', async (at, digest) => {
    const ann = await person();
    await save(ann, { tapeLate: 'digest' });
    await tellOf('tapeLate', [ann], new Date(at));
    expect(await queued(ann)).toEqual([[true, digest]]);
  });

  test('what waits follows a change of the settings', async () => {
    const ann = await person();
    await save(ann, { tapeLate: 'digest', tapeFailed: 'digest' });
    await tellOf('tapeLate', [ann]);
    await tellOf('tapeFailed', [ann]);
    await save(ann, { tapeLate: 'digest', tapeFailed: 'email' }, 23);
    expect(await queued(ann)).toEqual([
      [true, '2026-11-20T23:00:00.000Z'],
      [false, '2026-11-20T12:00:00.000Z'],
    ]);
  });
});

describe('what must be told', () => {
  test('is sent by email at once, whatever a person sends', async () => {
    const ann = await person();
    await save(ann, Object.fromEntries(MAIL_KINDS.map((kind) => [kind, 'off'])));
    for (const kind of REQUIRED_KINDS) await tellOf(kind, [ann]);
    expect(await queued(ann)).toEqual(REQUIRED_KINDS.map(() => [false, NOON.toISOString()]));
  });

  const stored = (channels: object, hour = 7) =>
    database.query(
      `insert into notification_settings values ((select id from users limit 1), $1, $2, now())
       on conflict (user_id) do update set channels = excluded.channels, digest_hour = excluded.digest_hour`,
      [JSON.stringify(channels), hour],
    );

  test('cannot be switched off in the database either', async () => {
    for (const kind of REQUIRED_KINDS) {
      await expect(stored({ [kind]: 'off' })).rejects.toThrow(/notification_settings_required/);
    }
    for (const channel of NOTIFICATION_CHANNELS) await stored({ drawWaits: channel });
    await expect(stored({ drawWaits: 'sms' })).rejects.toThrow(/notification_settings_channels/);
    await stored({}, 0);
    await stored({}, 23);
    await expect(stored({}, 24)).rejects.toThrow(/digest_hour/);
    await expect(stored({}, -1)).rejects.toThrow(/digest_hour/);
  });
});

test('a person reads and changes only their own settings', async () => {
  const [ann, ben] = [await person(), await person()];
  await save(ann, { tapeLate: 'off' });
  expect((await database.store.read(ben, readNotificationSettings)).channels.tapeLate).toBe('email');
  const changed = await database.store.as(ben, ({ query }) =>
    query('update notification_settings set digest_hour = 1 returning user_id'),
  );
  expect(changed).toEqual([]);
});

test('notifications are grouped by kind and day, and a group is read at once', async () => {
  const ann = await person();
  const next = new Date(NOON.getTime() + 86_400_000);
  for (const at of [NOON, NOON, next]) await tellOf('tapeLate', [ann], at);
  await tellOf('tapeFailed', [ann], next);
  const groups = async (query: object = {}) => {
    const found = await database.store.read(ann, (session) => listNotificationGroups(session, query));
    return {
      total: found.total,
      groups: found.groups.map(({ kind, day, total, unread }) => [kind, day, total, unread]),
    };
  };
  expect(await groups()).toEqual({
    total: 3,
    groups: [
      ['tapeFailed', '2026-11-21', 1, 1],
      ['tapeLate', '2026-11-21', 1, 1],
      ['tapeLate', '2026-11-20', 2, 2],
    ],
  });
  expect(await groups({ skip: 2, limit: 1 })).toEqual({ total: 3, groups: [['tapeLate', '2026-11-20', 2, 2]] });
  await database.store.as(ann, (session) => markGroupRead(session, { kind: 'tapeLate', day: '2026-11-20' }));
  expect((await groups({ filter: { isRead: false } })).groups).toEqual([
    ['tapeFailed', '2026-11-21', 1, 1],
    ['tapeLate', '2026-11-21', 1, 1],
  ]);
});

test('what somebody has done is done for everybody, and says who did it', async () => {
  const [ann, ben] = [await person(), await person()];
  const of = { resource: 'loanTapes', documentIds: [tenant.companies[0]!.tapeId], kinds: ['tapeFailed' as const] };
  const doneBy = async () =>
    (await database.store.read(ben, (session) => listNotifications(session))).documents.map((one) => [
      one.actionRequired,
      one.doneBy,
    ]);
  await tellOf('tapeFailed', [ann, ben]);
  expect(await doneBy()).toEqual([[true, null]]);
  await database.store.as(ann, (session) => completeAction(session, of));
  expect(await doneBy()).toEqual([[false, 'Ann Example']]);
  await tellOf('tapeFailed', [ben]);
  await database.store.as(SYSTEM, (session) => completeAction(session, of));
  expect((await doneBy())[0]).toEqual([false, null]);
});
