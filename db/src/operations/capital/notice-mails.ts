import {
  type CalendarDate,
  formatCalendarDate,
  fromEpochDay,
  toEpochDay,
} from '@tapeline/domain/dates/calendar-date.ts';
import type { MailContent, MailKind } from '@tapeline/domain/mail/mail.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { CapitalAccount, Contribution, Distribution } from '../../entities/capital.ts';

/** The tables whose documents are made into files. */
export const NOTICE_TABLES = ['contributions', 'distributions', 'capital_accounts'] as const;
export type NoticeTable = (typeof NOTICE_TABLES)[number];

interface NoticeMail extends MailContent {
  readonly kind: MailKind;
  readonly resource: string;
  readonly documentId: string;
  /** What a recipient needs to read the document. */
  readonly permission: PermissionKey;
}

/** An email about a distribution or statement that is older than this would only confuse. */
const RECENT_DAYS = 45;

/**
 * The email that tells an investor of an issued notice. It states no amounts: email is not confidential. Null for a
 * draft, and for what is past when it is entered: a call that was due, an old distribution or statement.
 */
export function noticeMail(
  table: NoticeTable,
  document: Contribution | Distribution | CapitalAccount,
  fundTitle: string,
  today: CalendarDate,
): NoticeMail | null {
  if (document.status === 'Draft' || document.status === 'Removed') return null;
  const documentId = document.id;
  const lastDay =
    'dueDate' in document ? document.dueDate : fromEpochDay(toEpochDay(document.cutOffDate) + RECENT_DAYS);
  if (lastDay < today) return null;
  if (table === 'contributions') {
    const call = document as Contribution;
    return {
      kind: 'callIssued',
      resource: 'contributions',
      documentId,
      permission: 'contributions/read',
      subject: `${fundTitle}: capital call ${call.callNumber}, due ${formatCalendarDate(call.dueDate)}`,
      lines: [
        `${fundTitle} has issued capital call ${call.callNumber}. It is due on ${formatCalendarDate(call.dueDate)}.`,
        'Your notice, with the amount and the wire instructions, is on the page below.',
      ],
      page: MAIL_PAGES.capitalCall(call.metadata.bundleId ?? call.id),
      pageTitle: 'Open the call',
    };
  }
  if (table === 'distributions') {
    const payment = document as Distribution;
    return {
      kind: 'distributionIssued',
      resource: 'distributions',
      documentId,
      permission: 'distributions/read',
      subject: `${fundTitle}: distribution ${payment.callNumber} of ${formatCalendarDate(payment.cutOffDate)}`,
      lines: [
        `${fundTitle} has issued distribution ${payment.callNumber} of ${formatCalendarDate(payment.cutOffDate)}.`,
        'Your notice is on the page below.',
      ],
      page: MAIL_PAGES.distribution(payment.metadata.bundleId ?? payment.id),
      pageTitle: 'Open the distribution',
    };
  }
  return {
    kind: 'statementPublished',
    resource: 'capitalAccounts',
    documentId,
    permission: 'funds/read',
    subject: `${fundTitle}: capital account statement of ${formatCalendarDate(document.cutOffDate)}`,
    lines: [`Your capital account statement of ${formatCalendarDate(document.cutOffDate)} is published.`],
    page: MAIL_PAGES.fund(document.fundId ?? ''),
    pageTitle: 'Open the fund',
  };
}
