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
  ...tape.transactions.map((title) => `Facility: ${title}`),
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

/** To the manager's people who work with the borrower's tapes. @param told how many of the borrower's people were told */
export const tapeLateManagerMail = (tape: MailedTape, told: number): MailContent => ({
  subject: `Late loan tape from ${shortName(tape.companyName)}: ${formatCalendarDate(tape.cutOffDate)}`,
  lines: [
    `${tape.companyName} has not delivered the loan tape for ${formatCalendarDate(tape.cutOffDate)}.`,
    '',
    ...detailsOf(tape),
    '',
    told > 0
      ? `The borrower has been told: ${told === 1 ? '1 person' : `${told} people`}.`
      : 'Nobody at the borrower could be told: it has no user who uploads tapes. Write to the borrower yourself, or invite a user.',
  ],
  page: MAIL_PAGES.company(tape.companyId),
  pageTitle: 'Open the borrower',
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

const DECISIONS = {
  Accepted: { subject: 'were accepted', text: 'Your corrections are part of the tape now.' },
  Declined: { subject: 'were declined', text: 'The tape stays as it is.' },
  Outdated: {
    subject: 'are outdated',
    text: 'The rows were processed again meanwhile. Open the tape to see whether they still have errors.',
  },
} as const;

/** How a proposal of corrections ended, other than that the borrower withdrew it. */
export type ProposalDecision = keyof typeof DECISIONS;
export const PROPOSAL_DECISIONS = Object.keys(DECISIONS) as ProposalDecision[];

/** To the borrower's people who upload tapes. */
export const decidedMail = (proposal: {
  id: string;
  tapeId: string;
  cutOffDate: CalendarDate;
  rows: number;
  decision: ProposalDecision;
  /** Why it was declined. */
  reason: string | null | undefined;
}): MailContent => {
  const { subject, text } = DECISIONS[proposal.decision];
  const day = formatCalendarDate(proposal.cutOffDate);
  const rows = proposal.rows === 1 ? '1 row' : `${proposal.rows} rows`;
  return {
    subject: `Your corrections to the tape for ${day} ${subject}`,
    lines: [
      `The corrections that you proposed to ${rows} of the loan tape for ${day} ${subject}.`,
      ...(proposal.reason ? ['', `Reason: ${proposal.reason}`] : []),
      '',
      text,
    ],
    page: MAIL_PAGES.proposal(proposal.tapeId, proposal.id),
    pageTitle: 'Open the proposal',
  };
};
