import { redirect } from '@remix-run/node';
import {
  type DeliverableView,
  getDeliverable,
  type ItemView,
  removeDeliverable,
  updateDeliverable,
} from '@tapeline/db/operations/deliverables/deliverables.ts';
import { acceptItem, sentItems } from '@tapeline/db/operations/deliverables/items.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { BUSINESS_CALENDAR_LABELS } from '@tapeline/domain/dates/business-calendar.ts';
import { type CalendarDate, calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import type { DeliverableTerms } from '@tapeline/domain/deliverables/deliverable.schema.ts';
import {
  DELIVERABLE_KIND_LABELS,
  ITEM_STATUS_LABELS,
  isReceivedHere,
} from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { dueInWords, periodInWords } from '@tapeline/domain/deliverables/deliverable-words.ts';
import { isOwed } from '@tapeline/domain/deliverables/due-items.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { z } from 'zod';
import { documentHistory } from '../../../../commands/history.server.ts';
import { act, confirmedIntent, intent, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { mayDecide, maySend } from '../deliverable-list.server.ts';
import { shownItem } from '../shown-item.ts';

/** The item that the address asks for, or the one that needs something first. */
function itemOf({ items }: DeliverableView, asked: string | null): ItemView | null {
  return (
    items.find(({ period }) => period.to === asked) ??
    items.find(({ state }) => state === 'late') ??
    items.find(({ isToReview }) => isToReview) ??
    items.find(({ state }) => state === 'due') ??
    items.at(-1) ??
    null
  );
}

/** The terms of a deliverable, as an update sends them. */
export const bodyOf = (one: DeliverableView): DeliverableTerms => ({
  title: one.title,
  kind: one.kind,
  clause: one.clause ?? null,
  description: one.description ?? null,
  frequency: one.frequency,
  firstPeriodEnd: one.firstPeriodEnd,
  lastPeriodEnd: one.lastPeriodEnd ?? null,
  ...pick(one, 'daysAfter', 'daysUnit', 'businessDayRule', 'calendar'),
  sender: one.senderId ?? null,
  needsReview: one.needsReview,
  reviewer: one.reviewerId ?? null,
  reminders: one.reminders,
});

/** Items of the panel: so many before the shown one, and after it. */
const AROUND = 6;

function itemsAround(deliverable: DeliverableView, item: ItemView | null, today: CalendarDate) {
  const at = item ? deliverable.items.indexOf(item) : 0;
  return deliverable.items
    .slice(Math.max(0, at - AROUND), at + AROUND)
    .reverse()
    .map((one) => shownItem(deliverable, one, today));
}

const sourcePath = ({ source }: ItemView): string | null =>
  source === null ? null : source.resource === 'loanTapes' ? paths.tape(source.id) : paths.borrowingBase(source.id);

/** A deliverable with the item of one period, what was sent for it, and the items around it. */
export async function readDeliverable(screen: Screen) {
  const { params, db, url } = screen;
  return db(async (session) => {
    const deliverable = await getDeliverable(session, params.id ?? '');
    const today = todayOf(session);
    const item = itemOf(deliverable, url.searchParams.get('period'));
    const sent = await sentItems(session, deliverable.id);
    const isManager = mayDecide(screen);
    const isActive = deliverable.status === 'Active';
    const isOpen = isActive && item !== null && isOwed(item.state);
    const isFile = !isReceivedHere(deliverable.kind);
    const { frequency, senderName, reviewerName, needsReview } = deliverable;
    return {
      id: deliverable.id,
      version: deliverable.version,
      title: deliverable.title,
      company: deliverable.companyName,
      companyId: deliverable.companyId,
      note: deliverable.noteTitle,
      transactionId: deliverable.transactionId ?? null,
      kind: DELIVERABLE_KIND_LABELS[deliverable.kind],
      isTape: deliverable.kind === 'tape',
      isActive,
      clause: deliverable.clause ?? null,
      description: deliverable.description ?? null,
      terms: dueInWords(deliverable),
      calendar:
        deliverable.businessDayRule === 'none' && deliverable.daysUnit === 'calendar'
          ? null
          : BUSINESS_CALENDAR_LABELS[deliverable.calendar],
      sender: senderName ?? 'Everyone who uploads tapes',
      reviewer: needsReview ? (reviewerName ?? 'Everyone who can accept it') : 'Not reviewed',
      reminders: deliverable.reminders.length,
      item: item && {
        ...shownItem(deliverable, item, today),
        receivedOn: item.receivedOn,
        sourceTo: sourcePath(item),
        sourceLabel: item.source?.resource === 'loanTapes' ? 'Open the tape' : 'Open the borrowing base',
      },
      sent: sent
        .filter(({ periodEnd }) => periodEnd === item?.period.to)
        .map((one) => ({
          ...one,
          label: ITEM_STATUS_LABELS[one.status],
          period: periodInWords(frequency, one.periodEnd),
        })),
      items: itemsAround(deliverable, item, today),
      history: isManager
        ? await documentHistory(session, [{ resource: 'deliverables', ids: [deliverable.id] }], url.searchParams)
        : null,
      may: {
        change: isManager,
        send: isOpen && isFile && maySend(screen),
        upload: isOpen && deliverable.kind === 'tape' && maySend(screen),
        accept: isManager && isActive && item?.state === 'received',
        return: isManager && isActive && isFile && (item?.state === 'received' || item?.state === 'accepted'),
        waive: isManager && isOpen,
        withdraw: isManager && isActive && item?.state === 'waived',
        remind: isManager && isOpen,
      },
    };
  });
}
export type DeliverablePage = Awaited<ReturnType<typeof readDeliverable>>;

const idOf = ({ params }: Screen): string => params.id ?? '';
const here = (screen: Screen) => {
  const search = new URLSearchParams(screen.url.search);
  search.delete('confirm');
  return `${paths.deliverable(idOf(screen))}${search.size > 0 ? `?${search}` : ''}`;
};

/** Ends a deliverable, or begins it again. */
const changeStatus = (status: 'Active' | 'Disabled', asks: string) =>
  confirmedIntent({
    permission: 'transactions/write',
    schema: z.object({ version: z.coerce.number().int() }),
    asks,
    async run({ version }, screen) {
      await screen.db(async (session) => {
        const deliverable = await getDeliverable(session, idOf(screen));
        await updateDeliverable(session, { id: deliverable.id, body: { ...bodyOf(deliverable), status, version } });
      });
      return redirect(here(screen));
    },
  });

export const changeDeliverable = act({
  accept: intent({
    permission: 'transactions/write',
    schema: z.object({ period: calendarDateSchema }),
    async run({ period }, screen) {
      await screen.db((session) => acceptItem(session, { id: idOf(screen), periodEnd: period }));
      return redirect(here(screen));
    },
  }),
  end: changeStatus('Disabled', 'end'),
  reopen: changeStatus('Active', 'reopen'),
  remove: confirmedIntent({
    permission: 'transactions/write',
    schema: z.object({}),
    asks: 'remove',
    async run(_, screen) {
      await screen.db((session) => removeDeliverable(session, idOf(screen)));
      return redirect(paths.deliverables());
    },
  }),
});
