import type { Amount } from '../money/amount.schema.ts';
import { writtenAmount } from '../money/format-figure.ts';
import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';

/** What needs a second person. */
export interface MailedIssue {
  readonly id: string;
  readonly resource: string;
  /** Of a call or distribution. */
  readonly number: string | null;
  readonly fundId: string | null;
  /** Of a statement of all funds of a main fund. */
  readonly mainFundId: string | null;
  readonly fundTitle: string;
  /** Whose terms change. */
  readonly investor: string | null;
  /** Null for statements. */
  readonly amount: Amount | null;
  /** When it is due or paid, or which day it is of: "9 Nov 2026". */
  readonly date: string;
  /** Who prepared it, or who decided. */
  readonly by: string | null;
}

interface Words {
  readonly noun: string;
  readonly isPlural: boolean;
  readonly approval: Parameters<typeof MAIL_PAGES.approval>[0];
  /** What the date is called; null for what has none. */
  readonly day: string | null;
  /** Its page and what the link says, once it is decided. */
  readonly page: (issue: MailedIssue) => readonly [page: string, title: string];
}

const ofFund =
  (page: (id: string) => string, title: string): Words['page'] =>
  ({ fundId, mainFundId }) =>
    fundId === null && mainFundId !== null ? [MAIL_PAGES.mainFund(mainFundId), title] : [page(fundId ?? ''), title];

const WORDS: Readonly<Record<string, Words>> = {
  contributions: {
    noun: 'capital call',
    isPlural: false,
    approval: 'call',
    day: 'Due',
    page: ({ id }) => [MAIL_PAGES.capitalCall(id), 'Open the call'],
  },
  distributions: {
    noun: 'distribution',
    isPlural: false,
    approval: 'distribution',
    day: 'Date',
    page: ({ id }) => [MAIL_PAGES.distribution(id), 'Open the distribution'],
  },
  writeOffs: {
    noun: 'write-off',
    isPlural: false,
    approval: 'writeOff',
    day: 'Date',
    page: ofFund(MAIL_PAGES.fundNavs, 'Open the write-offs'),
  },
  navs: {
    noun: 'NAVs',
    isPlural: true,
    approval: 'navs',
    day: 'Date',
    page: ofFund(MAIL_PAGES.fundNavs, 'Open the NAVs'),
  },
  capitalAccounts: {
    noun: 'capital account statements',
    isPlural: true,
    approval: 'statements',
    day: 'Date',
    page: ofFund(MAIL_PAGES.fundDocuments, 'Open the statements'),
  },
  funds: {
    noun: 'change of fund terms',
    isPlural: false,
    approval: 'fundTerms',
    day: null,
    page: ofFund(MAIL_PAGES.fundTerms, 'Open the terms'),
  },
  LPCommitments: {
    noun: 'change of investor terms',
    isPlural: false,
    approval: 'investorTerms',
    day: null,
    page: ({ fundId, id }) => [MAIL_PAGES.commitment(fundId ?? '', id), 'Open the commitment'],
  },
};

/** "capital call 9", "NAVs of 31 Dec 2026", "change of terms". */
const nameOf = ({ number, date }: MailedIssue, { noun, day }: Words): string =>
  number !== null ? `${noun} ${number}` : day === null ? noun : `${noun} of ${date}`;
const article = ({ number }: MailedIssue): string => (number === null ? 'the ' : '');

const factsOf = ({ fundTitle, investor, amount, date }: MailedIssue, { day }: Words): string[] => [
  `Fund: ${fundTitle}`,
  ...(investor === null ? [] : [`Investor: ${investor}`]),
  ...(amount === null ? [] : [`Amount: ${writtenAmount(amount)}`]),
  ...(day === null ? [] : [`${day}: ${date}`]),
];

/** To those who can issue it. */
export function issueWaitsMail(issue: MailedIssue): MailContent {
  const words = WORDS[issue.resource]!;
  const name = nameOf(issue, words);
  const it = words.isPlural ? 'them' : 'it';
  return {
    subject: `${issue.fundTitle}: ${name} ${words.isPlural ? 'need' : 'needs'} a second person`,
    lines: [
      `${issue.by ?? 'Somebody'} prepared ${article(issue)}${name} and asks you to check and ${words.day === null ? 'confirm' : 'issue'} ${it}.`,
      '',
      ...factsOf(issue, words),
    ],
    page: MAIL_PAGES.approval(words.approval, issue.id),
    pageTitle: 'Open the request',
  };
}

/** To who prepared it. @param issue.reason why it was returned; null if it was issued */
export function issueDecidedMail(issue: MailedIssue & { readonly reason: string | null }): MailContent {
  const words = WORDS[issue.resource]!;
  const name = nameOf(issue, words);
  const what = issue.reason !== null ? 'returned' : words.day === null ? 'confirmed' : 'issued';
  const [page, pageTitle] = words.page(issue);
  return {
    subject: `${issue.fundTitle}: ${name} ${words.isPlural ? 'were' : 'was'} ${what}`,
    lines: [
      `${issue.by ?? 'Somebody'} has ${what} ${article(issue)}${name}, which you prepared.`,
      '',
      ...factsOf(issue, words),
      ...(issue.reason === null ? [] : ['', `Reason: ${issue.reason}`]),
    ],
    page,
    pageTitle,
  };
}
