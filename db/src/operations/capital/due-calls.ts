import { formatCalendarDate, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { type Message, tellAll } from '../outbox/tell.ts';
import { today } from './notices.ts';

/** An investor is reminded of a call this many days before it is due. */
export const CALL_REMINDER_DAYS = 5;

interface DueCall {
  readonly id: string;
  readonly managerId: string;
  readonly LP: string;
  readonly fundTitle: string;
  readonly callNumber: string;
  readonly dueDate: string;
  readonly bundleId: string | null;
}

const messageOf = ({ id, managerId, LP, fundTitle, callNumber, dueDate, bundleId }: DueCall): Message => ({
  kind: 'callDue',
  resource: 'contributions',
  documentId: id,
  // A call that is moved to another day is due again.
  key: `callDue/${id}/${dueDate}`,
  to: { LP, ofManager: managerId, can: 'contributions/read' },
  subject: `${fundTitle}: capital call ${callNumber} is due on ${formatCalendarDate(dueDate)}`,
  lines: [
    `Capital call ${callNumber} of ${fundTitle} is due on ${formatCalendarDate(dueDate)}.`,
    'Your notice, with the amount and the wire instructions, is on the page below.',
  ],
  page: MAIL_PAGES.capitalCall(bundleId ?? id),
  pageTitle: 'Open the call',
});

/**
 * Reminds the investors of Active calls that are due within five days, once for each call, day and person. Calls whose
 * day was missed, because no worker ran, are included until they are due. Called as the program.
 * @param command.after the last call of the page before; empty for the first
 * @returns the last call of this page, or null if there was none
 */
export async function remindOfCalls(
  session: Session,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string | null; told: number }> {
  const at = today(session);
  const calls = await dueCalls(session, [at, fromEpochDay(toEpochDay(at) + CALL_REMINDER_DAYS), after, limit]);
  return { last: calls.at(-1)?.id ?? null, told: await tellAll(session, calls.map(messageOf)) };
}

const dueCalls = (session: ReadSession, values: readonly unknown[]): Promise<DueCall[]> =>
  session.query<DueCall>(
    `select t.id, t.manager_id as "managerId", t.investor_lp_id as "LP", f.title as "fundTitle",
       t.call_number as "callNumber", t.due_date::text as "dueDate", t.metadata ->> 'bundleId' as "bundleId"
     from contributions t join funds f on f.id = t.fund_id
     where t.status = 'Active' and t.investor_lp_id is not null and t.due_date between $1 and $2 and t.id > $3
     order by t.id limit $4`,
    values,
  );
