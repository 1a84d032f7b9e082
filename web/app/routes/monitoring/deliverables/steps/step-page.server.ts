import { getItem } from '@tapeline/db/operations/deliverables/items.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { isReceivedHere } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { isOwed } from '@tapeline/domain/deliverables/due-items.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { mayDecide, maySend } from '../deliverable-list.server.ts';
import type { ItemStep } from '../deliverable-words.ts';
import { shownItem } from '../shown-item.ts';

/** The item that a step is about, by its address. @throws Refusal notFound */
export function itemKeyOf({ params, url }: Pick<Screen, 'params' | 'url'>) {
  const periodEnd = url.searchParams.get('period');
  if (!isCalendarDate(periodEnd)) throw new Refusal('notFound');
  return { id: params.id ?? '', periodEnd };
}

/** Back to the item. */
export const itemPath = (screen: Pick<Screen, 'params' | 'url'>): string => {
  const { id, periodEnd } = itemKeyOf(screen);
  return paths.deliverable(id, { period: periodEnd });
};

/** The item that a step is about. @throws Refusal notFound if the step is not possible; forbidden for a borrower, who only sends */
export function readStep(screen: Screen, step: ItemStep) {
  if (step === 'send' && !maySend(screen)) throw new Refusal('forbidden');
  if (step !== 'send' && !mayDecide(screen)) throw new Refusal('forbidden', 'Only the manager can do this');
  return screen.db(async (session) => {
    const { deliverable, item } = await getItem(session, itemKeyOf(screen));
    const isFile = !isReceivedHere(deliverable.kind);
    const isPossible = {
      send: isFile && isOwed(item.state),
      return: isFile && (item.state === 'received' || item.state === 'accepted'),
      waive: isOwed(item.state),
      withdraw: item.state === 'waived',
      remind: isOwed(item.state),
    }[step];
    if (!isPossible || deliverable.status !== 'Active') throw new Refusal('notFound');
    return {
      ...shownItem(deliverable, item, todayOf(session)),
      description: deliverable.description ?? null,
      returned: item.sent?.status === 'Returned' ? item.sent.reason : null,
    };
  });
}
