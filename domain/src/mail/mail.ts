import { markdownToHtml } from '../communication/markdown.ts';

/** What the emails that follow from a change are about. */
export const MAIL_KINDS = [
  'drawWaits',
  'drawApproved',
  'drawRejected',
  'drawReminder',
  'tapeLate',
  'tapeFailed',
  'correctionProposed',
  'correctionDecided',
  'bankDetailsChanged',
  'callDue',
  'callIssued',
  'distributionIssued',
  'statementPublished',
  'reportPublished',
  'noticeWithdrawn',
  'announcement',
  'importFinished',
  'issueWaits',
  'issueDecided',
  'runWaits',
  'runDecided',
  'invoiceIssued',
  'accountWaits',
  'accountDecided',
  'statementRefused',
  'covenantBreached',
  'certificateSubmitted',
  'certificateDecided',
  'deliverableDue',
  'deliverableReceived',
  'deliverableDecided',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/**
 * About one document of each investor. A person who gets several of these with one subject and page, because it stands
 * for several investors, gets one email that names them.
 */
export const JOINED_KINDS: readonly MailKind[] = [
  'callDue',
  'callIssued',
  'distributionIssued',
  'statementPublished',
  'noticeWithdrawn',
];
/** Messages that one email joins. */
export const MAX_JOINED = 100;

/**
 * `Queued` emails are sent, and tried again until one succeeds. `Held` ones wait for an administrator after a restore. The
 * other states are final.
 */
export const MAIL_STATUSES = ['Queued', 'Held', 'Sent', 'Failed', 'Skipped'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

export const MAIL_LIMITS = { key: 200, subject: 200, text: 21_000, page: 500 } as const;

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
export const MAX_ATTEMPTS = 16;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 4 * 3_600_000;

/** How long to wait after a failed attempt. @param attempts how many have failed, from 1 */
export const retryWaitMs = (attempts: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_WAIT_MS);

/** What an email says, and to whom. */
export interface AddressedMail {
  /** The first name of a user, or the name of a contact. */
  readonly firstName: string;
  readonly kind: MailKind;
  /** The lines, in one text. */
  readonly text: string;
  readonly page: string;
  readonly pageTitle: string;
  /** The investors whom it is about, of an email that joins several messages. */
  readonly about?: readonly AboutInvestor[];
  /** The messages of a digest, instead of what it is about. */
  readonly sections?: readonly MailSection[];
}

/** Messages of one kind, each with the path of its page. */
export interface MailSection {
  readonly title: string;
  readonly items: readonly { readonly title: string; readonly page: string }[];
}

/** One investor of an email that joins several messages. */
export interface AboutInvestor {
  readonly title: string;
  /** The path of the page of its document. */
  readonly page: string;
}

/** The text of several messages to one person: every paragraph once. */
export const joinedText = (texts: readonly string[]): string =>
  [...new Set(texts.flatMap((text) => text.split(/\n{2,}/)).map((paragraph) => paragraph.trim()))].join('\n\n');

const aboutLine = (about: readonly AboutInvestor[]): string => `This email is about ${about.length} investors:`;

/** The lists of an email: the messages of a digest, or the investors whom it is about. */
const listsOf = ({ about = [], sections = [] }: AddressedMail): readonly MailSection[] =>
  about.length > 0 ? [{ title: aboutLine(about), items: about }] : sections;

/** The text of an email as it is sent: greeting, lines, its investors if they are several, and a link to the page. */
export function mailText(mail: AddressedMail, publicUrl: string): string {
  const lists = listsOf(mail).flatMap(({ title, items }) => [
    title,
    ...items.map((item) => `- ${item.title.replaceAll(/\s+/g, ' ')}: ${publicUrl}${item.page}`),
    '',
  ]);
  return [
    `Hello ${mail.firstName},`,
    '',
    mail.text,
    '',
    ...lists,
    `${mail.pageTitle}:`,
    publicUrl + mail.page,
    '',
  ].join('\n');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const LINK = 'color:#0b6b72';

/** A paragraph for each part between empty lines. */
const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${escaped(part.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('\n');

/**
 * The same as HTML, for programs that show it. It loads nothing from elsewhere, and is readable without its styles. Only
 * what people write for publication is Markdown; every other line is plain text.
 */
export function mailHtml(mail: AddressedMail, publicUrl: string): string {
  const text =
    mail.kind === 'announcement' && mail.sections === undefined
      ? markdownToHtml(mail.text, { baseUrl: publicUrl, linkStyle: LINK })
      : paragraphs(mail.text);
  const link = ({ title, page }: MailSection['items'][number]) =>
    `<li><a href="${escaped(publicUrl + page)}" style="${LINK}">${escaped(title)}</a></li>\n`;
  const list = listsOf(mail)
    .map(({ title, items }) => `<p>${escaped(title)}</p>\n<ul>\n${items.map(link).join('')}</ul>\n`)
    .join('');
  const address = escaped(publicUrl + mail.page);
  return `<!doctype html>
<html lang="en">
<body style="margin:0;padding:24px;background:#f6f7f6">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;color:#18211f;border:1px solid #e2e6e4;border-radius:6px;${FONT};font-size:15px;line-height:1.5">
<p>Hello ${escaped(mail.firstName)},</p>
${text}
${list}<p style="margin:24px 0 0"><a href="${address}" style="display:inline-block;padding:9px 16px;border-radius:5px;background:#0b6b72;color:#ffffff;text-decoration:none">${escaped(mail.pageTitle)}</a></p>
<p style="margin:16px 0 0;font-size:12px;color:#5b6663">Or copy this address: <a href="${address}" style="${LINK}">${address}</a></p>
</div>
</body>
</html>
`;
}
