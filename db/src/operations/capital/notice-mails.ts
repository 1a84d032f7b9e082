import {
  type CalendarDate,
  formatCalendarDate,
  fromEpochDay,
  toEpochDay,
} from '@tapeline/domain/dates/calendar-date.ts';
import type { MailContent, MailKind } from '@tapeline/domain/mail/mail.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';

/** The tables whose documents are made into files. */
export const NOTICE_TABLES = ['contributions', 'distributions', 'capital_accounts'] as const;
export type NoticeTable = (typeof NOTICE_TABLES)[number];
/** The tables whose documents investors get an email about. */
export type MailedTable = NoticeTable | 'reports';

/** A published document, as an email about it needs it. */
export interface MailedDocument {
  readonly id: string;
  readonly cutOffDate: CalendarDate;
  readonly bundleId: string | null;
  /** Of a call or distribution. */
  readonly callNumber: string | null;
  /** Of a call. */
  readonly dueDate: CalendarDate | null;
  readonly fundId: string | null;
  readonly mainFundId: string | null;
  /** Of the fund, or else of the main fund. */
  readonly fundTitle: string;
}

interface NoticeMail extends MailContent {
  readonly kind: MailKind;
  readonly resource: string;
  readonly documentId: string;
  /** What a recipient needs to read the document. */
  readonly permission: PermissionKey;
}

/** An email about a distribution that is older than this would only confuse. */
const RECENT_DAYS = 45;
/** The same for statements and reports, which follow their date by months. */
const RECENT_STATEMENT_DAYS = 200;

const daysAfter = (date: CalendarDate, days: number): CalendarDate => fromEpochDay(toEpochDay(date) + days);

function lastDay(table: MailedTable, { cutOffDate, dueDate }: MailedDocument): CalendarDate {
  if (table === 'contributions') return dueDate ?? cutOffDate;
  return daysAfter(cutOffDate, table === 'distributions' ? RECENT_DAYS : RECENT_STATEMENT_DAYS);
}

/**
 * The email that tells an investor of a published document. It states no amounts: email is not confidential. Null for
 * what is past when it is published: a call that was due, an old distribution, statement or report.
 */
export function noticeMail(table: MailedTable, document: MailedDocument, today: CalendarDate): NoticeMail | null {
  if (lastDay(table, document) < today) return null;
  const { id: documentId, fundTitle, callNumber, cutOffDate, fundId, mainFundId } = document;
  const day = formatCalendarDate(cutOffDate);
  if (table === 'contributions') {
    const due = formatCalendarDate(document.dueDate ?? cutOffDate);
    return {
      kind: 'callIssued',
      resource: 'contributions',
      documentId,
      permission: 'contributions/read',
      subject: `${fundTitle}: capital call ${callNumber}, due ${due}`,
      lines: [
        `${fundTitle} has issued capital call ${callNumber}. It is due on ${due}.`,
        'Your notice, with the amount and the wire instructions, is on the page below.',
      ],
      page: MAIL_PAGES.capitalCall(document.bundleId ?? documentId),
      pageTitle: 'Open the call',
    };
  }
  if (table === 'distributions') {
    return {
      kind: 'distributionIssued',
      resource: 'distributions',
      documentId,
      permission: 'distributions/read',
      subject: `${fundTitle}: distribution ${callNumber} of ${day}`,
      lines: [`${fundTitle} has issued distribution ${callNumber} of ${day}.`, 'Your notice is on the page below.'],
      page: MAIL_PAGES.distribution(document.bundleId ?? documentId),
      pageTitle: 'Open the distribution',
    };
  }
  const page = fundId
    ? { page: MAIL_PAGES.fundDocuments(fundId), pageTitle: 'Open the documents of the fund' }
    : { page: MAIL_PAGES.mainFund(mainFundId ?? ''), pageTitle: 'Open the fund' };
  if (table === 'reports') {
    return {
      kind: 'reportPublished',
      resource: 'reports',
      documentId,
      permission: 'funds/read',
      subject: `${fundTitle}: report of ${day}`,
      lines: [`The report of ${fundTitle} of ${day} is published.`],
      ...page,
    };
  }
  return {
    kind: 'statementPublished',
    resource: 'capitalAccounts',
    documentId,
    permission: 'funds/read',
    subject: `${fundTitle}: capital account statement of ${day}`,
    lines: [`Your capital account statement of ${day} is published.`],
    ...page,
  };
}
