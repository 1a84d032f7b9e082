import type { Approval } from '@tapeline/db/operations/approvals/approvals.ts';
import { APPROVAL_KIND_LABELS } from '@tapeline/domain/approvals/approval-kinds.ts';
import { type CalendarDate, daysBetween, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatCount, writtenAmount } from '../../components/figures/format.ts';

/** What is prepared together and issued, without a header of its own. */
export const SET_NOUNS = {
  writeOff: { noun: 'write-off', isPlural: false, of: 'investor' },
  navs: { noun: 'NAVs', isPlural: true, of: 'investor' },
  statements: { noun: 'capital account statements', isPlural: true, of: 'investor' },
} as const;
export type SetKind = keyof typeof SET_NOUNS;
export const isSetKind = (kind: string): kind is SetKind => Object.hasOwn(SET_NOUNS, kind);
/** Those that can be submitted, returned and issued. */
export type IssuedApproval = SetKind | 'call' | 'distribution';
export const isIssuedKind = (kind: string): kind is IssuedApproval =>
  kind === 'call' || kind === 'distribution' || isSetKind(kind);

/** "issueCall", "returnNavs": the intent of a step of what is issued. */
export const issueIntent = (step: 'issue' | 'submit' | 'return', kind: IssuedApproval): string =>
  `${step}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;

/** What is asked: "Issue capital call 9". */
export function requestTitle({
  kind,
  number,
  count,
  status,
  secondPerson,
}: Pick<Approval, 'kind' | 'number' | 'count' | 'status' | 'secondPerson'>): string {
  const step = secondPerson?.isNeeded && secondPerson.isOwn && secondPerson.submittedAt === null ? 'Submit' : 'Issue';
  switch (kind) {
    case 'draw':
      return `Draw ${number}`;
    case 'correction':
      return `Accept ${formatCount(count ?? 0, 'corrected row')}`;
    case 'call':
      return `${step} capital call ${number}`;
    case 'distribution':
      return `${step} distribution ${number}`;
    case 'writeOff':
    case 'navs':
    case 'statements':
      return `${step} ${SET_NOUNS[kind].noun} of ${formatCalendarDate(number)}`;
    case 'fundTerms':
      return 'Confirm fund terms';
    case 'investorTerms':
      return 'Confirm investor terms';
    case 'contract':
      return `Activate contract v${number}`;
    case 'adjustment':
      return 'Adjust a borrowing base';
    case 'waiver':
      return 'Waive a breach';
    case 'payoutAccount':
      return `${status === 'Confirmed' ? 'Confirm' : 'Change'} the ${number} account`;
    case 'paymentRun':
      return `Release ${formatCount(count ?? 0, 'payment')}`;
  }
}

/** Proposed terms. */
export type TermsKind = 'fundTerms' | 'investorTerms';
export const termsIntent = (step: 'confirm' | 'return' | 'withdraw', kind: TermsKind): string =>
  `${step}${kind === 'fundTerms' ? 'FundTerms' : 'InvestorTerms'}`;

/** Several requests of a kind: "Draws", "NAVs". */
export const severalOf = (kind: Approval['kind']): string =>
  APPROVAL_KIND_LABELS[kind].endsWith('s') ? APPROVAL_KIND_LABELS[kind] : `${APPROVAL_KIND_LABELS[kind]}s`;

/** Whom or what it concerns: "Castelo Mortgages, Senior", "Fund II, 12 investors". */
export const requestParty = ({ kind, party, detail, count }: Approval): string =>
  [party, detail, isIssuedKind(kind) ? formatCount(count ?? 0, 'investor') : null].filter(Boolean).join(', ');

/** "4,000,000.00 EUR and 1,000.00 GBP"; null without an amount. */
export const amountText = (amounts: Approval['amounts']): string | null =>
  amounts.length === 0 ? null : amounts.map(writtenAmount).join(' and ');

export interface Blocker {
  readonly tone: 'good' | 'warning' | 'danger';
  readonly text: string;
  readonly note: string | null;
}

/** What stands between a request and its decision, as the list knows it without running the checks again. */
export function blockerOf(approval: Approval, today: CalendarDate): Blocker {
  const { kind, exceptions, isProcessing, due, secondPerson } = approval;
  if (kind === 'paymentRun' && exceptions.length > 0) {
    return { tone: 'danger', text: `${formatCount(exceptions.length, 'payee')} held`, note: 'account not verified' };
  }
  if (kind === 'payoutAccount') return { tone: 'warning', text: 'Call back', note: 'use a number you already had' };
  const [first, ...others] = exceptions;
  if (first !== undefined) {
    const rest = others.length > 0 ? ` and ${others.length} more` : '';
    return { tone: 'warning', text: formatCount(exceptions.length, 'exception'), note: `${first}${rest}` };
  }
  if (isProcessing) return { tone: 'warning', text: 'Tape in progress', note: 'Accept when it is processed' };
  if (secondPerson?.isNeeded) {
    const { isOwn, submittedAt, returned, preparedBy } = secondPerson;
    if (!isOwn) return { tone: 'good', text: 'Ready', note: preparedBy ? `prepared by ${preparedBy}` : null };
    if (submittedAt !== null) return { tone: 'good', text: 'Submitted', note: 'somebody else issues it' };
    return returned
      ? { tone: 'warning', text: 'Returned', note: returned.by ? `by ${returned.by}` : null }
      : { tone: 'warning', text: 'Not submitted', note: 'needs a second person' };
  }
  if ((kind === 'call' || kind === 'distribution') && due !== null && due < today) {
    return { tone: 'warning', text: 'Ready', note: 'its date has passed' };
  }
  return { tone: 'good', text: 'Ready', note: kind === 'draw' ? 'all checks passed' : null };
}

/** "9 Nov", with the year if it is another one. */
export function shortDay(date: CalendarDate, today: CalendarDate): string {
  const text = formatCalendarDate(date);
  return date.slice(0, 4) === today.slice(0, 4) ? text.slice(0, -5) : text;
}

/** "Today", "Tomorrow", "9 Nov", "3 days late". */
export function dueText(due: CalendarDate, today: CalendarDate): { text: string; tone: 'danger' | 'warning' | null } {
  const days = daysBetween(today, due);
  if (days < 0) return { text: `${formatCount(-days, 'day')} late`, tone: 'danger' };
  if (days === 0) return { text: 'Today', tone: 'warning' };
  if (days === 1) return { text: 'Tomorrow', tone: null };
  return { text: shortDay(due, today), tone: null };
}

const DONE: Readonly<Record<Approval['kind'], (status: string) => string>> = {
  draw: (status) => status.toLowerCase(),
  correction: (status) => status.toLowerCase(),
  call: () => 'issued',
  distribution: () => 'issued',
  writeOff: () => 'issued',
  navs: () => 'issued',
  statements: () => 'issued',
  fundTerms: () => 'confirmed',
  investorTerms: () => 'confirmed',
  contract: () => 'activated',
  adjustment: (status) => status.toLowerCase(),
  waiver: (status) => status.toLowerCase(),
  payoutAccount: (status) => status.toLowerCase(),
  paymentRun: (status) => status.toLowerCase(),
};
/** "approved", "issued": what was decided. */
export const decisionWord = ({ kind, status }: Pick<Approval, 'kind' | 'status'>): string => DONE[kind](status);

/** What happened, after a decision: "Draw 5 was approved: 4,000,000.00 EUR, Castelo Mortgages, Senior." */
export function decidedText(approval: Approval): string {
  const facts = [amountText(approval.amounts), requestParty(approval)].filter(Boolean).join(', ');
  const { kind } = approval;
  const number = kind === 'contract' ? `v${approval.number}` : approval.number;
  const name =
    kind === 'fundTerms' || kind === 'investorTerms'
      ? 'were'
      : isSetKind(kind)
        ? `of ${formatCalendarDate(number)} ${SET_NOUNS[kind].isPlural ? 'were' : 'was'}`
        : `${number} was`;
  return `${APPROVAL_KIND_LABELS[kind]} ${name} ${decisionWord(approval)}${facts ? `: ${facts}` : ''}.`;
}

/** What happened to a request that went on to somebody else. */
export const HANDED = {
  submitted: 'It was submitted. Those who can issue it are told, and it is under “Waiting for others”.',
  returned: 'It was returned to who prepared it, with your reason.',
  withdrawn: 'The proposed change is withdrawn. The terms stay as they are.',
  firstReleased: 'You have released it. A second person must release it too: it is under “Waiting for others”.',
} as const;
export const handedText = (handed: string | null): string | null =>
  handed !== null && Object.hasOwn(HANDED, handed) ? HANDED[handed as keyof typeof HANDED] : null;
