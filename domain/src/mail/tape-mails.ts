import { type CalendarDate, formatCalendarDate } from '../dates/calendar-date.ts';
import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';

/** What an email says about a tape that did not arrive. */
export interface MailedTape {
  readonly companyId: string;
  readonly companyName: string;
  readonly transactions: readonly string[];
  readonly cutOffDate: CalendarDate;
  readonly dueDate: CalendarDate;
}

/** A subject has one line and a limit. */
const short = (name: string): string => (name.length > 60 ? `${name.slice(0, 57)}...` : name);

const detailsOf = (tape: MailedTape): string[] => [
  `Cut-off date: ${formatCalendarDate(tape.cutOffDate)}`,
  `Due: ${formatCalendarDate(tape.dueDate)}`,
  ...tape.transactions.map((title) => `Transaction: ${title}`),
];

/** To the borrower. */
export const tapeLateMail = (tape: MailedTape): MailContent => ({
  subject: `Your loan tape for ${formatCalendarDate(tape.cutOffDate)} is late`,
  lines: [
    `We have not received your loan tape for ${formatCalendarDate(tape.cutOffDate)}. Please upload it.`,
    '',
    ...detailsOf(tape),
    '',
    'No borrowing base can be calculated for this date until the tape is processed.',
  ],
  page: MAIL_PAGES.newTape(tape.companyId),
  pageTitle: 'Upload the tape',
});

/** To the manager's people who work with the borrower's tapes. */
export const tapeLateManagerMail = (tape: MailedTape): MailContent => ({
  subject: `Late loan tape from ${short(tape.companyName)}: ${formatCalendarDate(tape.cutOffDate)}`,
  lines: [
    `${tape.companyName} has not delivered the loan tape for ${formatCalendarDate(tape.cutOffDate)}.`,
    '',
    ...detailsOf(tape),
    '',
    'The borrower has been told by email.',
  ],
  page: MAIL_PAGES.company(tape.companyId),
  pageTitle: 'Open the company',
});
