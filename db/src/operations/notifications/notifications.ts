import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { MailKind } from '@tapeline/domain/mail/mail.ts';
import { Notification } from '../../entities/notification.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { defineListable } from '../listing/define-lists.ts';
import { listDocuments, type Page } from '../listing/list-documents.ts';

export const NOTIFICATIONS = defineListable(
  Notification,
  'notifications',
  [
    ['id', 'Id', 'text', 't.id'],
    ['metadata.iat', 'Created', 'instant', 't.created_at'],
    ['title', 'Title', 'text', 't.title'],
    ['description', 'Description', 'text', 't.description'],
    ['notificationLevel', 'Level', 'text', 't.level'],
    ['isRead', 'Read', 'boolean', 't.is_read'],
    ['actionRequired', 'Action required', 'boolean', 't.action_required'],
    ['resource.kind', 'Collection', 'text', 't.resource'],
    ['resource.id', 'Document', 'text', 't.document_id'],
  ],
  [],
);

/** A page of the actor's notifications, the newest first. */
export const listNotifications = (session: ReadSession, query: unknown = {}): Promise<Page<Notification>> =>
  listDocuments(session, NOTIFICATIONS, query);

/** How many notifications the actor has not read. */
export async function countUnread(session: ReadSession): Promise<number> {
  const [counted] = await session.query<{ count: number }>(
    'select count(*)::int as count from notifications where not is_read',
  );
  return counted?.count ?? 0;
}

/** Marks one of the actor's notifications as read or unread. @throws Refusal notFound */
export async function markNotification(
  session: Session,
  { id, isRead }: { id: string; isRead: boolean },
): Promise<Notification> {
  const notification = await session.em.findOne(Notification, { id });
  if (!notification) throw new Refusal('notFound');
  notification.isRead = isRead;
  await session.em.flush();
  return notification;
}

/** Marks all of the actor's notifications as read. @returns how many were unread */
export async function markAllRead(session: Session): Promise<number> {
  const read = await session.query('update notifications set is_read = true where not is_read returning id');
  return read.length;
}

/** Somebody did what the notifications about these documents asked for: they are done for everybody, and say who did it. */
export async function completeAction(
  session: Session,
  command: { resource: string; documentIds: readonly string[]; kinds: readonly MailKind[] },
): Promise<void> {
  const { resource, documentIds, kinds } = command;
  if (documentIds.length === 0) return;
  await asProgram(session, () =>
    session.query(
      `update notifications set action_required = false,
         done_by = (select history_author(author) from (select nullif(current_setting('tapeline.changed_by', true), '')::jsonb -> 'entity' as author)
           as made where author ? 'firstName')
       where resource = $1 and document_id = any ($2) and kind = any ($3) and action_required`,
      [resource, [...documentIds], [...kinds]],
    ),
  );
}
