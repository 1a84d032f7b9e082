import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { Announcement } from '../../entities/announcements.ts';
import { asProgram, BLOCKED_FOR_ACTOR, type Session } from '../../store.ts';
import { seesReaders } from '../activities/activities.ts';
import { type Message, tellAll } from '../outbox/tell.ts';
import type { Withdrawn } from '../outbox/withdrawn-page.ts';

/**
 * SQL: whether the user `$2` of the manager `$3` was told of the announcement `t` or of its withdrawal, or has read it,
 * and it is not blocked for the actor. Emails and reads are older than the notification of a withdrawal.
 */
const WAS_SHOWN = `and t.manager_id = $3 and not document_owners('announcements', to_jsonb(t)) && ${BLOCKED_FOR_ACTOR} and (
  exists (select from notifications n where n.key = 'withdrawn/' || t.id and n.user_id = $2)
  or exists (select from outbox o where o.resource = 'announcements' and o.document_id = t.id and o.user_id = $2)
  or exists (select from activities a where a.resource = 'announcements' and a.document_id = t.id and a.user_id = $2))`;

const WHAT_NOW = 'Do not rely on it any longer.';

/**
 * Tells whoever was told of announcements that they are withdrawn: by email whoever may have got one, the others by a
 * notification. Emails that wait are not sent, and the notifications of the announcements, which have their texts, are
 * removed. Called before the status changes: afterwards nobody sees them.
 */
export async function tellWithdrawnAnnouncements(
  session: Session,
  announcements: readonly Pick<Announcement, 'id' | 'title' | 'metadata'>[],
): Promise<void> {
  const ids = announcements.map(({ id }) => id);
  const told = await asProgram(session, async () => {
    await session.query(
      `update outbox set status = 'Skipped', last_error = 'Not sent: the announcement was withdrawn first'
       where resource = 'announcements' and document_id = any ($1) and status in ('Queued', 'Held') and attempts = 0`,
      [ids],
    );
    return session.query<{ id: string; userId: string; isMailed: boolean }>(
      `select n.document_id as id, n.user_id as "userId", exists (select from outbox o where o.resource = 'announcements'
         and o.document_id = n.document_id and o.user_id = n.user_id and (o.status = 'Sent' or o.attempts > 0)) as "isMailed"
       from notifications n where n.resource = 'announcements' and n.document_id = any ($1) order by n.id`,
      [ids],
    );
  });
  const announcementOf = new Map(announcements.map((one) => [one.id, one]));
  await tellAll(
    session,
    told.flatMap(({ id, userId, isMailed }): Message[] => {
      const announcement = announcementOf.get(id);
      if (!announcement) return [];
      const { title, metadata } = announcement;
      return [
        {
          kind: 'noticeWithdrawn',
          // Nobody sees the announcement any more, so that the message is about the person whom it is for.
          resource: 'users',
          documentId: userId,
          ownedBy: { resource: 'announcements', documentId: id },
          key: `withdrawn/${id}`,
          to: { users: [userId] },
          isWithoutEmail: !isMailed,
          subject: `Withdrawn: ${title}`,
          lines: [`“${title}” of ${formatCalendarDate(metadata.iat.slice(0, 10))} was withdrawn.`, WHAT_NOW],
          page: MAIL_PAGES.announcement(id),
          pageTitle: 'Open its page',
        },
      ];
    }),
  );
  await asProgram(session, () =>
    session.query(`delete from notifications where resource = 'announcements' and document_id = any ($1)`, [ids]),
  );
}

/**
 * What is said where a withdrawn announcement, or a file of one, was: to the people of its manager, and to whoever was told
 * of it or of its withdrawal, or has read it. Null if there was none.
 */
export async function withdrawnAnnouncementOf(
  session: Session,
  where: { readonly id: string } | { readonly fileId: string },
): Promise<Withdrawn | null> {
  const { actor } = session;
  const [value, condition] = 'id' in where ? [where.id, 't.id = $1'] : [where.fileId, '$1 = any (t.file_ids)'];
  if (!isId(value) || !can(actor, 'announcements/read')) return null;
  const read = (more: string, values: readonly unknown[]) =>
    session.query<{ id: string; title: string; on: string }>(
      `select t.id, t.title, left(coalesce(t.metadata #>> '{changedBy,timestamp}', t.metadata ->> 'iat'), 10) as on
       from announcements t where t.status = 'Removed' and ${condition} ${more} order by t.id limit 1`,
      [value, ...values],
    );
  // Its audience sees nothing of what is removed, so that what it could see before is decided here.
  const [found] = seesReaders(session)
    ? await read('', [])
    : actor.kind === 'user'
      ? await asProgram(session, () => read(WAS_SHOWN, [actor.userId, actor.managerId]))
      : [];
  if (!found) return null;
  return {
    resource: 'announcements',
    callNumber: null,
    text: `“${found.title}” was withdrawn on ${formatCalendarDate(found.on)}. ${WHAT_NOW}`,
    reason: null,
    documentIds: [found.id],
  };
}
