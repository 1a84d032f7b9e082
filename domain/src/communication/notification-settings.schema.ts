import { z } from 'zod';
import { valuesOf } from '../documents/labels.ts';
import { MAIL_KINDS, type MailKind } from '../mail/mail.ts';
import type { UserType } from '../people/actor.ts';

/** How a person is told of a kind of message. Except for `off`, the notification is in the product as well. */
export const NOTIFICATION_CHANNEL_LABELS = {
  email: 'Email at once',
  digest: 'Daily digest',
  product: 'In Tapeline only',
  off: 'Off',
} as const;
export type NotificationChannel = keyof typeof NOTIFICATION_CHANNEL_LABELS;
export const NOTIFICATION_CHANNELS = valuesOf(NOTIFICATION_CHANNEL_LABELS);

/** How everybody is told until they choose. */
export const DEFAULT_CHANNEL: NotificationChannel = 'email';

/** The hour of the daily digest in UTC, until a person chooses. */
export const DEFAULT_DIGEST_HOUR = 7;

/** What each kind is called, several of them together, and the types of users who get it. */
export const NOTIFICATION_KINDS = {
  drawWaits: { label: 'Draws to decide', types: ['manager'] },
  drawReminder: { label: 'Reminders of draws to decide', types: ['manager'] },
  drawApproved: { label: 'Draws approved', types: ['company'] },
  drawRejected: { label: 'Draws rejected', types: ['company'] },
  tapeLate: { label: 'Late tapes', types: ['manager', 'company'] },
  tapeFailed: { label: 'Failed tapes', types: ['manager', 'company'] },
  correctionProposed: { label: 'Corrections to decide', types: ['manager'] },
  correctionDecided: { label: 'Corrections decided', types: ['company'] },
  bankDetailsChanged: { label: 'Bank details changed', types: ['manager', 'company', 'LP', 'LPGroup'] },
  callIssued: { label: 'Capital calls issued', types: ['LP', 'LPGroup'] },
  callDue: { label: 'Reminders of capital calls', types: ['LP', 'LPGroup'] },
  distributionIssued: { label: 'Distributions issued', types: ['LP', 'LPGroup'] },
  statementPublished: { label: 'Statements published', types: ['LP', 'LPGroup'] },
  reportPublished: { label: 'Reports published', types: ['LP', 'LPGroup'] },
  noticeWithdrawn: { label: 'Documents withdrawn', types: ['company', 'LP', 'LPGroup'] },
  announcement: { label: 'Announcements', types: ['manager', 'company', 'LP', 'LPGroup'] },
  importFinished: { label: 'Imports finished', types: ['manager', 'admin'] },
} as const satisfies Readonly<Record<MailKind, { readonly label: string; readonly types: readonly UserType[] }>>;

/**
 * Always told by email at once: whoever misses these pays to a false account, pays late, or pays what was withdrawn. So are codes and
 * links to sign in and changes of addresses, which are no notifications.
 */
export const REQUIRED_KINDS = [
  'bankDetailsChanged',
  'callIssued',
  'noticeWithdrawn',
] as const satisfies readonly MailKind[];
export type RequiredKind = (typeof REQUIRED_KINDS)[number];
export type ChosenKind = Exclude<MailKind, RequiredKind>;

export const isRequiredKind = (kind: MailKind): kind is RequiredKind => REQUIRED_KINDS.some((one) => one === kind);

export const CHOSEN_KINDS = MAIL_KINDS.filter((kind): kind is ChosenKind => !isRequiredKind(kind));

/** What a person chose, by kind. A kind that is missing is told as everybody is until they choose. */
export type ChosenChannels = Partial<Record<ChosenKind, NotificationChannel>>;

/** The kinds that users of a type get. */
export const kindsOf = (type: UserType): MailKind[] =>
  MAIL_KINDS.filter((kind) => (NOTIFICATION_KINDS[kind].types as readonly UserType[]).includes(type));

const channelSchema = z.enum(NOTIFICATION_CHANNELS, 'Choose how you are told');

/** The channels of some or all kinds that can be chosen, and the hour of the digest. */
export const notificationSettingsSchema = z.object({
  channels: z.object(
    Object.fromEntries(CHOSEN_KINDS.map((kind) => [kind, channelSchema.optional()])) as Record<
      ChosenKind,
      z.ZodOptional<typeof channelSchema>
    >,
  ),
  /** A whole hour of the day in UTC, 0 to 23. */
  digestHour: z.coerce
    .number('Choose an hour')
    .int('Choose a whole hour')
    .min(0, 'Choose an hour from 0 to 23')
    .max(23, 'Choose an hour from 0 to 23'),
});
export type NotificationSettings = z.output<typeof notificationSettingsSchema>;
