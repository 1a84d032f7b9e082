import { z } from 'zod';
import { valuesOf } from '../documents/labels.ts';
import { MAIL_KINDS, type MailKind } from '../mail/mail.ts';
import type { UserType } from '../people/actor.ts';

/** How a person is told of a kind of message. Unless it is off, the message is in the product as well. */
export const NOTIFICATION_CHANNEL_LABELS = {
  email: 'Email at once',
  digest: 'Daily digest',
  product: 'In the product only',
  off: 'Off',
} as const;
export type NotificationChannel = keyof typeof NOTIFICATION_CHANNEL_LABELS;
export const NOTIFICATION_CHANNELS = valuesOf(NOTIFICATION_CHANNEL_LABELS);

/** The hour of the daily digest in UTC, until a person chooses. */
export const DEFAULT_DIGEST_HOUR = 7;

interface NotificationKind {
  /** Several messages of the kind together: "Draws to decide". */
  readonly label: string;
  /** The types of users who get it. */
  readonly types: readonly UserType[];
  /** Whether there is never an email about it. */
  readonly isInProductOnly?: true;
}

const LENDING = ['manager', 'company'] as const;
const INVESTORS = ['LP', 'LPGroup'] as const;
const PEOPLE = [...LENDING, ...INVESTORS] as const;

/** What each kind of message is called, and who gets it. */
export const NOTIFICATION_KINDS: Readonly<Record<MailKind, NotificationKind>> = {
  drawWaits: { label: 'Draws to decide', types: ['manager'] },
  drawReminder: { label: 'Reminders of draws to decide', types: ['manager'] },
  drawApproved: { label: 'Draws approved', types: LENDING },
  drawRejected: { label: 'Draws rejected', types: LENDING },
  tapeLate: { label: 'Late tapes', types: LENDING },
  tapeFailed: { label: 'Failed tapes', types: LENDING },
  correctionProposed: { label: 'Corrections to decide', types: ['manager'] },
  correctionDecided: { label: 'Corrections decided', types: ['company'] },
  bankDetailsChanged: { label: 'Bank details changed', types: PEOPLE },
  callIssued: { label: 'Capital calls issued', types: INVESTORS },
  callDue: { label: 'Reminders of capital calls', types: INVESTORS },
  distributionIssued: { label: 'Distributions issued', types: INVESTORS },
  statementPublished: { label: 'Statements published', types: INVESTORS },
  reportPublished: { label: 'Reports published', types: INVESTORS },
  noticeWithdrawn: { label: 'Documents withdrawn', types: PEOPLE },
  announcement: { label: 'Announcements', types: PEOPLE },
  issueWaits: { label: 'Documents that need a second person', types: ['manager'] },
  issueDecided: { label: 'Documents issued or returned', types: ['manager'] },
  runWaits: { label: 'Payment runs to release', types: ['manager'] },
  runDecided: { label: 'Payment runs released, withdrawn or returned', types: ['manager'] },
  invoiceIssued: { label: 'Invoices issued', types: ['company'] },
  accountWaits: { label: 'Bank accounts to confirm', types: ['manager'] },
  accountDecided: { label: 'Bank account requests decided', types: ['company', ...INVESTORS] },
  statementRefused: { label: 'Bank statements refused', types: ['manager'] },
  covenantBreached: { label: 'Covenants breached', types: LENDING },
  certificateSubmitted: { label: 'Certificates to review', types: ['manager'] },
  certificateDecided: { label: 'Certificates accepted or disputed', types: ['company'] },
  deliverableDue: { label: 'Reminders of deliverables', types: ['company'] },
  deliverableReceived: { label: 'Deliverables to review', types: ['manager'] },
  deliverableDecided: { label: 'Deliverables accepted, returned or waived', types: ['company'] },
  importFinished: { label: 'Imports finished', types: ['manager', 'admin'], isInProductOnly: true },
};

/**
 * Always told by email at once: whoever misses these pays to a false account, pays late, or pays what was withdrawn.
 * Codes and links to sign in and changes of addresses are no notifications, and are always sent as well.
 */
export const REQUIRED_KINDS = ['bankDetailsChanged', 'callIssued', 'noticeWithdrawn'] as const satisfies MailKind[];

export const isRequiredKind = (kind: MailKind): boolean => REQUIRED_KINDS.some((one) => one === kind);

/** The ways in which a person can be told of a kind. The first one is that of everybody who has not chosen. */
export function channelsOf(kind: MailKind): readonly NotificationChannel[] {
  if (isRequiredKind(kind)) return ['email'];
  return NOTIFICATION_KINDS[kind].isInProductOnly ? ['product', 'off'] : NOTIFICATION_CHANNELS;
}

/** What a person chose, by kind. */
export type ChosenChannels = Readonly<Partial<Record<MailKind, NotificationChannel>>>;

/** How a person is told of a kind. */
export const channelOf = (kind: MailKind, chosen: ChosenChannels): NotificationChannel => {
  const channels = channelsOf(kind);
  const channel = chosen[kind];
  return channel !== undefined && channels.includes(channel) ? channel : (channels[0] ?? 'email');
};

/** The kinds that users of a type get. */
export const kindsOf = (type: UserType): MailKind[] =>
  MAIL_KINDS.filter((kind) => NOTIFICATION_KINDS[kind].types.includes(type));

const LAST_HOUR = 23;

/** The channels of the kinds that users of a type can choose, and the hour of their digest. */
export const notificationSettingsSchema = (type: UserType) =>
  z.object({
    channels: z.object(
      Object.fromEntries(
        kindsOf(type)
          .filter((kind) => !isRequiredKind(kind))
          .map((kind) => [kind, z.enum(channelsOf(kind), 'Choose one of the ways')]),
      ),
    ),
    /** A whole hour of the day in UTC. */
    digestHour: z.coerce
      .number('Choose an hour')
      .int('Choose a whole hour')
      .min(0, 'Choose an hour from 00 to 23')
      .max(LAST_HOUR, 'Choose an hour from 00 to 23'),
  });

export interface NotificationSettings {
  readonly channels: ChosenChannels;
  readonly digestHour: number;
}

/** The hours of a day as a form offers them: "07:00 UTC". */
export const DIGEST_HOURS = Array.from({ length: LAST_HOUR + 1 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00 UTC`,
}));
