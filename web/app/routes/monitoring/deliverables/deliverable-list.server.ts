import {
  type DeliverableView,
  deliverablesInForce,
  listDeliverables,
} from '@tapeline/db/operations/deliverables/deliverables.ts';
import { SEND_PERMISSION } from '@tapeline/db/operations/deliverables/people.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { type CalendarDate, daysBetween } from '@tapeline/domain/dates/calendar-day.ts';
import { deliverableCollection } from '@tapeline/domain/deliverables/deliverable.collection.ts';
import { ITEM_STATES, type ItemState } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { isId } from '@tapeline/domain/documents/id.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { ITEMS_PER_PAGE } from './deliverable-words.ts';
import { byItemUrgency, type ShownItem, shownItem } from './shown-item.ts';

/** Whether the reader changes deliverables and decides: the manager's people do, a borrower sends. */
export const mayDecide = ({ actor }: Pick<Screen, 'actor'>): boolean =>
  can(actor, deliverableCollection.write) && actor.type !== 'company';
export const maySend = ({ actor }: Pick<Screen, 'actor'>): boolean => can(actor, SEND_PERMISSION);

/** What is due later than so many days is listed when it is nearer, except the next one of each deliverable. */
const LISTED_DAYS = 92;
const OPEN_DAYS = 45;

export function listedItems(deliverable: DeliverableView, today: CalendarDate): ShownItem[] {
  const later = deliverable.items.filter(({ dueDate }) => daysBetween(today, dueDate) > LISTED_DAYS);
  const near = deliverable.items.slice(0, deliverable.items.length - later.length);
  const hasNext = near.some(({ dueDate }) => dueDate >= today);
  return [...near, ...(hasNext ? [] : later.slice(0, 1))].map((item) => shownItem(deliverable, item, today));
}

const isOpen = ({ state, isToReview, dueDate }: ShownItem, today: CalendarDate): boolean =>
  state === 'late' || isToReview || (state === 'due' && daysBetween(today, dueDate) <= OPEN_DAYS);

/** Rows of the page of a facility. */
const SHORT_LIST = 5;

/** What is open of a note and of its borrower as a whole, the most urgent first. */
export async function openItemsOf(
  session: ReadSession,
  { company, note }: { company: string; note: string },
): Promise<ShownItem[]> {
  const today = todayOf(session);
  const deliverables = await deliverablesInForce(session, { company });
  return deliverables
    .filter(({ noteId }) => !noteId || noteId === note)
    .flatMap((one) => listedItems(one, today))
    .filter((item) => isOpen(item, today))
    .sort(byItemUrgency)
    .slice(0, SHORT_LIST);
}

type Asked = ItemState | 'all' | null;
const askedState = (text: string | null): Asked =>
  text === 'all' ? 'all' : (ITEM_STATES.find((state) => state === text) ?? null);

/** A page of what is owed, the most urgent first. */
export async function readDeliverables(screen: Screen) {
  const { url, db } = screen;
  const only = askedState(url.searchParams.get('state'));
  const asked = url.searchParams.get('company');
  const company = isId(asked) ? asked : null;
  return db(async (session) => {
    const today = todayOf(session);
    const deliverables = await deliverablesInForce(session);
    const ended = await listDeliverables(session, {
      filter: { status: 'Disabled', ...(company ? { company } : {}) },
      sort: { title: 1 },
      limit: ITEMS_PER_PAGE,
    });
    const companies = new Map(deliverables.map(({ companyId, companyName }) => [companyId, companyName]));
    const of = deliverables.filter(({ companyId }) => !company || companyId === company);
    const items = of.flatMap((one) => listedItems(one, today));
    const chosen = items
      .filter((item) => (only === null ? isOpen(item, today) : only === 'all' || item.state === only))
      .sort(byItemUrgency);
    const skip = skipOf(url.searchParams);
    return {
      today,
      only,
      company,
      companies: [...companies]
        .map(([value, label]) => ({ value, label }))
        .sort((one, other) => one.label.localeCompare(other.label)),
      deliverables: of.length,
      borrowers: new Set(of.map(({ companyId }) => companyId)).size,
      open: items.filter((item) => isOpen(item, today)).length,
      all: items.length,
      counts: ITEM_STATES.map((state) => ({ state, count: items.filter((item) => item.state === state).length })),
      toReview: items.filter(({ isToReview }) => isToReview).length,
      ended: ended.documents.map(({ id, title, companyName }) => ({ id, title, company: companyName })),
      endedTotal: ended.total,
      mayDecide: mayDecide(screen),
      isBorrower: screen.actor.type === 'company',
      total: chosen.length,
      /** Of all that are listed, in their order. */
      keys: chosen.map(({ key }) => key),
      items: chosen.slice(skip, skip + ITEMS_PER_PAGE),
    };
  });
}
export type DeliverableList = Awaited<ReturnType<typeof readDeliverables>>;
