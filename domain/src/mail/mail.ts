/** What the emails that follow from a change are about. */
export const MAIL_KINDS = [
  'drawWaits',
  'drawApproved',
  'drawRejected',
  'drawReminder',
  'tapeLate',
  'callIssued',
  'distributionIssued',
  'statementPublished',
  'reportPublished',
  'announcement',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** `Queued` emails are sent, and tried again until one succeeds. The other states are final. */
export const MAIL_STATUSES = ['Queued', 'Sent', 'Failed', 'Skipped'] as const;

export const MAIL_LIMITS = { key: 200, subject: 200, text: 20_000, page: 500 } as const;

/** What an email says: plain text, one entry per line. */
export interface MailContent {
  readonly subject: string;
  readonly lines: readonly string[];
  /** The path of the page that the email links to: /monitoring/draws/<id>. */
  readonly page: string;
  /** What the page shows, before the link: "Open the draw". */
  readonly pageTitle: string;
}

/** Sending is tried this many times, over about a day, so that an outage of a mail server loses nothing. */
export const MOST_ATTEMPTS = 16;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 4 * 3_600_000;

/** How long to wait after a failed attempt. @param attempts how many have failed, from 1 */
export const retryWaitMs = (attempts: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_WAIT_MS);

/** The text of an email as it is sent: greeting, lines and a link to the page. */
export function mailText(
  mail: { firstName: string; lines: string; page: string; pageTitle: string },
  publicUrl: string,
): string {
  return [`Hello ${mail.firstName},`, '', mail.lines, '', `${mail.pageTitle}:`, publicUrl + mail.page, ''].join('\n');
}
