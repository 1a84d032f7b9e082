import type { CalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { deliverableCollection } from '@tapeline/domain/deliverables/deliverable.collection.ts';
import type {
  DeliverableCreate,
  DeliverableTerms,
  DeliverableUpdate,
} from '@tapeline/domain/deliverables/deliverable.schema.ts';
import {
  type ItemState,
  type ItemStatus,
  isReceivedHere,
  MAX_DELIVERABLES,
} from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { type DueItem, dueItems, isAtEndOf, itemState } from '@tapeline/domain/deliverables/due-items.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Deliverable } from '../../entities/deliverables.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { getCompany } from '../companies/companies.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';
import { deliverablePeople } from './people.ts';

export const DELIVERABLES = listOf('deliverables', {
  transaction: 't.transaction_id',
  note: 't.note_id',
});

/** Something that was sent for a period, or a waiver of it. */
export interface SentItem {
  readonly id: string;
  readonly version: number;
  readonly periodEnd: CalendarDate;
  readonly status: ItemStatus;
  readonly fileId: string | null;
  readonly fileName: string | null;
  readonly remark: string | null;
  readonly receivedOn: CalendarDate | null;
  readonly receivedBy: string | null;
  readonly decidedBy: string | null;
  /** ISO instant. */
  readonly decidedAt: string | null;
  readonly reason: string | null;
}

/** A tape or a certificate that was received in the product. */
export interface Source {
  readonly resource: 'loanTapes' | 'borrowingBases';
  readonly id: string;
  readonly cutOffDate: CalendarDate;
  readonly receivedOn: CalendarDate;
}

/** What is owed for one period, and how that stands today. */
export interface ItemView extends DueItem {
  readonly state: ItemState;
  /** Whether it waits for acceptance. */
  readonly isToReview: boolean;
  /** What was done last; null if nothing was. */
  readonly sent: SentItem | null;
  readonly source: Source | null;
  /** The day on which it was received; null if it is owed or waived. */
  readonly receivedOn: CalendarDate | null;
}

/** A deliverable with the items of its periods around today, the earliest first. */
export type DeliverableView = Deliverable & {
  readonly companyName: string;
  readonly transactionTitle: string | null;
  readonly noteTitle: string | null;
  readonly senderName: string | null;
  readonly reviewerName: string | null;
  readonly items: readonly ItemView[];
};

/** The terms of a deliverable that decide its due dates. */
export const dueTermsOf = ({
  frequency,
  firstPeriodEnd,
  lastPeriodEnd,
  daysAfter,
  daysUnit,
  businessDayRule,
  calendar,
}: Deliverable) => ({
  frequency,
  firstPeriodEnd,
  lastPeriodEnd: lastPeriodEnd ?? null,
  daysAfter,
  daysUnit,
  businessDayRule,
  calendar,
});

const person = (alias: string): string => `nullif(concat_ws(' ', ${alias}.first_name, ${alias}.last_name), '')`;
const NAMES = `select page.id, c.name as "companyName", one.title as "transactionTitle",
    (select note.value ->> 'title' from jsonb_array_elements(one.notes) as note where note.value ->> 'id' = page.note_id) as "noteTitle",
    ${person('s')} as "senderName", ${person('r')} as "reviewerName"
  from page join companies c on c.id = page.company_id left join transactions one on one.id = page.transaction_id
    left join users s on s.id = page.sender_id left join users r on r.id = page.reviewer_id`;

export const SENT_COLUMNS = `i.id, i.version, i.period_end::text as "periodEnd", i.status, i.file_id as "fileId",
  (select name from files f where f.id = i.file_id) as "fileName", i.remark, i.received_on::text as "receivedOn",
  i.received_by ->> 'name' as "receivedBy", i.decided_by ->> 'name' as "decidedBy",
  to_char(i.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "decidedAt", i.reason`;

/** The latest of each period. */
const SENT = `select distinct on (i.deliverable_id, i.period_end) i.deliverable_id as "deliverableId", ${SENT_COLUMNS}
  from page join deliverable_items i on i.deliverable_id = page.id
  order by i.deliverable_id, i.period_end, i.code desc`;

const uploadedOn = (alias: string): string => `(${alias}.metadata ->> 'iat')::timestamptz at time zone 'UTC'`;
/** What was received in the product around the periods that are shown, the first of each cut-off date. */
const SOURCES = `
  select distinct on (page.id, l.cut_off_date) page.id as "deliverableId", 'loanTapes' as resource, l.id, l.cut_off_date::text as "cutOffDate",
    to_char(${uploadedOn('l')}, 'YYYY-MM-DD') as "receivedOn"
  from page join loan_tapes l on l.company_id = page.company_id and page.kind = 'tape' and l.status = 'Active'
    and l.generation_id is not null and l.cut_off_date > page.first_period_end - 366
  order by page.id, l.cut_off_date, l.code`;
/**
 * The borrowing bases of the note. Where its contract requires a certificate, those that the borrower has certified. A base that is
 * calculated again was received when it was first.
 */
const CERTIFICATES = `
  select distinct on (page.id, b.cut_off_date) page.id as "deliverableId", 'borrowingBases' as resource, b.id, b.cut_off_date::text as "cutOffDate",
    to_char(coalesce(signed.at, (select min(${uploadedOn('v')}) from borrowing_bases v
      where v.tape_id = b.tape_id and v.contract_id = b.contract_id and v.status in ('Active', 'Disabled'))), 'YYYY-MM-DD') as "receivedOn"
  from page join borrowing_bases b on b.note_id = page.note_id and page.kind = 'certificate' and b.status = 'Active'
    and b.cut_off_date > page.first_period_end - 366
    left join lateral (select min(k.submitted_at at time zone 'UTC') as at from certifications k
      where k.tape_id = b.tape_id and k.contract_id = b.contract_id and k.status in ('Submitted', 'InReview', 'Accepted')) as signed on true
  where signed.at is not null or not exists (select from contracts k where k.id = b.contract_id and k.body ? 'certification')
  order by page.id, b.cut_off_date, b.code`;

type Named = Pick<
  DeliverableView,
  'id' | 'companyName' | 'transactionTitle' | 'noteTitle' | 'senderName' | 'reviewerName'
>;
type Of<Row> = Row & { readonly deliverableId: string };

/** The item of a period, from what was sent for it and what was received in the product. */
function itemView(
  deliverable: Deliverable,
  item: DueItem,
  { sent, sources }: { sent: SentItem | undefined; sources: readonly Source[] },
  today: CalendarDate,
): ItemView {
  const inPeriod = sources.filter(({ cutOffDate }) => isAtEndOf(item.period, cutOffDate));
  // The first that was received fulfils it.
  const source = inPeriod.sort((one, other) => (one.receivedOn < other.receivedOn ? -1 : 1))[0] ?? null;
  // What was accepted in the product and removed since is owed again.
  const isGone = sent?.status === 'Accepted' && isReceivedHere(deliverable.kind) && !source;
  const isDecided = sent?.status === 'Accepted' || sent?.status === 'Waived';
  const facts = isGone ? null : isDecided || !source ? (sent ?? null) : { status: 'Received' as const };
  const state = itemState(item.dueDate, facts, today);
  const isReceived = state === 'received' || state === 'accepted';
  return {
    ...item,
    state,
    isToReview: state === 'received' && deliverable.needsReview,
    sent: sent ?? null,
    source,
    receivedOn: isReceived ? (source?.receivedOn ?? sent?.receivedOn ?? null) : null,
  };
}

const VIEWS = viewsOf(
  DELIVERABLES,
  [NAMES, SENT, SOURCES, CERTIFICATES],
  (
    deliverables,
    [rows = [], sent = [], tapes = [], bases = []]: [Named[]?, Of<SentItem>[]?, Of<Source>[]?, Of<Source>[]?],
    session,
  ): DeliverableView[] => {
    const named = new Map(rows.map((row) => [row.id, row]));
    const sentOf = new Map(sent.map(({ deliverableId, ...one }) => [`${deliverableId}/${one.periodEnd}`, one]));
    const sourcesOf = Map.groupBy([...tapes, ...bases], ({ deliverableId }) => deliverableId);
    const today = todayOf(session);
    return deliverables.map((deliverable) => {
      const sources = (sourcesOf.get(deliverable.id) ?? []).map(({ deliverableId: _, ...source }) => source);
      const names = named.get(deliverable.id);
      return {
        ...deliverable,
        companyName: names?.companyName ?? '',
        transactionTitle: names?.transactionTitle ?? null,
        noteTitle: names?.noteTitle ?? null,
        senderName: names?.senderName ?? null,
        reviewerName: names?.reviewerName ?? null,
        items: dueItems(dueTermsOf(deliverable), today).map((item) =>
          itemView(deliverable, item, { sent: sentOf.get(`${deliverable.id}/${item.period.to}`), sources }, today),
        ),
      };
    });
  },
);
export const listDeliverables = VIEWS.list;

/** @throws Refusal notFound */
export const getDeliverable = async (session: Session, id: string): Promise<DeliverableView> =>
  VIEWS.one(session, await getDocument(session, DELIVERABLES, id));

/** Deliverables that are read at once. */
const AT_A_TIME = 1_000;

/** All deliverables in force of a borrower, of a note, or that the actor can see. */
export async function deliverablesInForce(
  session: ReadSession,
  filter: { company?: string; note?: string; transaction?: string } = {},
): Promise<DeliverableView[]> {
  const found: DeliverableView[] = [];
  for (;;) {
    const { documents, total } = await listDeliverables(session, {
      filter: { status: 'Active', ...filter },
      sort: { id: 1 },
      limit: AT_A_TIME,
      skip: found.length,
    });
    found.push(...documents);
    if (documents.length === 0 || found.length >= total) return found;
  }
}

/** @throws Refusal forbidden for a borrower, or without the permission */
export function requireDeliverables(session: Session): void {
  requirePermission(session, deliverableCollection.write);
  refuseBorrower(session, 'Only the manager can change deliverables');
}

const columnsOf = ({
  clause,
  description,
  lastPeriodEnd,
  sender,
  reviewer,
  reminders,
  ...terms
}: DeliverableTerms) => ({
  ...terms,
  clause: clause || null,
  description: description || null,
  lastPeriodEnd: lastPeriodEnd ?? null,
  senderId: sender ?? null,
  reviewerId: reviewer ?? null,
  reminders: [...new Set(reminders)],
});

/** @throws Refusal badRequest for a title that the borrower has, or people who cannot send or review it */
async function requireFitting(
  session: Session,
  { id, companyId, noteId }: Pick<Deliverable, 'id' | 'companyId' | 'noteId'>,
  { title, sender, reviewer }: DeliverableTerms,
  stored: Pick<Deliverable, 'senderId' | 'reviewerId'> | null,
): Promise<void> {
  const flag = (name: string, problem: string) => new Refusal('badRequest', undefined, { flags: { [name]: problem } });
  const [other] = await session.query(
    `select 1 from deliverables where company_id = $1 and note_id is not distinct from $2 and lower(title) = lower($3)
       and status <> 'Removed' and id <> $4`,
    [companyId, noteId ?? null, title, id],
  );
  if (other) throw flag('title', 'is the title of another deliverable of this borrower');
  const people = await deliverablePeople(session, companyId, [sender ?? [], reviewer ?? []].flat());
  const isNamed = (id: string, side: 'sender' | 'reviewer') =>
    people.some((one) => one.value === id && one.side === side);
  // Who was chosen before may have left since.
  if (sender && sender !== stored?.senderId && !isNamed(sender, 'sender'))
    throw flag('sender', 'is not a user of this borrower who can upload tapes');
  if (reviewer && reviewer !== stored?.reviewerId && !isNamed(reviewer, 'reviewer'))
    throw flag('reviewer', 'is not a user of the manager who can change facilities');
}

const ofClosedFacility = () =>
  new Refusal('badRequest', 'The facility is closed, so its borrower owes nothing under it any more');

/**
 * Creates a deliverable of a borrower, or of one of its notes.
 * @throws Refusal forbidden; notFound; badRequest for a note that is not of this borrower, a title that is taken, people who do not
 *   belong to it, or the hundred and first of the borrower
 */
export async function createDeliverable(
  session: Session,
  { company: companyId, transaction: transactionId, note, kind, ...terms }: DeliverableCreate,
): Promise<DeliverableView> {
  requireDeliverables(session);
  const company = await getCompany(session, companyId);
  if (transactionId) {
    const transaction = await getDocument(session, TRANSACTIONS, transactionId);
    if (transaction.companyId !== companyId || !transaction.notes.some(({ id }) => id === note)) {
      throw new Refusal('badRequest', undefined, { flags: { note: 'is not a note of this borrower' } });
    }
    if (transaction.status === 'Closed') throw ofClosedFacility();
  }
  if ((await session.em.count(Deliverable, { companyId, status: { $ne: 'Removed' } })) >= MAX_DELIVERABLES) {
    throw new Refusal('badRequest', `A borrower has at most ${MAX_DELIVERABLES} deliverables. Remove one first`);
  }
  const owner = { id: newId(session.now), managerId: company.managerId, companyId, noteId: note ?? null };
  await requireFitting(session, owner, { ...terms, kind }, null);
  session.em.create(Deliverable, {
    ...owner,
    transactionId: transactionId ?? null,
    ...columnsOf({ ...terms, kind }),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return getDeliverable(session, owner.id);
}

/**
 * Changes the terms of a deliverable. What was sent for its periods stays.
 * @throws Refusal forbidden; notFound; badRequest if the version is stale, or as `createDeliverable`
 */
export async function updateDeliverable(
  session: Session,
  { id, body: { version, status, ...terms } }: { id: string; body: DeliverableUpdate },
): Promise<DeliverableView> {
  requireDeliverables(session);
  const deliverable = await getDocument(session, DELIVERABLES, id);
  if (deliverable.version !== version) throw staleRefusal(deliverable, version);
  const flag = (name: string, problem: string) => new Refusal('badRequest', undefined, { flags: { [name]: problem } });
  if (terms.kind === 'certificate' && !deliverable.noteId) throw flag('kind', 'A certificate belongs to one note');
  if (status === 'Active' && deliverable.status !== 'Active' && deliverable.transactionId) {
    const transaction = await getDocument(session, TRANSACTIONS, deliverable.transactionId);
    if (transaction.status === 'Closed') throw ofClosedFacility();
  }
  // What was sent as a file is not received in the product, and the other way round.
  if (isReceivedHere(terms.kind) !== isReceivedHere(deliverable.kind)) {
    throw flag('kind', 'cannot change between what is received in the product and what is sent as a file');
  }
  await requireFitting(session, deliverable, terms, deliverable);
  await storeChange(session, deliverable, {
    ...columnsOf(terms),
    ...(status === undefined ? {} : { status }),
  });
  return getDeliverable(session, id);
}

/** Removes a deliverable with what was sent for it. @throws Refusal forbidden; notFound */
export async function removeDeliverable(session: Session, id: string): Promise<void> {
  requireDeliverables(session);
  const deliverable = await getDocument(session, DELIVERABLES, id);
  await storeChange(session, deliverable, { status: 'Removed' });
}
