import { NO_ACCOUNT } from '@tapeline/domain/capital/notice-parts.ts';
import { RECENT_DISTRIBUTION_DAYS, RECENT_STATEMENT_DAYS } from '@tapeline/domain/capital/recent-documents.ts';
import { COLLECTIONS } from '@tapeline/domain/collections/collections.ts';
import { addDays, type CalendarDate, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { MailContent, MailKind } from '@tapeline/domain/mail/mail.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';

/** The tables whose documents are made into files. */
export const NOTICE_TABLES = ['contributions', 'distributions', 'capital_accounts'] as const;
export type NoticeTable = (typeof NOTICE_TABLES)[number];
/** The tables whose documents investors get an email about. */
export type MailedTable = NoticeTable | 'reports';

/** How each table is called in calls, and what a recipient needs to read its documents. */
export const MAILED = {
  contributions: { resource: 'contributions', permission: COLLECTIONS.contributions.read },
  distributions: { resource: 'distributions', permission: COLLECTIONS.distributions.read },
  capital_accounts: { resource: 'capitalAccounts', permission: COLLECTIONS.capitalAccounts.read },
  reports: { resource: 'reports', permission: COLLECTIONS.reports.read },
} as const satisfies Readonly<Record<MailedTable, { resource: string; permission: PermissionKey }>>;

/** The table whose documents investors get an email about, by the name of its collection in calls. */
export const mailedTableOf = (resource: string): MailedTable | undefined =>
  (Object.keys(MAILED) as MailedTable[]).find((table) => MAILED[table].resource === resource);

/** A published document, as an email about it needs it. */
export interface MailedDocument {
  readonly id: string;
  readonly cutOffDate: CalendarDate;
  /** Of a call or distribution: the id of its header, which its page has. */
  readonly activityId: string | null;
  readonly callNumber: string | null;
  /** Of a call. */
  readonly dueDate: CalendarDate | null;
  readonly fundId: string | null;
  readonly mainFundId: string | null;
  /** Of the fund, or else of the main fund. */
  readonly fundTitle: string;
  /** Of a call: whether its notice states an account to pay into. */
  readonly hasWire: boolean;
  /** Whether the call or distribution is netted with another, also if this investor is in one of the two alone. */
  readonly isNetted: boolean;
  /** What the notice is about as well: of a call the distribution that it is netted with, and the other way round. */
  readonly nettedWith: NettedDocument | null;
}

/** The number of what a document is netted with, and the contribution of the two, by which people are told of both once. */
interface NettedDocument {
  readonly callNumber: string;
  readonly contributionId: string;
}

interface NoticeMail extends MailContent {
  readonly kind: MailKind;
  readonly resource: string;
  readonly documentId: string;
}

function lastDay(table: MailedTable, { cutOffDate, dueDate, isNetted }: MailedDocument): CalendarDate {
  // What a call is netted with is paid on its due date, so people are told of both as long as of a distribution.
  if (isNetted) return addDays(dueDate ?? cutOffDate, RECENT_DISTRIBUTION_DAYS);
  if (table === 'contributions') return dueDate ?? cutOffDate;
  return addDays(cutOffDate, table === 'distributions' ? RECENT_DISTRIBUTION_DAYS : RECENT_STATEMENT_DAYS);
}

/** Whether nobody is told of a document any more: a call that was due, an old distribution, statement or report. */
export const isPast = (table: MailedTable, document: MailedDocument, today: CalendarDate): boolean =>
  lastDay(table, document) < today;

/** What the notice of a call contains. An email never promises an account that the notice does not state. */
export const callNoticeText = ({ hasWire }: { hasWire: boolean }): string =>
  hasWire
    ? 'Your notice, with the amount and the wire instructions, is on the page below.'
    : `Your notice, with the amount, is on the page below. ${NO_ACCOUNT}`;

/** The email that tells an investor of a published document. It states no amounts: email is not confidential. */
export function noticeMail(table: MailedTable, document: MailedDocument): NoticeMail {
  const { id: documentId, fundTitle, callNumber, cutOffDate, fundId, mainFundId } = document;
  const { resource } = MAILED[table];
  const day = formatCalendarDate(cutOffDate);
  if (document.nettedWith && (table === 'contributions' || table === 'distributions')) {
    const isCall = table === 'contributions';
    const both = describeBoth(table, document, document.nettedWith);
    return {
      kind: isCall ? 'callIssued' : 'distributionIssued',
      resource,
      documentId,
      subject: `${fundTitle}: ${both}`,
      lines: [
        `${fundTitle} has issued ${both}. They are settled as one net amount.`,
        `Your notice, with both and what you pay or receive, is on the page below.${document.hasWire ? '' : ` ${NO_ACCOUNT}`}`,
      ],
      page: (isCall ? MAIL_PAGES.capitalCall : MAIL_PAGES.distribution)(document.activityId ?? documentId),
      pageTitle: isCall ? 'Open the call' : 'Open the distribution',
    };
  }
  if (table === 'contributions') {
    const due = formatCalendarDate(document.dueDate ?? cutOffDate);
    return {
      kind: 'callIssued',
      resource,
      documentId,
      subject: `${fundTitle}: capital call ${callNumber}, due ${due}`,
      lines: [`${fundTitle} has issued capital call ${callNumber}. It is due on ${due}.`, callNoticeText(document)],
      page: MAIL_PAGES.capitalCall(document.activityId ?? documentId),
      pageTitle: 'Open the call',
    };
  }
  if (table === 'distributions') {
    return {
      kind: 'distributionIssued',
      resource,
      documentId,
      subject: `${fundTitle}: distribution ${callNumber} of ${day}`,
      lines: [`${fundTitle} has issued distribution ${callNumber} of ${day}.`, 'Your notice is on the page below.'],
      page: MAIL_PAGES.distribution(document.activityId ?? documentId),
      pageTitle: 'Open the distribution',
    };
  }
  const page = fundId
    ? { page: MAIL_PAGES.fundDocuments(fundId), pageTitle: 'Open the documents of the fund' }
    : { page: MAIL_PAGES.mainFund(mainFundId ?? ''), pageTitle: 'Open the fund' };
  if (table === 'reports') {
    return {
      kind: 'reportPublished',
      resource,
      documentId,
      subject: `${fundTitle}: report of ${day}`,
      lines: [`The report of ${fundTitle} of ${day} is published.`],
      ...page,
    };
  }
  return {
    kind: 'statementPublished',
    resource,
    documentId,
    subject: `${fundTitle}: capital account statement of ${day}`,
    lines: [`Your capital account statement of ${day} is published.`],
    ...page,
  };
}

type NamedDocument = Pick<MailedDocument, 'callNumber' | 'dueDate' | 'cutOffDate'>;

/** "capital call 9 and distribution 4 of 18 Nov 2026". */
function describeBoth(
  table: 'contributions' | 'distributions',
  document: MailedDocument,
  other: NettedDocument,
): string {
  const [called, distributed] =
    table === 'contributions' ? [document.callNumber, other.callNumber] : [other.callNumber, document.callNumber];
  const day = formatCalendarDate(document.dueDate ?? document.cutOffDate);
  return `capital call ${called} and distribution ${distributed} of ${day}`;
}

const dueOf = ({ dueDate, cutOffDate }: Pick<NamedDocument, 'dueDate' | 'cutOffDate'>): string =>
  `due on ${formatCalendarDate(dueDate ?? cutOffDate)}`;

/** What a document is called, at the end of a sentence: "capital call 9, due on 18 Nov 2026". */
function describe(table: MailedTable, { callNumber, dueDate, cutOffDate }: NamedDocument): string {
  const day = formatCalendarDate(cutOffDate);
  if (table === 'contributions') return `capital call ${callNumber}, ${dueOf({ dueDate, cutOffDate })}`;
  if (table === 'distributions') return `distribution ${callNumber} of ${day}`;
  return table === 'reports' ? `the report of ${day}` : `the capital account statement of ${day}`;
}

/** What whoever was told of a withdrawn document does now. */
const AFTER_WITHDRAWAL: Readonly<Record<MailedTable, string>> = {
  contributions: 'Do not pay it. If you have paid already, call your fund manager.',
  distributions: 'It is not paid. If you have received it already, call your fund manager.',
  capital_accounts: 'Do not use it.',
  reports: 'Do not use it.',
};

/** What an address says whose document was withdrawn: a sentence, and what to do. */
export const withdrawnText = (
  table: MailedTable,
  document: NamedDocument & Pick<MailedDocument, 'fundTitle'>,
  on: CalendarDate,
): string => {
  const what =
    table === 'contributions' ? `capital call ${document.callNumber} (${dueOf(document)})` : describe(table, document);
  return `${document.fundTitle} withdrew ${what} on ${formatCalendarDate(on)}. ${AFTER_WITHDRAWAL[table]}`;
};

/**
 * The email that tells whoever was told of a document that it was withdrawn. It is about the investor, or else the fund:
 * nobody sees the document any more.
 */
export function withdrawnMail(
  table: MailedTable,
  document: MailedDocument,
  about: { resource: string; documentId: string },
): MailContent & { kind: MailKind; resource: string; documentId: string } {
  const { subject, page, pageTitle } = noticeMail(table, document);
  const { nettedWith } = document;
  const isNetted = nettedWith && (table === 'contributions' || table === 'distributions');
  const what = isNetted ? describeBoth(table, document, nettedWith) : describe(table, document);
  return {
    kind: 'noticeWithdrawn',
    ...about,
    subject: `Withdrawn: ${subject}`,
    lines: [
      `${document.fundTitle} has withdrawn ${what}.`,
      isNetted ? 'Do not pay it. If money has moved already, call your fund manager.' : AFTER_WITHDRAWAL[table],
    ],
    page,
    pageTitle,
  };
}
