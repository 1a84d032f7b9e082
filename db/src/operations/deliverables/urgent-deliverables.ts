import type { CalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import type { DeliverableKind } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { periodInWords } from '@tapeline/domain/deliverables/deliverable-words.ts';
import { isOwed } from '@tapeline/domain/deliverables/due-items.ts';
import type { ReadSession } from '../../read-session.ts';
import { deliverablesInForce } from './deliverables.ts';

/** Something that is late, waits for acceptance, or is due soon. */
export interface UrgentDeliverable {
  readonly id: string;
  readonly title: string;
  readonly kind: DeliverableKind;
  readonly companyId: string;
  readonly companyName: string;
  readonly periodEnd: CalendarDate;
  readonly period: string;
  readonly dueDate: CalendarDate;
  readonly receivedOn: CalendarDate | null;
  readonly isToReview: boolean;
  /** Why what was sent was returned; null if nothing was. */
  readonly returned: string | null;
}

/** A tape whose due date is agreed with the borrower, whatever became of it. */
export interface AgreedTape {
  readonly companyId: string;
  readonly cutOffDate: CalendarDate;
}

/**
 * What is owed until a day, or waits for acceptance, the earliest due first.
 * @returns also the tapes whose due dates are agreed
 */
export async function urgentDeliverables(
  session: ReadSession,
  { until }: { until: CalendarDate },
): Promise<{ urgent: UrgentDeliverable[]; tapes: AgreedTape[] }> {
  const deliverables = await deliverablesInForce(session);
  const tapes = deliverables
    .filter(({ kind }) => kind === 'tape')
    .flatMap(({ companyId, items }) => items.map(({ period }) => ({ companyId, cutOffDate: period.to })));
  const urgent = deliverables
    .flatMap(({ id, title, kind, companyId, companyName, frequency, items }) =>
      items
        .filter(({ state, isToReview, dueDate }) => isToReview || (isOwed(state) && dueDate <= until))
        .map(({ period, dueDate, receivedOn, isToReview, sent }) => ({
          ...{ id, title, kind, companyId, companyName, dueDate, receivedOn, isToReview },
          periodEnd: period.to,
          period: periodInWords(frequency, period.to),
          returned: sent?.status === 'Returned' ? sent.reason : null,
        })),
    )
    .sort((one, other) => (one.dueDate < other.dueDate ? -1 : one.dueDate > other.dueDate ? 1 : 0));
  return { urgent, tapes };
}
