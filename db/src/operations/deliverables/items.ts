import { type CalendarDate, formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { deliverableCollection } from '@tapeline/domain/deliverables/deliverable.collection.ts';
import type { ItemFile } from '@tapeline/domain/deliverables/deliverable.schema.ts';
import { DELIVERABLE_FILES } from '@tapeline/domain/deliverables/deliverable-files.ts';
import { type ItemStatus, isReceivedHere, MAX_SENT } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { periodInWords } from '@tapeline/domain/deliverables/deliverable-words.ts';
import { isOwed } from '@tapeline/domain/deliverables/due-items.ts';
import { ITEM_TRANSITIONS } from '@tapeline/domain/deliverables/states.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { DeliverableItem } from '../../entities/deliverables.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { namedDocument } from '../files/files.ts';
import { actingPerson } from '../investors/payout-accounts.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { tell } from '../outbox/tell.ts';
import { requirePermission } from '../permission.ts';
import {
  type DeliverableView,
  getDeliverable,
  type ItemView,
  requireDeliverables,
  SENT_COLUMNS,
  type SentItem,
} from './deliverables.ts';
import { ablePeople, SEND_PERMISSION } from './people.ts';

/** The item of one period, by the end of the period. */
export interface ItemKey {
  readonly id: string;
  readonly periodEnd: CalendarDate;
}

/** All that was sent for a deliverable, and its waivers, the latest first: at most 400. */
export const sentItems = (session: ReadSession, id: string): Promise<SentItem[]> =>
  session.query<SentItem>(
    `select ${SENT_COLUMNS} from deliverable_items i where i.deliverable_id = $1 order by i.period_end desc, i.code desc limit 400`,
    [id],
  );

/** The deliverable with the item of a period. @throws Refusal notFound */
export async function getItem(
  session: Session,
  { id, periodEnd }: ItemKey,
): Promise<{ deliverable: DeliverableView; item: ItemView }> {
  const deliverable = await getDeliverable(session, id);
  const item = deliverable.items.find(({ period }) => period.to === periodEnd);
  if (!item) throw new Refusal('notFound');
  return { deliverable, item };
}

/**
 * The item of a period for a change. Whoever changes it at the same time waits.
 * @throws Refusal notFound; badRequest if the deliverable has ended
 */
async function itemToChange(session: Session, key: ItemKey) {
  await session.query(`select pg_advisory_xact_lock(hashtextextended('deliverable/' || $1, 0))`, [key.id]);
  const found = await getItem(session, key);
  if (found.deliverable.status !== 'Active') {
    throw new Refusal('badRequest', 'This deliverable has ended. Begin it again first');
  }
  return found;
}

const nameOf = ({ title, frequency }: DeliverableView, { period }: ItemView): string =>
  `${title}, ${periodInWords(frequency, period.to)}`;

const ofDeliverable = ({ id, managerId, companyId, transactionId }: DeliverableView) => ({
  managerId,
  companyId,
  transactionId: transactionId ?? null,
  deliverableId: id,
});

/** @throws Refusal badRequest unless something is still to be sent */
function requireOwed({ state }: ItemView): void {
  if (isOwed(state)) return;
  const was = state === 'waived' ? 'waived' : state === 'accepted' ? 'accepted' : 'received';
  throw new Refusal('badRequest', `This was already ${was}. Reload the page`);
}

/**
 * Receives a file for the item of a period, from the borrower or on its behalf. Those who review it are notified.
 * @throws Refusal forbidden; notFound; badRequest if nothing is owed for the period, it is a tape or a certificate, or the document is
 *   no uploaded file
 */
export async function receiveItem(
  session: Session,
  key: ItemKey,
  { document, remark }: ItemFile,
): Promise<DeliverableView> {
  requirePermission(session, SEND_PERMISSION);
  requirePermission(session, deliverableCollection.read);
  const { deliverable, item } = await itemToChange(session, key);
  if (isReceivedHere(deliverable.kind)) {
    throw new Refusal(
      'badRequest',
      deliverable.kind === 'tape'
        ? 'Upload the loan tape instead: it fulfils this when it is published'
        : 'The certificate fulfils this when the borrowing base is calculated',
    );
  }
  requireOwed(item);
  const earlier = await session.em.count(DeliverableItem, { deliverableId: key.id, periodEnd: key.periodEnd });
  if (earlier >= MAX_SENT) throw new Refusal('badRequest', `An item is sent at most ${MAX_SENT} times`);
  const file = await namedDocument(session, {
    bucket: DELIVERABLE_FILES.bucket,
    document,
    companyId: deliverable.companyId,
  });
  const sent = session.em.create(DeliverableItem, {
    id: newId(session.now),
    ...ofDeliverable(deliverable),
    periodEnd: key.periodEnd,
    fileId: file?.id ?? null,
    remark: remark || null,
    receivedOn: todayOf(session),
    receivedBy: actingPerson(session),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  if (deliverable.needsReview) await tellReceived(session, deliverable, item, sent.id);
  return getDeliverable(session, key.id);
}

/** Tells the reviewer, or everyone who can accept it, that something waits. */
export async function tellReceived(
  session: Session,
  deliverable: DeliverableView,
  item: ItemView,
  occasion: string,
): Promise<number> {
  const { actor } = session;
  const { reviewerId } = deliverable;
  const able = await ablePeople(session, [deliverable]);
  return tell(session, {
    kind: 'deliverableReceived',
    resource: 'deliverables',
    documentId: deliverable.id,
    key: `deliverable-received/${occasion}`,
    to:
      reviewerId && able.has(reviewerId)
        ? { users: [reviewerId] }
        : { manager: deliverable.managerId, can: 'transactions/write' },
    except: actor.kind === 'user' ? [actor.userId] : [],
    subject: `${deliverable.companyName}: ${nameOf(deliverable, item)} was received`,
    lines: [
      `${nameOf(deliverable, item)} of ${deliverable.companyName} was due on ${formatCalendarDate(item.dueDate)} and was received.`,
      'Accept it, or return it with a reason.',
    ],
    page: pageOfItem(deliverable, item),
    pageTitle: 'Open the deliverable',
  });
}

export const pageOfItem = ({ id }: DeliverableView, { period }: ItemView): string =>
  `/monitoring/deliverables/${id}?period=${period.to}`;

const DECISIONS = {
  Accepted: 'was accepted',
  Returned: 'was returned',
  Waived: 'was waived',
  Withdrawn: 'is owed again',
} as const;

/** Tells the people of the borrower who send it what was decided. */
async function tellDecided(
  session: Session,
  deliverable: DeliverableView,
  item: ItemView,
  { id, status, reason }: Pick<DeliverableItem, 'id' | 'status'> & { reason?: string | null | undefined },
): Promise<number> {
  const decision = DECISIONS[status as keyof typeof DECISIONS];
  return tell(session, {
    kind: 'deliverableDecided',
    resource: 'deliverables',
    documentId: deliverable.id,
    key: `deliverable-decided/${id}/${status}`,
    to: sendersOf(deliverable, await ablePeople(session, [deliverable])),
    subject: `${nameOf(deliverable, item)} ${decision}`,
    lines: [
      `${nameOf(deliverable, item)}, due on ${formatCalendarDate(item.dueDate)}, ${decision}.`,
      ...(reason ? [`Reason: ${reason}`] : []),
      ...(status === 'Returned' ? ['Please send it again.'] : []),
    ],
    page: pageOfItem(deliverable, item),
    pageTitle: 'Open the deliverable',
    ...(status === 'Returned' || status === 'Withdrawn' ? { level: 'warning' } : {}),
  });
}

/** Who sends it: the user that it names, or everyone of the borrower who uploads tapes. */
export const sendersOf = ({ senderId, companyId }: DeliverableView, able: ReadonlySet<string>) =>
  senderId && able.has(senderId) ? { users: [senderId] } : ({ company: companyId, can: SEND_PERMISSION } as const);

/** What was sent for a period and is not decided, or was accepted. */
async function decide(
  session: Session,
  key: ItemKey,
  { status, reason }: { status: ItemStatus; reason?: string },
): Promise<DeliverableView> {
  requireDeliverables(session);
  const { deliverable, item } = await itemToChange(session, key);
  const { sent } = item;
  const stored = sent ? await session.em.findOne(DeliverableItem, { id: sent.id }, { refresh: true }) : null;
  if (!stored) throw new Refusal('badRequest', 'Nothing was sent for this period');
  ITEM_TRANSITIONS.require(stored.status, status);
  await storeChange(session, stored, {
    status,
    decidedBy: actingPerson(session),
    decidedAt: session.now,
    reason: reason ?? null,
  });
  await tellDecided(session, deliverable, item, stored);
  return getDeliverable(session, key.id);
}

/** Stores a decision about a period for which no file was sent. */
async function decideWithoutFile(
  session: Session,
  { deliverable, item }: Awaited<ReturnType<typeof itemToChange>>,
  { status, reason, receivedOn }: { status: 'Accepted' | 'Waived'; reason?: string; receivedOn?: CalendarDate },
): Promise<DeliverableView> {
  // What was accepted, and was removed since.
  if (item.sent?.status === 'Accepted') {
    const gone = await session.em.findOneOrFail(DeliverableItem, { id: item.sent.id });
    await storeChange(session, gone, {
      status: 'Returned',
      reason: 'It was removed',
      decidedBy: actingPerson(session),
      decidedAt: session.now,
    });
  }
  const stored = session.em.create(DeliverableItem, {
    id: newId(session.now),
    ...ofDeliverable(deliverable),
    status,
    periodEnd: item.period.to,
    receivedOn: receivedOn ?? null,
    decidedBy: actingPerson(session),
    decidedAt: session.now,
    reason: reason ?? null,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  await tellDecided(session, deliverable, item, stored);
  return getDeliverable(session, deliverable.id);
}

/** Accepts what was received for a period. @throws Refusal forbidden; notFound; badRequest if nothing was received, or it is decided */
export async function acceptItem(session: Session, key: ItemKey): Promise<DeliverableView> {
  requireDeliverables(session);
  const found = await itemToChange(session, key);
  if (found.item.state === 'received' && found.item.source) {
    return decideWithoutFile(session, found, { status: 'Accepted', receivedOn: found.item.source.receivedOn });
  }
  return decide(session, key, { status: 'Accepted' });
}

/**
 * Returns what was sent for a period, which is then owed again.
 * @throws Refusal forbidden; notFound; badRequest if nothing was sent, or it is a tape or a certificate
 */
export async function returnItem(
  session: Session,
  key: ItemKey,
  { reason }: { reason: string },
): Promise<DeliverableView> {
  requireDeliverables(session);
  const { deliverable } = await itemToChange(session, key);
  if (isReceivedHere(deliverable.kind)) {
    throw new Refusal(
      'badRequest',
      'Only a file can be returned. Remove the tape, or ask the borrower for another one',
    );
  }
  return decide(session, key, { status: 'Returned', reason });
}

/** Waives a period. Nobody is reminded of it. @throws Refusal forbidden; notFound; badRequest unless it is owed */
export async function waiveItem(
  session: Session,
  key: ItemKey,
  { reason }: { reason: string },
): Promise<DeliverableView> {
  requireDeliverables(session);
  const found = await itemToChange(session, key);
  requireOwed(found.item);
  return decideWithoutFile(session, found, { status: 'Waived', reason });
}

/** Withdraws a waiver: the period is owed again. @throws Refusal forbidden; notFound; badRequest if it is not waived */
export async function withdrawItemWaiver(session: Session, key: ItemKey, { reason }: { reason: string }) {
  return decide(session, key, { status: 'Withdrawn', reason });
}
