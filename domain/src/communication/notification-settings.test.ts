import { expect, test } from 'vitest';
import { MAIL_KINDS } from '../mail/mail.ts';
import { USER_TYPES } from '../people/actor.ts';
import {
  channelOf,
  channelsOf,
  DIGEST_HOURS,
  isRequiredKind,
  kindsOf,
  notificationSettingsSchema,
  REQUIRED_KINDS,
} from './notification-settings.schema.ts';

test('every kind goes to somebody, and every type of user has kinds to choose', () => {
  expect([...new Set(USER_TYPES.flatMap(kindsOf))].sort()).toEqual([...MAIL_KINDS].sort());
  expect(USER_TYPES.length).toBeGreaterThan(3);
  for (const type of USER_TYPES) expect(kindsOf(type).some((kind) => !isRequiredKind(kind))).toBe(true);
});

test('what must be told cannot be switched off, whatever is stored', () => {
  for (const kind of REQUIRED_KINDS) {
    expect(channelsOf(kind)).toEqual(['email']);
    expect(channelOf(kind, { [kind]: 'off' })).toBe('email');
  }
  const schema = notificationSettingsSchema('LP');
  const { channels } = schema.parse({
    channels: { ...sent('LP', 'off'), callIssued: 'off', bankDetailsChanged: 'off' },
    digestHour: '7',
  });
  expect(Object.keys(channels).filter((kind) => REQUIRED_KINDS.some((one) => one === kind))).toEqual([]);
});

const sent = (type: (typeof USER_TYPES)[number], channel: string) =>
  Object.fromEntries(kindsOf(type).map((kind) => [kind, channel]));

test('a person who has not chosen is told by email at once, or in the product where there is no email', () => {
  expect([channelOf('drawWaits', {}), channelOf('importFinished', {})]).toEqual(['email', 'product']);
  expect(channelOf('drawWaits', { drawWaits: 'digest' })).toBe('digest');
});

test('the form takes the ways of each kind and an hour of the day', () => {
  const parse = (channel: string, digestHour: string) =>
    notificationSettingsSchema('company').safeParse({ channels: sent('company', channel), digestHour }).success;
  expect(['0', '23', '24', '-1', '7.5', 'seven'].map((hour) => parse('digest', hour))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(['email', 'digest', 'product', 'off', 'sms', ''].map((channel) => parse(channel, '7'))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  const admin = (channel: string) =>
    notificationSettingsSchema('admin').safeParse({ channels: { importFinished: channel }, digestHour: '7' }).success;
  expect([admin('product'), admin('off'), admin('email')]).toEqual([true, true, false]);
  expect(DIGEST_HOURS.map(({ label }) => label).filter((_, at) => at === 0 || at === 23)).toEqual([
    '00:00 UTC',
    '23:00 UTC',
  ]);
});
