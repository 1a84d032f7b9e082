import { PAYMENT_FORMAT_LABELS } from '@tapeline/domain/cash/payment-files/payment-order.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatCount, writtenAmount } from '../../../components/figures/format.ts';

/** What a release is asked about. */
export interface ReleasedRun {
  readonly code: number;
  readonly executeOn: string;
  readonly format: keyof typeof PAYMENT_FORMAT_LABELS;
  readonly bankAccountTitle: string;
  readonly total: string;
  readonly currency: string;
  readonly count: number;
  readonly isOwn: boolean;
  readonly hasReleased: boolean;
  /** Whether a second person must release it after this one. */
  readonly isFirst: boolean;
  readonly problems: readonly string[];
  readonly payments: readonly { readonly payee: string; readonly amount: string }[];
}

/** Payees that the question names one by one. */
const MAX_NAMED = 5;

/** Why the actor cannot release a run now; null if they can. */
export function releaseBlock({ isOwn, hasReleased, problems }: ReleasedRun): string | null {
  if (isOwn) return 'You prepared it, so another person must release it.';
  if (hasReleased) return 'You have released it. A second person must release it too.';
  return problems.length > 0 ? `${problems.join('. ')}. Withdraw the run and prepare it again.` : null;
}

/** What the confirmation of a release says: amount, day and who is paid. */
export function releaseQuestion(run: ReleasedRun) {
  const amount = writtenAmount({ sum: run.total, currency: run.currency });
  const named = run.payments
    .slice(0, MAX_NAMED)
    .map(({ payee, amount: sum }) => `${payee} ${writtenAmount({ sum, currency: run.currency })}`);
  const rest = run.count - named.length;
  const payees = [...named, ...(rest > 0 ? [`and ${formatCount(rest, 'other')}`] : [])].join(', ');
  return {
    label: 'Release',
    title: `Release ${formatCount(run.count, 'payment')}: ${amount}?`,
    consequence: `From ${run.bankAccountTitle} on ${formatCalendarDate(run.executeOn)}: ${payees}. ${
      run.isFirst
        ? 'A second person must release it too before the file is written.'
        : `This writes the file for the bank (${PAYMENT_FORMAT_LABELS[run.format]}) and cannot be taken back. No one is told by email.`
    }`,
    confirm: `Release ${amount}`,
  };
}
