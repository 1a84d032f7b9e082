import type { DeliverableView, ItemView } from '@tapeline/db/operations/deliverables/deliverables.ts';
import { type CalendarDate, daysBetween, formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { DELIVERABLE_KIND_LABELS, type ItemState } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { periodInWords } from '@tapeline/domain/deliverables/deliverable-words.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { ITEM_TONES } from './deliverable-words.ts';

/** What a list says beside the state: "returned, 3 days", "to review, 5 Nov 2026". */
function noteOf(
  { state, dueDate, sent, source, receivedOn, isToReview }: ItemView,
  today: CalendarDate,
): string | null {
  if (state === 'waived') return sent?.reason ?? null;
  if (receivedOn !== null) {
    const by = source ? (source.resource === 'loanTapes' ? ' by tape' : ' by certificate') : '';
    return `${isToReview ? 'to review, ' : ''}${formatCalendarDate(receivedOn)}${by}`;
  }
  const returned = sent?.status === 'Returned' ? 'returned' : null;
  const days = daysBetween(today, dueDate);
  const when =
    state === 'late'
      ? formatCount(-days, 'day')
      : days === 0
        ? 'today'
        : days <= 31
          ? `in ${formatCount(days, 'day')}`
          : null;
  return [returned, when].filter(Boolean).join(', ') || null;
}

/** The item of a period as lists show it. */
export const shownItem = (deliverable: DeliverableView, item: ItemView, today: CalendarDate) => ({
  key: `${deliverable.id}/${item.period.to}`,
  id: deliverable.id,
  title: deliverable.title,
  company: deliverable.companyName,
  companyId: deliverable.companyId,
  note: deliverable.noteTitle,
  kind: DELIVERABLE_KIND_LABELS[deliverable.kind],
  periodEnd: item.period.to,
  period: periodInWords(deliverable.frequency, item.period.to),
  dueDate: item.dueDate,
  state: item.state,
  tone: item.state === 'received' && !item.isToReview ? ('good' as const) : ITEM_TONES[item.state],
  isToReview: item.isToReview,
  stateNote: noteOf(item, today),
});
export type ShownItem = ReturnType<typeof shownItem>;

const RANKS: Readonly<Record<ItemState, number>> = { late: 0, received: 1, due: 2, accepted: 3, waived: 4 };

/** The most urgent first: late, to review, due; what is done comes last, the latest first. */
export function byItemUrgency(one: ShownItem, other: ShownItem): number {
  const rank = (item: ShownItem) => (item.state === 'received' && !item.isToReview ? 3 : RANKS[item.state]);
  const isDone = rank(one) >= 3;
  return (
    rank(one) - rank(other) ||
    (isDone ? -1 : 1) * (one.dueDate < other.dueDate ? -1 : one.dueDate > other.dueDate ? 1 : 0) ||
    (one.key < other.key ? -1 : 1)
  );
}
