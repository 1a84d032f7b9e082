import { type Author, changedBy } from '@tapeline/db/changed-by.ts';
import { reachableActors } from '@tapeline/db/operations/identity/load-actor.ts';
import type { Session } from '@tapeline/db/store.ts';
import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import { UPLOADER_EMAIL } from './names.ts';

/** Days before the seeding at which the portfolio was set up. */
const SET_UP = 90;

/** When something was done: days before the seeding, and the time of the day. */
export interface Done {
  readonly daysAgo: number;
  readonly time: string;
}

/** A time on a working day, some days before the seeding: "09:14". */
export function daysBefore(now: Date, days: number, time: string): Date {
  const day = new Date(now.getTime() - days * 86_400_000);
  const weekend = { 0: 2, 6: 1 }[day.getUTCDay()] ?? 0;
  return new Date(`${calendarDateOf(new Date(day.getTime() - weekend * 86_400_000))}T${time}:00.000Z`);
}

/**
 * Does the work as the author: documents and the history record them, and their time. Each work reads again what it
 * needs, because the ORM compares every document that it keeps with each statement.
 */
async function recordedAs<Result>(
  session: Session,
  author: Author,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const record = (by: Author) =>
    session.query(`select set_config('tapeline.changed_by', $1, true)`, [JSON.stringify(changedBy(by))]);
  const store = async () => {
    await session.em.flush();
    session.em.clear();
  };
  await store();
  await record(author);
  const result = await work({ ...session, ...author });
  await store();
  await record(session);
  return result;
}

/** Sets the portfolio up some months before the seeding, so that its later changes are in the past too. */
export const setUpEarlier = <Result>(session: Session, work: (session: Session) => Promise<Result>): Promise<Result> =>
  recordedAs(session, { ...session, now: daysBefore(session.now, SET_UP, '08:30') }, work);

/** Does the work at a time as the user with this email: now, if that time has not come yet. */
export async function asManager<Result>(
  session: Session,
  at: string,
  work: (session: Session) => Promise<Result>,
  email = UPLOADER_EMAIL,
): Promise<Result> {
  const [actor] = await reachableActors(session, 'u.email = $1', [email]);
  if (!actor) throw new Error(`${email} is not a user`);
  return recordedAs(
    session,
    {
      now: new Date(Math.min(Date.parse(at), session.now.getTime())),
      origin: { agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', ip: '203.0.113.24', locale: 'en-US' },
      actor,
    },
    work,
  );
}
