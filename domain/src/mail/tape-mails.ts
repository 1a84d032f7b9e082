import { type CalendarDate, formatCalendarDate } from '../dates/calendar-date.ts';
import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';
import { shortName } from './short-name.ts';

/** What an email says about a tape that did not arrive. */
export interface MailedTape {
  readonly companyId: string;
  readonly companyName: string;
  readonly transactions: readonly string[];
  readonly cutOffDate: CalendarDate;
  readonly dueDate: CalendarDate;
}

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
  subject: `Late loan tape from ${shortName(tape.companyName)}: ${formatCalendarDate(tape.cutOffDate)}`,
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

/** To the people of the borrower and of the manager who upload tapes. */
export const tapeFailedMail = (tape: {
  id: string;
  companyName: string;
  cutOffDate: CalendarDate;
  failure: string;
}): MailContent => ({
  subject: `The loan tape of ${shortName(tape.companyName)} for ${formatCalendarDate(tape.cutOffDate)} failed`,
  lines: [
    `The loan tape of ${tape.companyName} for ${formatCalendarDate(tape.cutOffDate)} could not be processed.`,
    '',
    `Reason: ${tape.failure}`,
    '',
    'Correct the cause and process the tape again, or upload another file.',
  ],
  page: MAIL_PAGES.tape(tape.id),
  pageTitle: 'Open the tape',
});

/** To the manager's people who decide on corrections. */
export const proposedMail = (proposal: {
  id: string;
  tapeId: string;
  companyName: string;
  cutOffDate: CalendarDate;
  rows: number;
  comment: string | null | undefined;
}): MailContent => ({
  subject: `${shortName(proposal.companyName)} proposes corrections to the tape for ${formatCalendarDate(proposal.cutOffDate)}`,
  lines: [
    `${proposal.companyName} proposes to correct ${proposal.rows === 1 ? '1 row' : `${proposal.rows} rows`} of the loan tape for ${formatCalendarDate(proposal.cutOffDate)}.`,
    ...(proposal.comment ? ['', `Comment: ${proposal.comment}`] : []),
    '',
    'The tape does not change until you accept the proposal.',
  ],
  page: MAIL_PAGES.proposal(proposal.tapeId, proposal.id),
  pageTitle: 'Open the proposal',
});
