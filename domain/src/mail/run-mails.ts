import { formatCalendarDate } from '../dates/calendar-date.ts';
import type { Amount } from '../money/amount.schema.ts';
import { formatCount, writtenAmount } from '../money/format-figure.ts';
import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';

/** A payment run that somebody prepared. */
export interface MailedRun {
  readonly id: string;
  readonly code: number;
  readonly accountTitle: string;
  readonly count: number;
  readonly total: Amount;
  readonly executeOn: string;
}

/** What became of a run. */
export type RunDecision = 'released' | 'withdrawn' | 'returned';

const factsOf = ({ accountTitle, count, total, executeOn }: MailedRun): string[] => [
  `Account: ${accountTitle}`,
  `Payments: ${formatCount(count, 'payment')}, ${writtenAmount(total)} in total`,
  `To be paid on: ${formatCalendarDate(executeOn)}`,
];

/** To those who can release it. @param first who released it as the first of two people */
export const runWaitsMail = (
  run: MailedRun,
  { by, first }: { readonly by: string | null; readonly first: string | null },
): MailContent => ({
  subject: `Payment run ${run.code} waits for ${first === null ? 'a release' : 'the second release'}`,
  lines: [
    `${by ?? 'Somebody'} prepared payment run ${run.code} and asks you to check and release it.`,
    ...(first === null ? [] : [`${first} has released it already. A second person must release it too.`]),
    '',
    ...factsOf(run),
  ],
  page: MAIL_PAGES.approval('paymentRun', run.id),
  pageTitle: 'Open the request',
});

const SUBJECTS: Readonly<Record<RunDecision, string>> = {
  released: 'was released',
  withdrawn: 'was withdrawn',
  returned: 'has a payment that came back',
};
const SENTENCES: Readonly<Record<RunDecision, (code: number) => string>> = {
  released: (code) => `has released payment run ${code}, which you prepared.`,
  withdrawn: (code) => `has withdrawn payment run ${code}, which you prepared.`,
  returned: (code) => `has recorded that the bank returned a payment of run ${code}, which you prepared.`,
};

/** To who prepared it. @param decided.reason why it was withdrawn, or why a payment came back */
export const runDecidedMail = (
  run: MailedRun,
  { as, by, reason }: { readonly as: RunDecision; readonly by: string | null; readonly reason: string | null },
): MailContent => ({
  subject: `Payment run ${run.code} ${SUBJECTS[as]}`,
  lines: [
    `${by ?? 'Somebody'} ${SENTENCES[as](run.code)}`,
    '',
    ...factsOf(run),
    ...(reason === null ? [] : ['', `Reason: ${reason}`]),
  ],
  page: MAIL_PAGES.paymentRun(run.id),
  pageTitle: 'Open the run',
});
