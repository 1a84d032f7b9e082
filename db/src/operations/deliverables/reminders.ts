import { BY_HAND, reminderOn, type SentReminder } from '@tapeline/domain/cash/reminders.ts';
import { type CalendarDate, daysBetween, formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { deliverableCollection } from '@tapeline/domain/deliverables/deliverable.collection.ts';
import { isReceivedHere } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { periodInWords } from '@tapeline/domain/deliverables/deliverable-words.ts';
import { isOwed } from '@tapeline/domain/deliverables/due-items.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { tapeLateManagerMail } from '@tapeline/domain/mail/tape-mails.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { findRecipients } from '../outbox/readers.ts';
import { type Message, tell, tellAll } from '../outbox/tell.ts';
import { requirePermission } from '../permission.ts';
import { type DeliverableView, deliverablesInForce, type ItemView, requireDeliverables } from './deliverables.ts';
import { getItem, type ItemKey, pageOfItem, sendersOf, tellReceived } from './items.ts';
import { ablePeople } from './people.ts';

/** Something that is owed, with its deliverable. */
interface Owed {
  readonly deliverable: DeliverableView;
  readonly item: ItemView;
}

/** Days in which people are told of what was received or is late. */
const NEWS_DAYS = 7;

/** A due date that moves is reminded of again. */
const keyOf = ({ deliverable, item }: Owed, reminder: string): string =>
  `deliverableDue/${deliverable.id}/${item.period.to}/${item.dueDate}/${reminder}`;

function reminderMessage(
  owed: Owed,
  sent: SentReminder,
  { today, able }: { today: CalendarDate; able: ReadonlySet<string> },
): Message {
  const { deliverable, item } = owed;
  const isLate = item.dueDate < today;
  const name = `${deliverable.title}, ${periodInWords(deliverable.frequency, item.period.to)}`;
  const due = formatCalendarDate(item.dueDate);
  const { sent: last } = item;
  return {
    kind: 'deliverableDue',
    resource: 'deliverables',
    documentId: deliverable.id,
    key: keyOf(owed, sent === BY_HAND ? `${sent}/${today}` : sent),
    to: sendersOf(deliverable, able),
    subject: `${name} ${isLate ? 'was' : 'is'} due on ${due}`,
    lines: [
      isLate
        ? `${name} was due on ${due}. We have not received it. If you have sent it in the meantime, you do not need to do anything.`
        : `${name} is due on ${due}.`,
      ...(deliverable.description ? ['', deliverable.description] : []),
      ...(last?.status === 'Returned' && last.reason ? ['', `What you sent was returned: ${last.reason}`] : []),
      ...(isReceivedHere(deliverable.kind)
        ? ['', deliverable.kind === 'tape' ? 'Upload the loan tape.' : 'It is received with the borrowing base.']
        : []),
    ],
    page: pageOfItem(deliverable, item),
    pageTitle: 'Open the deliverable',
    ...(isLate ? { level: 'danger' } : {}),
  };
}

/** Whoever reminds a borrower waits for others who do, so that an item is reminded of once a day. */
const lockReminders = (session: Session, companyId: string): Promise<unknown> =>
  session.query(`select pg_advisory_xact_lock(hashtextextended('deliverable reminders/' || $1, 0))`, [companyId]);

/** Those of these items that nobody was reminded of today, for their present due date. Called as the program. */
async function notRemindedToday(session: ReadSession, owed: readonly Owed[]): Promise<Owed[]> {
  if (owed.length === 0) return [];
  const rows = await session.query<{ item: string }>(
    `select distinct concat_ws('/', split_part(m.key, '/', 2), split_part(m.key, '/', 3), split_part(m.key, '/', 4)) as item
     from (select key, created_at, kind, document_id from outbox where document_id = any ($1)
       union all select key, created_at, kind, document_id from notifications where resource = 'deliverables' and document_id = any ($1)) as m
     where m.kind = 'deliverableDue' and (m.created_at at time zone 'UTC')::date = $2`,
    [[...new Set(owed.map(({ deliverable }) => deliverable.id))], todayOf(session)],
  );
  const reminded = new Set(rows.map(({ item }) => item));
  return owed.filter(({ deliverable, item }) => !reminded.has(`${deliverable.id}/${item.period.to}/${item.dueDate}`));
}

/**
 * Reminds a borrower of what it owes and has a reminder today: once for each item and day. The manager's people are told, once, of
 * tapes and certificates that wait for acceptance. Called as the program.
 * @returns how many people were told
 */
export async function remindOfDeliverables(session: Session, companyId: string): Promise<number> {
  await lockReminders(session, companyId);
  const today = todayOf(session);
  const deliverables = await deliverablesInForce(session, { company: companyId });
  const all = deliverables.flatMap((deliverable) => deliverable.items.map((item) => ({ deliverable, item })));
  const due = all.flatMap((owed) => {
    const reminder = isOwed(owed.item.state) ? reminderOn(today, owed.item.dueDate) : null;
    return reminder !== null && owed.deliverable.reminders.includes(reminder) ? [{ ...owed, reminder }] : [];
  });
  const able = await ablePeople(session, deliverables);
  const open = new Set((await notRemindedToday(session, due)).map(({ item }) => item));
  let told = await tellAll(
    session,
    due.filter(({ item }) => open.has(item)).map((owed) => reminderMessage(owed, owed.reminder, { today, able })),
  );
  // What was long past when the deliverable was entered is no news.
  const isRecent = (date: CalendarDate): boolean => daysBetween(date, today) <= NEWS_DAYS;
  for (const { deliverable, item } of all) {
    if (item.isToReview && item.source && isRecent(item.source.receivedOn))
      told += await tellReceived(session, deliverable, item, `${deliverable.id}/${item.period.to}`);
    if (deliverable.kind === 'tape' && item.state === 'late' && isRecent(item.dueDate))
      told += await tellLateTape(session, deliverable, { item, able });
  }
  return told;
}

/** Tells the manager's people who upload tapes, once, that one is late, and how many people of the borrower are told of it. */
async function tellLateTape(
  session: Session,
  deliverable: DeliverableView,
  { item, able }: { item: ItemView; able: ReadonlySet<string> },
): Promise<number> {
  const { companyId, companyName, managerId, id, transactionTitle } = deliverable;
  const transactions = transactionTitle === null ? [] : [transactionTitle];
  const cutOffDate = item.period.to;
  const [found = []] = await findRecipients(session, [
    { document: { resource: 'deliverables', documentId: id }, to: [sendersOf(deliverable, able)] },
  ]);
  return tell(session, {
    ...tapeLateManagerMail({ companyId, companyName, transactions, cutOffDate, dueDate: item.dueDate }, found.length),
    kind: 'tapeLate',
    resource: 'companies',
    documentId: companyId,
    key: `tapeLate/${companyId}/${cutOffDate}/manager`,
    to: { manager: managerId, can: 'assets/write' },
  });
}

/** The borrowers that owe something. Called as the program. */
export async function borrowersWithDeliverables(session: Session): Promise<string[]> {
  const rows = await session.query<{ id: string }>(
    `select distinct d.company_id as id from deliverables d join companies c on c.id = d.company_id and c.status = 'Active'
     where d.status = 'Active' order by 1`,
  );
  return rows.map(({ id }) => id);
}

/** A person who is told. */
export interface ToldOfItem {
  readonly name: string;
  readonly email: string;
}

/** Who is reminded of a deliverable now. @throws Refusal forbidden */
export async function whoIsReminded(session: Session, deliverable: DeliverableView): Promise<ToldOfItem[]> {
  requirePermission(session, deliverableCollection.read);
  const able = await ablePeople(session, [deliverable]);
  const users = await asProgram(session, async () => {
    const [found = []] = await findRecipients(session, [
      { document: { resource: 'deliverables', documentId: deliverable.id }, to: [sendersOf(deliverable, able)] },
    ]);
    return found;
  });
  return users.map(({ firstName, lastName, email }) => ({ name: `${firstName} ${lastName}`, email }));
}

/** Why nobody can be reminded of an item now; null if somebody can. */
export async function reminderProblem(session: Session, owed: Owed): Promise<string | null> {
  if (owed.deliverable.status !== 'Active') return 'This deliverable has ended';
  if (!isOwed(owed.item.state)) return 'Nothing is owed for this period';
  const [open] = await asProgram(session, () => notRemindedToday(session, [owed]));
  return open ? null : 'A reminder was already sent today';
}

/**
 * Reminds the borrower of an item, whatever reminders are sent by themselves: once a day at most.
 * @throws Refusal forbidden; notFound; badRequest if nothing is owed, it was reminded of today, or nobody can be told
 */
export async function remindOfItem(session: Session, key: ItemKey): Promise<DeliverableView> {
  requireDeliverables(session);
  const { deliverable } = await getItem(session, key);
  await lockReminders(session, deliverable.companyId);
  const owed = await getItem(session, key);
  const problem = await reminderProblem(session, owed);
  if (problem) throw new Refusal('badRequest', problem);
  const message = reminderMessage(owed, BY_HAND, {
    today: todayOf(session),
    able: await ablePeople(session, [owed.deliverable]),
  });
  await tellAll(session, [message]);
  const [told] = await asProgram(session, () =>
    session.query(`select 1 from outbox where key = $1 union all select 1 from notifications where key = $1 limit 1`, [
      message.key,
    ]),
  );
  if (!told) {
    throw new Refusal('badRequest', 'No user of the borrower can be told. Invite a user who uploads tapes');
  }
  return owed.deliverable;
}
