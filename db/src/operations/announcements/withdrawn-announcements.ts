import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { Announcement } from '../../entities/announcements.ts';
import { asProgram, type Session } from '../../store.ts';
import { seesReaders } from '../activities/activities.ts';
import { type Message, tellAll } from '../outbox/tell.ts';
import type { Withdrawn } from '../outbox/withdrawn-page.ts';

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
 * that it is withdrawn. Null if there was none.
 */
export async function withdrawnAnnouncementOf(
  session: Session,
  where: { readonly id: string } | { readonly fileId: string },
): Promise<Withdrawn | null> {
  const [value, condition] = 'id' in where ? [where.id, 'id = $1'] : [where.fileId, '$1 = any (file_ids)'];
  if (!isId(value) || !can(session.actor, 'announcements/read')) return null;
  const read = () =>
    session.query<{ id: string; title: string; on: string }>(
      `select id, title, left(coalesce(metadata #>> '{changedBy,timestamp}', metadata ->> 'iat'), 10) as on
       from announcements where status = 'Removed' and ${condition} order by id limit 1`,
      [value],
    );
  const [found] = seesReaders(session) ? await read() : await asProgram(session, read);
  if (!found) return null;
  if (!seesReaders(session)) {
    const told = await session.query(`select id from notifications where key = $1 limit 1`, [`withdrawn/${found.id}`]);
    if (told.length === 0) return null;
  }
  return {
    resource: 'announcements',
    callNumber: null,
    text: `“${found.title}” was withdrawn on ${formatCalendarDate(found.on)}. ${WHAT_NOW}`,
    reason: null,
    documentIds: [found.id],
  };
}
