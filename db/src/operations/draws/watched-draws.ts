import { remindAt } from '@tapeline/domain/draws/reminder.ts';
import type { Session } from '../../store.ts';

/** Records that the workflow of a request knows this version of it. Not a change of the request. */
export async function markWatched(session: Session, draw: { id: string; version: number }): Promise<void> {
  await session.query('update draws set watched_version = $2 where id = $1', [draw.id, draw.version]);
}

/**
 * A page of the requests whose workflow has not seen their latest version since `before`: it was never started, or the
 * signal of a change or decision was lost. Ordered by id. Called as the program.
 */
export const listUnwatchedDraws = (
  session: Session,
  command: { before: Date; after: string | null; limit: number },
): Promise<{ id: string; version: number }[]> =>
  session.query(
    `select id, version from draws
     where watched_version is distinct from version and (watched_version is not null or status in ('Pending', 'In Review'))
       and coalesce(metadata #>> '{changedBy,timestamp}', metadata ->> 'iat')::timestamptz <= $1
       and ($2::text is null or id > $2) order by id limit $3`,
    [command.before, command.after, command.limit],
  );

/**
 * Lets the workflows of all waiting requests be started again, because those that knew them may be gone. One that still
 * runs is only told the version that it knows. Called as the program.
 */
export async function forgetWatched(session: Session): Promise<void> {
  await session.query(`update draws set watched_version = null where status in ('Pending', 'In Review')`);
}

/** The waiting requests whose time of the reminder has come. Called as the program. */
export async function drawsToRemindOf(session: Session): Promise<{ drawId: string; dueDate: string }[]> {
  const waiting = await session.query<{ drawId: string; dueDate: string }>(
    `select id as "drawId", due_date::text as "dueDate" from draws where status in ('Pending', 'In Review') order by id`,
  );
  return waiting.filter(({ dueDate }) => Date.parse(remindAt(dueDate)) <= session.now.getTime());
}
