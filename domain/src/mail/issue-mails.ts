import type { Amount } from '../money/amount.schema.ts';
import { writtenAmount } from '../money/format-figure.ts';
import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';

/** A call or distribution that needs a second person. */
export interface MailedIssue {
  readonly id: string;
  readonly table: 'contributions' | 'distributions';
  readonly number: string;
  readonly fundTitle: string;
  readonly amount: Amount;
  /** When it is due, or paid: "9 Nov 2026". */
  readonly date: string;
  /** Who prepared it, or who decided. */
  readonly by: string | null;
}

const NOUNS = { contributions: 'capital call', distributions: 'distribution' } as const;
const KINDS = { contributions: 'call', distributions: 'distribution' } as const;

const factsOf = ({ table, fundTitle, amount, date }: MailedIssue): string[] => [
  `Fund: ${fundTitle}`,
  `Amount: ${writtenAmount(amount)}`,
  `${table === 'contributions' ? 'Due' : 'Date'}: ${date}`,
];

/** To those who can issue it. */
export const issueWaitsMail = (issue: MailedIssue): MailContent => ({
  subject: `${issue.fundTitle}: ${NOUNS[issue.table]} ${issue.number} needs a second person`,
  lines: [
    `${issue.by ?? 'Somebody'} prepared ${NOUNS[issue.table]} ${issue.number} and asks you to check and issue it.`,
    '',
    ...factsOf(issue),
  ],
  page: MAIL_PAGES.approval(KINDS[issue.table], issue.id),
  pageTitle: 'Open the request',
});

/** To who prepared it. @param issue.reason why it was returned; null if it was issued */
export const issueDecidedMail = (issue: MailedIssue & { readonly reason: string | null }): MailContent => {
  const what = issue.reason === null ? 'issued' : 'returned';
  return {
    subject: `${issue.fundTitle}: ${NOUNS[issue.table]} ${issue.number} was ${what}`,
    lines: [
      `${issue.by ?? 'Somebody'} has ${what} ${NOUNS[issue.table]} ${issue.number}, which you prepared.`,
      '',
      ...factsOf(issue),
      ...(issue.reason === null ? [] : ['', `Reason: ${issue.reason}`]),
    ],
    page: issue.table === 'contributions' ? MAIL_PAGES.capitalCall(issue.id) : MAIL_PAGES.distribution(issue.id),
    pageTitle: issue.table === 'contributions' ? 'Open the call' : 'Open the distribution',
  };
};
