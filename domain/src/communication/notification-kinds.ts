import type { MailKind } from '../mail/mail.ts';
import type { NOTIFICATION_LEVELS } from './announcement.schema.ts';

export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];

/** How a notification of each kind of message is shown. What requires an action does so until anyone completes it. */
export const NOTIFIED_AS: Readonly<
  Record<MailKind, { readonly level: NotificationLevel; readonly actionRequired: boolean }>
> = {
  drawWaits: { level: 'info', actionRequired: true },
  drawReminder: { level: 'warning', actionRequired: true },
  drawApproved: { level: 'info', actionRequired: false },
  drawRejected: { level: 'warning', actionRequired: false },
  tapeLate: { level: 'warning', actionRequired: true },
  tapeFailed: { level: 'danger', actionRequired: true },
  correctionProposed: { level: 'info', actionRequired: true },
  correctionDecided: { level: 'info', actionRequired: false },
  // A false account is how payments are stolen. Nothing in the product can confirm the change.
  bankDetailsChanged: { level: 'danger', actionRequired: false },
  callDue: { level: 'warning', actionRequired: false },
  callIssued: { level: 'info', actionRequired: false },
  distributionIssued: { level: 'info', actionRequired: false },
  statementPublished: { level: 'info', actionRequired: false },
  reportPublished: { level: 'info', actionRequired: false },
  noticeWithdrawn: { level: 'warning', actionRequired: false },
  announcement: { level: 'info', actionRequired: false },
  issueWaits: { level: 'info', actionRequired: true },
  issueDecided: { level: 'info', actionRequired: false },
  runWaits: { level: 'info', actionRequired: true },
  runDecided: { level: 'info', actionRequired: false },
  invoiceIssued: { level: 'info', actionRequired: false },
  accountWaits: { level: 'danger', actionRequired: true },
  accountDecided: { level: 'info', actionRequired: false },
  statementRefused: { level: 'warning', actionRequired: false },
  covenantBreached: { level: 'danger', actionRequired: false },
  certificateSubmitted: { level: 'info', actionRequired: true },
  certificateDecided: { level: 'info', actionRequired: false },
  deliverableDue: { level: 'warning', actionRequired: false },
  deliverableReceived: { level: 'info', actionRequired: false },
  deliverableDecided: { level: 'info', actionRequired: false },
  importFinished: { level: 'info', actionRequired: false },
};
