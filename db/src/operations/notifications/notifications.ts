import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import type { MailKind } from '@tapeline/domain/mail/mail.ts';
import { Notification } from '../../entities/notification.ts';
import { findDocuments, type ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { defineListable, type Narrowing } from '../listing/define-lists.ts';
import { conditionOf, listDocuments, type Page } from '../listing/list-documents.ts';

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

/** The notifications of one kind on one day. */
export interface KindOfDay {
  readonly kind: MailKind;
  /** In UTC. */
  readonly day: CalendarDate;
}

/** Some of the actor's notifications of one kind on one day. */
export interface NotificationGroup extends KindOfDay {
  /** Of the newest of them. */
  readonly id: string;
  readonly total: number;
  readonly unread: number;
  /** How many still ask for something. */
  readonly waiting: number;
  /** The newest. */
  readonly notifications: readonly Notification[];
}

/** Notifications of each group that are read. */
const READ_OF_GROUP = 20;

const DAY = "to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD')";

const ofGroup = ({ kind, day }: KindOfDay): Narrowing => ({
  condition: (parameter) => `${DAY} || '/' || t.kind = ${parameter}`,
  value: `${day}/${kind}`,
});

/** A page of the actor's notifications by day and kind, the newest first, and the number of all groups. */
export async function listNotificationGroups(
  session: ReadSession,
  query: unknown = {},
): Promise<{ groups: NotificationGroup[]; total: number }> {
  const parsed = parseListQuery(query, NOTIFICATIONS.catalog);
  const { sql, values } = conditionOf(NOTIFICATIONS, parsed, session.actor);
  const [found = [], [counted] = []] = await session.queries<
    [(Omit<NotificationGroup, 'notifications'> & { ids: string[] })[], { total: number }[]]
  >([
    {
      sql: `select ${DAY} as day, t.kind, max(t.id) as id, count(*)::int as total, (count(*) filter (where not t.is_read))::int as unread,
          (count(*) filter (where t.action_required))::int as waiting,
          ((array_agg(t.id order by t.id desc))[1:${READ_OF_GROUP}])::text[] as ids
        from notifications t where ${sql} group by 1, 2 order by day desc, max(t.id) desc
        offset $${values.length + 1} limit $${values.length + 2}`,
      values: [...values, parsed.skip, parsed.limit],
    },
    {
      sql: `select count(*)::int as total from (select from notifications t where ${sql} group by ${DAY}, t.kind) g`,
      values,
    },
  ]);
  const ids = found.flatMap((group) => group.ids);
  const read = ids.length > 0 ? await findDocuments(session, Notification, 'where id = any ($1)', [ids]) : [];
  const byId = new Map(read.map((notification) => [notification.id, notification]));
  return {
    groups: found.map(({ ids: some, ...group }) => ({
      ...group,
      notifications: some.flatMap((id) => byId.get(id) ?? []),
    })),
    total: counted?.total ?? 0,
  };
}

/** A page of the actor's notifications of one kind on one day, the newest first. */
export const listGroup = (session: ReadSession, group: KindOfDay, query: unknown = {}): Promise<Page<Notification>> =>
  listDocuments(session, NOTIFICATIONS, query, { narrowing: ofGroup(group) });

/** Marks the actor's notifications of one kind on one day as read. */
export async function markGroupRead(session: Session, { kind, day }: KindOfDay): Promise<void> {
  await session.query(`update notifications t set is_read = true where t.kind = $1 and ${DAY} = $2 and not t.is_read`, [
    kind,
    day,
  ]);
}

/** How many notifications the actor has not read. */
export async function countUnread(session: ReadSession): Promise<number> {
  const [counted] = await session.query<{ count: number }>(
    'select count(*)::int as count from notifications where not is_read',
    [],
    { kept: true },
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
  command: { resource: string; documentIds: readonly string[]; kinds: readonly MailKind[]; key?: string },
): Promise<void> {
  const { resource, documentIds, kinds, key = null } = command;
  if (documentIds.length === 0) return;
  await asProgram(session, () =>
    session.query(
      `update notifications set action_required = false,
         done_by = (select history_author(author) from (select nullif(current_setting('tapeline.changed_by', true), '')::jsonb -> 'entity' as author)
           as made where author ? 'firstName')
       where resource = $1 and document_id = any ($2) and kind = any ($3) and action_required
         and ($4::text is null or key = $4)`,
      [resource, [...documentIds], [...kinds], key],
    ),
  );
}
