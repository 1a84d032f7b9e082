import { formatCalendarDate, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { type Message, tellAll } from '../outbox/tell.ts';
import { callNoticeText, noticeMail } from './notice-mails.ts';
import { today } from './notices.ts';
import { contactsOf, readDocuments, type TellableDocument, usersToTell } from './tell-investors.ts';

/** An investor is reminded of a call this many days before it is due. */
export const CALL_REMINDER_DAYS = 5;

const reminderOf = (call: TellableDocument): Message => {
  const { id, fundTitle, callNumber } = call;
  const due = formatCalendarDate(call.dueDate ?? call.cutOffDate);
  return {
    ...noticeMail('contributions', call),
    kind: 'callDue',
    // A call that is moved to another day is due again.
    key: `callDue/${id}/${call.dueDate}`,
    to: usersToTell('contributions', call),
    contacts: contactsOf(call, 'contributions'),
    subject: `${fundTitle}: capital call ${callNumber} is due on ${due}`,
    lines: [`Capital call ${callNumber} of ${fundTitle} is due on ${due}.`, callNoticeText(call)],
  };
};

/**
 * Reminds the investors of these calls, once for each call, day and person. Called as the program.
 * @returns how many people were told
 */
export async function remindOfCalls(session: Session, ids: readonly string[]): Promise<number> {
  const calls = await readDocuments(session, 'contributions', ids);
  return tellAll(session, calls.map(reminderOf));
}

/**
 * The ids of a page of the Active calls that are due within five days. Calls whose day was missed, because no worker ran,
 * are included until they are due. Called as the program.
 * @param page.after the last call of the page before; empty for the first
 */
export async function dueCalls(
  session: ReadSession,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const at = today(session);
  const due = await session.query<{ id: string }>(
    `select id from contributions where status = 'Active' and due_date between $1 and $2 and id > $3 order by id limit $4`,
    [at, fromEpochDay(toEpochDay(at) + CALL_REMINDER_DAYS), after, limit],
  );
  return due.map(({ id }) => id);
}
