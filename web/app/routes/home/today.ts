import type { Approval } from '@tapeline/db/operations/approvals/approvals.ts';
import type { WaitingCertificate } from '@tapeline/db/operations/certifications/waiting-certificates.ts';
import type { UrgentCovenant } from '@tapeline/db/operations/covenants/urgent-covenants.ts';
import type { UrgentDeliverable } from '@tapeline/db/operations/deliverables/urgent-deliverables.ts';
import { APPROVAL_KIND_LABELS } from '@tapeline/domain/approvals/approval-kinds.ts';
import { CONSEQUENCE_LABELS } from '@tapeline/domain/covenants/covenant-labels.ts';
import { covenantFigure, outcomeInWords } from '@tapeline/domain/covenants/covenant-words.ts';
import { daysBetween, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { formatCount, formatFigure, rateDigits, writtenAmount } from '../../components/figures/format.ts';
import { paths } from '../../paths.ts';
import { blockerOf, dueText, requestParty, requestTitle, shortDay } from '../approvals/approval-words.ts';

/** Late or in breach, to decide or to do, or to watch. */
export type Urgency = 'late' | 'decide' | 'watch';

type TodayKind =
  | 'deficit'
  | 'tape'
  | 'failed'
  | 'question'
  | 'errors'
  | 'limit'
  | 'worker'
  | 'job'
  | 'mail'
  | 'record'
  | 'invoice'
  | 'covenant'
  | 'duplicates'
  | 'certificate'
  | 'deliverable'
  | Approval['kind'];

/** Something to do today: what, how much, who, until when, and the one action. */
export interface TodayItem {
  readonly key: string;
  readonly kind: TodayKind;
  readonly urgency: Urgency;
  readonly label: string;
  readonly title: string;
  readonly note: string | null;
  readonly amounts: readonly Amount[];
  readonly who: string | null;
  readonly whoNote: string | null;
  readonly when: string | null;
  readonly whenTone: 'danger' | 'warning' | null;
  readonly whenNote: string | null;
  /** Within its urgency, the smaller comes first: days until it is due, negative for days late. */
  readonly days: number;
  readonly action: { readonly label: string; readonly to: string };
}

const NOTHING = {
  amounts: [],
  who: null,
  whoNote: null,
  when: null,
  whenTone: null,
  whenNote: null,
  note: null,
} as const;
/** Without a date, after what has one. */
const NO_DATE = 9_999;

const RANKS: Readonly<Record<Urgency, number>> = { late: 0, decide: 1, watch: 2 };

/** The most urgent first; what has no date comes last within its urgency. */
export const byUrgency = (items: readonly TodayItem[]): TodayItem[] =>
  [...items].sort(
    (one, other) =>
      RANKS[one.urgency] - RANKS[other.urgency] ||
      one.days - other.days ||
      (one.key < other.key ? -1 : one.key > other.key ? 1 : 0),
  );

/** So many places are for decisions, however much is late, so that both are seen. */
const KEPT_FOR_DECISIONS = 2;

/** The items that a page shows: the most urgent ones, and at least two decisions if there are so many. */
export function pickToday(items: readonly TodayItem[], most: number): TodayItem[] {
  const sorted = byUrgency(items);
  const decisions = sorted.filter(({ urgency }) => urgency === 'decide').slice(0, KEPT_FOR_DECISIONS);
  const chosen = new Set(decisions);
  for (const item of sorted) {
    if (chosen.size >= most) break;
    chosen.add(item);
  }
  return byUrgency([...chosen]);
}

/** "3 late or in breach, 2 to decide, 1 to watch"; null if there is nothing. */
export function todaySummary(counts: Readonly<Record<Urgency, number>>, todo: string): string | null {
  const parts = [
    counts.late > 0 ? `${formatFigure(counts.late)} late or in breach` : null,
    counts.decide > 0 ? `${formatFigure(counts.decide)} ${todo}` : null,
    counts.watch > 0 ? `${formatFigure(counts.watch)} to watch` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : null;
}

/** What the person who asks does, if not to prepare it. */
const ASKED: Partial<Record<Approval['kind'], string>> = {
  draw: 'requested',
  correction: 'proposed',
  fundTerms: 'proposed',
  investorTerms: 'proposed',
  adjustment: 'entered',
  waiver: 'asked',
};

/** A request that waits for the person. What is past its date is late. */
export function decisionItem(approval: Approval, today: string): TodayItem {
  const { kind, id, due } = approval;
  const blocker = blockerOf(approval, today);
  const word = due === null ? null : dueText(due, today);
  const isLate = word?.tone === 'danger';
  return {
    ...NOTHING,
    key: `${kind}-${id}`,
    kind,
    urgency: isLate ? 'late' : 'decide',
    label: APPROVAL_KIND_LABELS[kind],
    title: requestTitle(approval),
    note: [requestParty(approval), blocker.tone === 'good' ? null : blocker.text].filter(Boolean).join(' · '),
    // The next payment to an account is not what is decided.
    amounts: kind === 'payoutAccount' ? [] : approval.amounts,
    who: approval.by,
    whoNote:
      approval.since === null ? null : `${ASKED[kind] ?? 'prepared'} ${shortDay(approval.since.slice(0, 10), today)}`,
    when:
      word === null
        ? 'No due date'
        : isLate || word.text === 'Today' || word.text === 'Tomorrow'
          ? word.text
          : `By ${word.text}`,
    whenTone: word?.tone ?? null,
    whenNote: due !== null && isLate ? `due ${shortDay(due, today)}` : null,
    days: due === null ? NO_DATE : daysBetween(today, due),
    // Opens with its question, unless something blocks it: reviewed here, it needs one decision.
    action: { label: 'Review', to: paths.approval(kind, id, blocker.tone === 'good' ? { confirm: 'approve' } : {}) },
  };
}

export interface NoteInDeficit {
  readonly noteId: string;
  readonly transaction: string;
  readonly company: string;
  readonly noteTitle: string;
  readonly availability: Amount;
  readonly cutOffDate: string | null;
}

/** A note whose balance is above what it may be. */
export const deficitItem = (note: NoteInDeficit, today: string): TodayItem => ({
  ...NOTHING,
  key: `deficit-${note.noteId}`,
  kind: 'deficit',
  urgency: 'late',
  label: 'Deficit',
  title: `${note.company}, ${note.noteTitle}`,
  note: note.cutOffDate
    ? `balance above the borrowing base of ${shortDay(note.cutOffDate, today)}`
    : 'balance above the borrowing base',
  amounts: [note.availability],
  who: note.company,
  whoNote: 'repay or add collateral',
  when: 'Now',
  whenTone: 'danger',
  // A deficit is more urgent than what is late by days.
  days: -NO_DATE,
  action: { label: 'Open facility', to: paths.transaction(note.transaction, { note: note.noteId }) },
});

/** A covenant that is breached, or whose figures are late. */
export function covenantItem(covenant: UrgentCovenant, today: string): TodayItem {
  const { id, title, companyName, noteTitle, state, testDate, value, cureUntil, consequence } = covenant;
  const isBreached = state === 'breached';
  const daysToCure = cureUntil === null ? null : daysBetween(today, cureUntil);
  return {
    ...NOTHING,
    key: `covenant-${id}`,
    kind: 'covenant',
    urgency: isBreached ? 'late' : 'watch',
    label: isBreached ? 'Covenant' : 'Figures late',
    title: `${title}, ${[companyName, noteTitle].filter(Boolean).join(', ')}`,
    note:
      value === null
        ? `figures of ${shortDay(testDate, today)} are missing`
        : `${covenantFigure(covenant, value)}, ${outcomeInWords(covenant, covenant)}`,
    who: companyName,
    whoNote: isBreached && consequence !== 'none' ? CONSEQUENCE_LABELS[consequence].toLowerCase() : null,
    when:
      daysToCure !== null && daysToCure >= 0
        ? `Cure until ${shortDay(cureUntil ?? today, today)}`
        : isBreached
          ? 'Now'
          : 'Figures late',
    whenTone: isBreached ? 'danger' : 'warning',
    whenNote: `test of ${shortDay(testDate, today)}`,
    // After deficits, before what is late by days: its consequences hold now.
    days: isBreached ? -NO_DATE + 1 + Math.max(daysToCure ?? 0, 0) : NO_DATE,
    action: { label: 'Open covenant', to: paths.covenant(id) },
  };
}

/** Pairs of loans that are certainly or likely one loan, and wait for a decision; null without any. */
export function duplicatesItem(
  { certain, likely }: Readonly<Record<'certain' | 'likely', number>>,
  countedTwice: readonly Amount[],
): TodayItem | null {
  if (certain + likely === 0) return null;
  return {
    ...NOTHING,
    key: 'duplicates',
    kind: 'duplicates',
    urgency: 'decide',
    label: 'The same loan twice',
    title: formatCount(certain + likely, 'pair of loans', 'pairs of loans'),
    note: [
      certain > 0 ? `${formatFigure(certain)} certain` : null,
      likely > 0 ? `${formatFigure(likely)} likely` : null,
    ]
      .filter(Boolean)
      .join(', '),
    amounts: countedTwice,
    when: 'No due date',
    days: NO_DATE,
    action: { label: 'Compare', to: paths.duplicates() },
  };
}

const CERTIFICATE_NOTES: Readonly<Record<WaitingCertificate['state'], string>> = {
  Due: 'the contract requires your certificate',
  Draft: 'not submitted yet',
  Disputed: 'your lender disputes it: correct it and submit it again',
  Submitted: 'submitted by the borrower',
  InReview: 'in review',
};

/** A certificate to submit, for the borrower; one to review, for the lender. */
export function certificateItem(certificate: WaitingCertificate, today: string): TodayItem {
  const { baseId, companyName, noteTitle, cutOffDate, state, submittedBy, submittedAt } = certificate;
  const isForLender = state === 'Submitted' || state === 'InReview';
  return {
    ...NOTHING,
    key: `certificate-${baseId}`,
    kind: 'certificate',
    urgency: 'decide',
    label: state === 'Disputed' ? 'Disputed' : 'Certificate',
    title: [companyName, noteTitle].filter(Boolean).join(', '),
    note: `${formatCalendarDate(cutOffDate)}, ${CERTIFICATE_NOTES[state]}`,
    who: isForLender ? submittedBy : companyName,
    whoNote: isForLender && submittedAt ? `submitted ${shortDay(submittedAt.slice(0, 10), today)}` : null,
    when: state === 'Disputed' ? 'Disputed' : null,
    whenTone: state === 'Disputed' ? 'danger' : null,
    days: isForLender && submittedAt ? daysBetween(today, submittedAt.slice(0, 10)) : NO_DATE,
    action: {
      label: isForLender ? 'Review' : state === 'Disputed' ? 'Correct' : 'Certify',
      to: paths.certification(baseId),
    },
  };
}

/** What a borrower has not delivered in time, or what waits for acceptance. */
export function deliverableItem(one: UrgentDeliverable, today: string): TodayItem {
  const days = daysBetween(today, one.dueDate);
  const { isToReview } = one;
  return {
    ...NOTHING,
    key: `deliverable-${one.id}-${one.periodEnd}`,
    kind: 'deliverable',
    urgency: isToReview ? 'decide' : 'late',
    label: isToReview ? 'To review' : 'Not delivered',
    title: `${one.title}, ${one.period}`,
    note: isToReview
      ? `received ${one.receivedOn ? shortDay(one.receivedOn, today) : ''}`.trim()
      : one.returned
        ? 'returned, and not sent again'
        : null,
    who: one.companyName,
    when: isToReview ? 'Received' : `${formatCount(-days, 'day')} late`,
    whenTone: isToReview ? null : 'danger',
    whenNote: `due ${shortDay(one.dueDate, today)}`,
    days: isToReview ? NO_DATE : days,
    action: {
      label: isToReview ? 'Review' : 'Open',
      to: paths.deliverable(one.id, { period: one.periodEnd }),
    },
  };
}

export interface ExpectedTape {
  readonly companyId: string;
  readonly companyName: string;
  readonly cutOffDate: string;
  readonly dueDate: string;
  readonly latestTape: string | null;
  readonly daysLeft: number;
}

/** A tape that has not come. A borrower uploads it, also before it is late. */
export function tapeItem(tape: ExpectedTape, today: string, isBorrower: boolean): TodayItem {
  const isLate = tape.daysLeft < 0;
  const when = isLate
    ? `${formatCount(-tape.daysLeft, 'day')} late`
    : tape.daysLeft === 0
      ? 'Today'
      : `In ${formatCount(tape.daysLeft, 'day')}`;
  return {
    ...NOTHING,
    key: `tape-${tape.companyId}`,
    kind: 'tape',
    urgency: isLate ? 'late' : 'decide',
    label: isLate ? 'Tape late' : 'Tape due',
    title: isBorrower
      ? `Upload the tape for ${formatCalendarDate(tape.cutOffDate)}`
      : `${tape.companyName}, cut-off ${shortDay(tape.cutOffDate, today)}`,
    note: tape.latestTape ? `last tape ${shortDay(tape.latestTape, today)}` : 'no tape yet',
    who: tape.companyName,
    when,
    whenTone: isLate ? 'danger' : tape.daysLeft <= 1 ? 'warning' : null,
    whenNote: `due ${shortDay(tape.dueDate, today)}`,
    days: tape.daysLeft,
    action: isBorrower
      ? { label: 'Upload', to: paths.newTape({ company: tape.companyId }) }
      : { label: 'Open borrower', to: paths.company(tape.companyId) },
  };
}

export interface WrongTape {
  readonly id: string;
  readonly name: string;
  readonly company: string | null;
  readonly state: 'Failed' | 'Question' | 'Completed' | 'Processing';
  readonly failure: string | null;
  readonly errored: number;
}

/** The latest tape of a company that failed, waits for an answer, or has errored rows. */
export function wrongTapeItem(tape: WrongTape): TodayItem {
  const base = { ...NOTHING, title: tape.name, who: tape.company, days: NO_DATE };
  if (tape.state === 'Failed') {
    return {
      ...base,
      key: `failed-${tape.id}`,
      kind: 'failed',
      urgency: 'late',
      label: 'Tape failed',
      note: tape.failure ?? 'could not be processed',
      action: { label: 'Open tape', to: paths.tape(tape.id) },
    };
  }
  if (tape.state === 'Question') {
    return {
      ...base,
      key: `question-${tape.id}`,
      kind: 'question',
      urgency: 'decide',
      label: 'Question',
      note: 'processing begins after your answer',
      action: { label: 'Answer', to: paths.tape(tape.id) },
    };
  }
  return {
    ...base,
    key: `errors-${tape.id}`,
    kind: 'errors',
    urgency: 'watch',
    label: 'Errored rows',
    note: `${formatCount(tape.errored, 'row is', 'rows are')} left out`,
    action: { label: 'Correct', to: paths.erroredRows(tape.id) },
  };
}

interface NearLimit {
  readonly baseId: string;
  readonly company: string;
  readonly noteTitle: string;
  readonly cutOffDate: string;
  readonly title: string;
  /** Per cent of the pool. */
  readonly measured: string;
  readonly limit: string;
}

/** A share beside its limit, with all digits of the limit. */
function ofLimit({ title, measured, limit }: NearLimit): string {
  const digits = rateDigits(limit);
  return `${title} ${formatFigure(measured, digits)} of ${formatFigure(limit, digits)}%`;
}

/** The limits of one borrowing base with less than two percentage points left. */
export function limitItem(limits: readonly NearLimit[], today: string): TodayItem {
  const [first] = limits;
  if (!first) throw new Error('an item is about at least one limit');
  const named = limits.slice(0, 2).map(ofLimit);
  return {
    ...NOTHING,
    key: `limit-${first.baseId}`,
    kind: 'limit',
    urgency: 'watch',
    label: 'Near a limit',
    title: `${first.company}, ${first.noteTitle}${limits.length > 1 ? `, ${limits.length} limits` : ''}`,
    note: named.join(', '),
    who: first.company,
    when: 'Next tape',
    whenNote: `cut-off ${shortDay(first.cutOffDate, today)} was the last`,
    days: NO_DATE,
    action: { label: 'Open limits', to: paths.borrowingBase(first.baseId) },
  };
}

export interface ExpiringRecord {
  readonly id: string;
  readonly title: string;
  readonly expiries: readonly { readonly what: string; readonly day: string }[];
}

/** An investor of whose record something has expired or expires soon: "KYC expired 9 Nov, W-8BEN-E until 31 Dec". */
export function recordItem({ id, title, expiries }: ExpiringRecord, today: string): TodayItem {
  const [first] = expiries;
  if (!first) throw new Error('an item is about something that expires');
  const days = daysBetween(today, first.day);
  const isExpired = days < 0;
  return {
    ...NOTHING,
    key: `record-${id}`,
    kind: 'record',
    urgency: isExpired ? 'late' : 'watch',
    label: isExpired ? 'Expired' : 'Expires soon',
    title,
    note: expiries
      .map(({ what, day }) => `${what} ${day < today ? 'expired' : 'until'} ${shortDay(day, today)}`)
      .join(', '),
    when: isExpired ? `${formatCount(-days, 'day')} ago` : days === 0 ? 'Today' : `In ${formatCount(days, 'day')}`,
    whenTone: isExpired ? 'danger' : 'warning',
    // What holds up money is more urgent.
    days: isExpired ? 0 : days,
    action: { label: 'Open record', to: paths.investor(id, { view: 'details' }) },
  };
}

export interface OverdueInvoice {
  readonly id: string;
  readonly number: string;
  readonly company: string;
  readonly facility: string;
  readonly open: Amount;
  readonly received: Amount;
  readonly dueDate: string;
  readonly daysLate: number;
}

/** An invoice that its borrower has not paid in time. */
export const invoiceItem = (invoice: OverdueInvoice, today: string): TodayItem => ({
  ...NOTHING,
  key: `invoice-${invoice.id}`,
  kind: 'invoice',
  urgency: 'late',
  label: 'Invoice overdue',
  title: `Invoice ${invoice.number}, ${invoice.facility}`,
  note: isZero(invoice.received.sum) ? 'nothing received' : `${writtenAmount(invoice.received)} received`,
  amounts: [invoice.open],
  who: invoice.company,
  when: `${formatCount(invoice.daysLate, 'day')} late`,
  whenTone: 'danger',
  whenNote: `due ${shortDay(invoice.dueDate, today)}`,
  days: -invoice.daysLate,
  action: { label: 'Open invoice', to: paths.invoice(invoice.id) },
});

/** Of an administrator: the health of the installation. */
export interface Installation {
  /** Kinds of work that no running worker takes. */
  readonly idleQueues: readonly string[];
  readonly failures: number;
  readonly latestFailure: { readonly reason: string; readonly lastAt: string } | null;
  readonly held: number;
  /** Emails that were given up. */
  readonly failed: number;
  /** How long the oldest email that is due has waited. */
  readonly oldestSeconds: number;
}

/** Mail that waits longer is stuck, as the alert of the monitoring says. */
const MAIL_STUCK_SECONDS = 900;

export function installationItems(state: Installation, today: string): TodayItem[] {
  const items: TodayItem[] = [];
  const add = (item: Pick<TodayItem, 'key' | 'kind' | 'urgency' | 'label' | 'title' | 'action'> & Partial<TodayItem>) =>
    items.push({ ...NOTHING, days: 0, ...item });
  if (state.idleQueues.length > 0) {
    add({
      key: 'workers',
      kind: 'worker',
      urgency: 'late',
      label: 'No worker',
      title: `No worker takes ${state.idleQueues.join(', ')}`,
      note: 'this work waits until one starts',
      days: -1,
      action: { label: 'Open jobs', to: paths.jobs() },
    });
  }
  if (state.latestFailure) {
    add({
      key: 'jobs',
      kind: 'job',
      urgency: 'late',
      label: 'Job failed',
      title: formatCount(state.failures, 'failed step'),
      note: state.latestFailure.reason,
      when: shortDay(state.latestFailure.lastAt.slice(0, 10), today),
      whenNote: 'latest failure',
      action: { label: 'Open jobs', to: paths.jobs() },
    });
  }
  if (state.oldestSeconds > MAIL_STUCK_SECONDS) {
    add({
      key: 'stuck',
      kind: 'mail',
      urgency: 'late',
      label: 'Mail waits',
      title: `The oldest email has waited ${formatCount(Math.floor(state.oldestSeconds / 60), 'minute')}`,
      note: 'check the mail server and the workers',
      action: { label: 'Open emails', to: paths.held() },
    });
  }
  if (state.failed > 0) {
    add({
      key: 'unsent',
      kind: 'mail',
      urgency: 'watch',
      label: 'Mail not sent',
      title: `${formatCount(state.failed, 'email')} could not be sent`,
      note: 'the recipients were not told by email',
      days: NO_DATE,
      action: { label: 'Open emails', to: paths.held() },
    });
  }
  if (state.held > 0) {
    add({
      key: 'held',
      kind: 'mail',
      urgency: 'decide',
      label: 'Mail held',
      title: `${formatCount(state.held, 'email')} held after a restore`,
      note: 'release or drop them',
      action: { label: 'Decide', to: paths.held() },
    });
  }
  return items;
}
