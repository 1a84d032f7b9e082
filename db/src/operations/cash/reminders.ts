import { type WireDetails, wireFacts } from '@tapeline/domain/capital/notice-parts.ts';
import { BY_HAND, remindedDueDates, reminderOn, type SentReminder } from '@tapeline/domain/cash/reminders.ts';
import { type CalendarDate, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { compare, type DecimalText, isZero } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { seesReaders } from '../activities/activities.ts';
import { noticeMail } from '../capital/notice-mails.ts';
import { paymentDetailsOf } from '../capital/own-capital.ts';
import { contactsOf, readDocuments, type TellableDocument, usersToTell } from '../capital/tell-investors.ts';
import { SENT_REMINDER } from '../outbox/deliveries.ts';
import { type Message, tellAll } from '../outbox/tell.ts';
import { requirePermission } from '../permission.ts';
import { getObligation, listObligations, type Obligation, type ObligationQuery } from './obligations.ts';

/** A call of an investor of which something is open. */
interface OpenCall extends TellableDocument {
  readonly dueDate: CalendarDate;
  readonly amount: DecimalText;
  readonly open: DecimalText;
  readonly currency: string;
  readonly reference: string;
  readonly wire: WireDetails | null;
}

/**
 * Those of these calls that can be reminded of: Active ones with something open. What was due before an account for it was
 * open is left out, because it may be paid. Called as the system.
 */
async function openCalls(session: ReadSession, ids: readonly string[]): Promise<OpenCall[]> {
  const documents = await readDocuments(session, 'contributions', ids, `t.status = 'Active'`);
  const owed = await session.query<Pick<OpenCall, 'id' | 'amount' | 'open' | 'currency'>>(
    `select o.document_id as id, o.amount::text, o.open::text, o.currency from obligations o
     where o.kind = 'contribution' and o.document_id = any ($1) and o.open > 0 and (o.due_date >= $2 or o.is_tracked)`,
    [documents.map(({ id }) => id), todayOf(session)],
  );
  const owedOf = new Map(owed.map((one) => [one.id, one]));
  const payments = await paymentDetailsOf(session, [...owedOf.keys()], { isForInvestors: true });
  return documents.flatMap((document) => {
    const [own, payment] = [owedOf.get(document.id), payments.get(document.id)];
    if (!own || !payment || document.dueDate === null) return [];
    return [{ ...document, ...own, dueDate: document.dueDate, reference: payment.reference, wire: payment.wire }];
  });
}

/** What a reminder says, in parts: an email about several investors has that of all once, and the own part of each. */
export interface ReminderText {
  readonly ofCall: readonly string[];
  readonly own: readonly string[];
  /** The own part in a list: "34,000.00 USD open, reference HCF2-C9-012-4". */
  readonly inBrief: string;
}

function reminderText(call: OpenCall, today: CalendarDate): ReminderText {
  const { fundTitle, callNumber, currency, amount, open, dueDate, reference, wire } = call;
  const money = (sum: DecimalText) => writtenAmount({ sum, currency });
  const due = formatCalendarDate(dueDate);
  const isLate = dueDate < today;
  const isPart = compare(open, amount) < 0;
  return {
    ofCall: [
      isLate
        ? `Capital call ${callNumber} of ${fundTitle} was due on ${due}. We have not received all of it. If you have paid in the meantime, you do not need to do anything.`
        : `Capital call ${callNumber} of ${fundTitle} is due on ${due}.`,
      '',
      ...(wire
        ? [
            ...wireFacts(wire, null).map(({ label, value }) => `${label}: ${value}`),
            '',
            'If this is not the account in your notice, do not pay. Call your fund manager on a number that you had before.',
          ]
        : [
            'The fund has no bank account on record. Ask your fund manager where to pay, on a number that you had before.',
          ]),
    ],
    own: [
      `Amount to pay: ${money(open)}${isPart ? `, the rest of ${money(amount)}` : ''}`,
      `Payment reference: ${reference}`,
    ],
    inBrief: `${money(open)} to pay, reference ${reference}`,
  };
}

const reminderOf = (call: OpenCall, sent: SentReminder, today: CalendarDate): Message => {
  const { id, fundTitle, callNumber, dueDate } = call;
  const isLate = dueDate < today;
  const { ofCall, own } = reminderText(call, today);
  // A call that is moved to another day is due again.
  const key = `callDue/${id}/${dueDate}`;
  return {
    ...noticeMail('contributions', call),
    kind: 'callDue',
    key: sent === 'before' ? key : sent === BY_HAND ? `${key}/${sent}/${today}` : `${key}/${sent}`,
    to: usersToTell('contributions', call),
    contacts: contactsOf(call, 'contributions'),
    subject: `${fundTitle}: capital call ${callNumber} ${isLate ? 'was' : 'is'} due on ${formatCalendarDate(dueDate)}`,
    lines: [...ofCall, '', ...own],
    ...(isLate ? { level: 'danger' } : {}),
  };
};

/** Whoever reminds of a call waits for others who do, so that it is reminded of once a day. */
const lockReminders = (session: Session, ids: readonly string[]): Promise<unknown> =>
  session.query(
    `select pg_advisory_xact_lock(hashtextextended('reminder/' || id, 0)) from (select unnest($1::text[]) as id order by 1) as calls`,
    [[...ids]],
  );

/** Those of these calls that nobody was reminded of today, for their present due date. Called as the system. */
async function notRemindedToday<Call extends Pick<OpenCall, 'id' | 'dueDate'>>(
  session: ReadSession,
  calls: readonly Call[],
): Promise<Call[]> {
  const ids = calls.map(({ id }) => id);
  const today = await session.query<{ id: string; due: string }>(
    `select distinct m.document_id as id, split_part(m.key, '/', 3) as due
     from (select document_id, key, created_at, kind from outbox where document_id = any ($1)
       union all select document_id, key, created_at, kind from notifications where resource = 'contributions' and document_id = any ($1)) as m
     where m.kind = 'callDue' and m.key not like '%#%' and (m.created_at at time zone 'UTC')::date = $2`,
    [ids, todayOf(session)],
  );
  const reminded = new Set(today.map(({ id, due }) => `${id}/${due}`));
  return calls.filter(({ id, dueDate }) => !reminded.has(`${id}/${dueDate}`));
}

/**
 * Reminds the investors of those of these calls that have a reminder today: once for each call, due date, reminder and
 * person. Called as the system.
 * @returns how many people were told
 */
export async function remindOfCalls(session: Session, ids: readonly string[]): Promise<number> {
  const today = todayOf(session);
  await lockReminders(session, ids);
  const calls = await notRemindedToday(session, await openCalls(session, ids));
  return tellAll(
    session,
    calls.flatMap((call) => {
      const kind = reminderOn(today, call.dueDate);
      return kind === null ? [] : [reminderOf(call, kind, today)];
    }),
  );
}

/**
 * The ids of a page of the Active calls that have a reminder today which their fund sends. Called as the system.
 * @param page.after the last call of the page before; empty for the first
 */
export async function dueCalls(
  session: ReadSession,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const due = remindedDueDates(todayOf(session));
  const calls = await session.query<{ id: string }>(
    `select c.id from contributions c join unnest($1::date[], $2::text[]) as due (day, reminder) on due.day = c.due_date
       join funds f on f.id = c.fund_id and due.reminder = any (f.reminders)
     where c.status = 'Active' and c.id > $3 order by c.id limit $4`,
    [[...due.keys()], [...due.values()], after, limit],
  );
  return calls.map(({ id }) => id);
}

/** A message that is about to be sent. */
interface Reminding {
  readonly documentId: string;
  readonly contactEmail: string | null;
}

/**
 * What reminders say now, by the id of the call; nothing of a call of which nothing is open. Called as the system, right
 * before they are sent: something may have been paid since they were queued.
 */
export async function remindersNow(
  session: ReadSession,
  mails: readonly Reminding[],
): Promise<ReadonlyMap<string, ReminderText & { readonly contact: (email: string | null) => readonly string[] }>> {
  const calls = await openCalls(session, [...new Set(mails.map(({ documentId }) => documentId))]);
  return new Map(
    calls.map((call) => [
      call.id,
      {
        ...reminderText(call, todayOf(session)),
        contact: (address) =>
          contactsOf(call, null).find(({ email }) => email.toLowerCase() === address?.toLowerCase())?.lines ?? [],
      },
    ]),
  );
}

/** Why an obligation has no reminders, whatever was sent; null if it has. */
function notReminded({ kind, open, state }: Obligation): string | null {
  if (kind !== 'contribution') return 'Reminders are for capital calls';
  if (isZero(open)) return 'Nothing is open';
  return state === 'untracked' ? 'It was due before an account for it was open, so it may be paid' : null;
}

/** Those of these obligations of which their parties can be reminded now. */
async function remindable(session: Session, obligations: readonly Obligation[]): Promise<Obligation[]> {
  const possible = obligations.filter((one) => notReminded(one) === null);
  if (possible.length === 0) return [];
  const rest = await asProgram(session, () =>
    notRemindedToday(
      session,
      possible.map(({ documentId, dueDate }) => ({ id: documentId, dueDate })),
    ),
  );
  const ids = new Set(rest.map(({ id }) => id));
  return possible.filter(({ documentId }) => ids.has(documentId));
}

/** Why nobody can be reminded of an obligation now; null if somebody can. */
export async function reminderProblemOf(session: Session, obligation: Obligation): Promise<string | null> {
  const isPossible = (await remindable(session, [obligation])).length > 0;
  return isPossible ? null : (notReminded(obligation) ?? 'A reminder was already sent today');
}

/** The most calls of investors that are reminded of at once. */
export const MAX_REMINDED = 500;

/** Sends reminders of calls to their investors. @returns the ids of the calls of which somebody was told */
async function remindByHand(session: Session, ids: readonly string[]): Promise<string[]> {
  return asProgram(session, async () => {
    await lockReminders(session, ids);
    const calls = await notRemindedToday(session, await openCalls(session, ids));
    const messages = calls.map((call) => reminderOf(call, BY_HAND, todayOf(session)));
    await tellAll(session, messages);
    const told = await session.query<{ id: string }>(
      `select document_id as id from outbox where key = any ($1) union select document_id from notifications where key = any ($1)`,
      [messages.map(({ key }) => key)],
    );
    return told.map(({ id }) => id);
  });
}

/**
 * Reminds an investor of what is open of its call, whatever its fund sends by itself: once a day at most.
 * @throws Refusal forbidden without payments/write; notFound; badRequest if nothing is open, it may be paid, it was reminded of
 *   today, or nobody can be told
 */
export async function sendReminder(session: Session, id: string, currency: string): Promise<Obligation> {
  requirePermission(session, 'payments/write');
  const obligation = await getObligation(session, id, currency);
  const problem = await reminderProblemOf(session, obligation);
  if (problem) throw new Refusal('badRequest', problem);
  const told = await remindByHand(session, [id]);
  if (told.length === 0) {
    throw new Refusal('badRequest', 'No user or contact of the investor can be told. Invite a user, or add a contact');
  }
  return obligation;
}

/** The overdue calls of investors that a selection has, and of which nobody was reminded today: at most `MAX_REMINDED`. */
export async function overdueToRemind(
  session: Session,
  query: Pick<ObligationQuery, 'fund' | 'activity' | 'currency'>,
): Promise<Obligation[]> {
  const { obligations } = await listObligations(session, {
    ...query,
    kind: 'contribution',
    overdueOn: todayOf(session),
    isOpenFirst: true,
  });
  return (await remindable(session, obligations)).slice(0, MAX_REMINDED);
}

/**
 * Reminds the investors of what is overdue in a selection, each once a day at most.
 * @param ids the calls of investors that the person was shown
 * @returns how many calls of investors somebody was told of
 * @throws Refusal forbidden without payments/write; badRequest if there is nobody to remind
 */
export async function remindOverdue(
  session: Session,
  query: Pick<ObligationQuery, 'fund' | 'activity' | 'currency'>,
  ids: readonly string[],
): Promise<number> {
  requirePermission(session, 'payments/write');
  const overdue = new Set((await overdueToRemind(session, query)).map(({ documentId }) => documentId));
  const told = await remindByHand(
    session,
    ids.filter((id) => overdue.has(id)),
  );
  if (told.length === 0) throw new Refusal('badRequest', 'Nobody can be reminded now');
  return told.length;
}

/** The reminders of one call of an investor that were sent or wait. */
export interface Reminders {
  readonly count: number;
  /** Of the latest one, ISO 8601. */
  readonly latestAt: string;
  readonly latest: SentReminder;
}

/** How often the investors of calls were reminded, for users of their manager. @param ids of calls that the actor can see */
export async function remindersOf(session: Session, ids: readonly string[]): Promise<ReadonlyMap<string, Reminders>> {
  if (ids.length === 0 || !seesReaders(session)) return new Map();
  const rows = await asProgram(session, () =>
    session.query<Reminders & { id: string }>(
      `select o.document_id as id, count(distinct split_part(o.key, '#', 1))::int as count,
         to_json(max(o.created_at)) #>> '{}' as "latestAt", (array_agg(${SENT_REMINDER} order by o.created_at desc))[1] as latest
       from outbox o where o.kind = 'callDue' and o.document_id = any ($1) and o.status <> 'Skipped' group by o.document_id`,
      [[...ids]],
    ),
  );
  return new Map(rows.map(({ id, ...reminders }) => [id, reminders]));
}
