import type { Notification } from '@tapeline/db/entities/notification.ts';
import { decisionOf, decisionsAbout } from '@tapeline/db/operations/notifications/decided-by.ts';
import {
  countUnread,
  type KindOfDay,
  listGroup,
  listNotificationGroups,
} from '@tapeline/db/operations/notifications/notifications.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { markdownToText } from '@tapeline/domain/communication/markdown.ts';
import { NOTIFIED_AS } from '@tapeline/domain/communication/notification-kinds.ts';
import { NOTIFICATION_KINDS } from '@tapeline/domain/communication/notification-settings.schema.ts';
import { formatCalendarDate, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { MAIL_KINDS } from '@tapeline/domain/mail/mail.ts';
import { skipOf } from '../../components/page/skip.ts';

export const SHOWN = { all: {}, unread: { isRead: false }, action: { actionRequired: true } } as const;
export type Shown = keyof typeof SHOWN;

/** Groups, and notifications of one group, on a page. */
export const PAGE_LENGTH = 25;

/** "Approved by Mara Holt"; null if nothing is known. */
function doneInWords(decision: ReturnType<typeof decisionOf>, doneBy: string | null | undefined): string | null {
  const by = decision?.by ?? doneBy ?? null;
  const what = decision ? codeLabel(decision.status) : 'Done';
  return by === null ? (decision ? what : null) : `${what} by ${by}`;
}

async function shownAs(session: ReadSession, notifications: readonly Notification[]) {
  const isDone = ({ kind, actionRequired }: Notification) => NOTIFIED_AS[kind].actionRequired && !actionRequired;
  const decisions = await decisionsAbout(session, notifications.filter(isDone));
  return notifications.map((one) => ({
    id: one.id,
    title: one.title,
    // Its lines are those of the email: sentences, and facts without a full stop.
    description: (one.resource === 'announcements' ? markdownToText(one.description) : one.description).replaceAll(
      /\.?\s*\n\s*/g,
      ' · ',
    ),
    pageTitle: one.pageTitle,
    level: one.level,
    actionRequired: one.actionRequired,
    isDone: isDone(one),
    done: isDone(one) ? doneInWords(decisionOf(decisions, one), one.doneBy) : null,
    isRead: one.isRead,
    createdAt: one.createdAt.toISOString(),
  }));
}

export type ShownNotification = Awaited<ReturnType<typeof shownAs>>[number];

/** The group in the address; null if there is none. */
function groupOf(search: URLSearchParams): KindOfDay | null {
  const day = search.get('day') ?? '';
  const kind = MAIL_KINDS.find((one) => one === search.get('kind'));
  return kind && isCalendarDate(day) ? { kind, day } : null;
}

/** A page of notifications: by day and kind, or all of one such group. */
export async function readNotifications(session: ReadSession, search: URLSearchParams) {
  const asked = search.get('show') ?? 'all';
  const shown = Object.hasOwn(SHOWN, asked) ? (asked as Shown) : 'all';
  const page = { skip: skipOf(search), limit: PAGE_LENGTH, filter: SHOWN[shown] };
  const unread = await countUnread(session);
  const group = groupOf(search);
  if (group) {
    const { documents, total } = await listGroup(session, group, page);
    const title = `${NOTIFICATION_KINDS[group.kind].label}, ${formatCalendarDate(group.day)}`;
    return { shown, unread, total, group: { ...group, title }, groups: [], rows: await shownAs(session, documents) };
  }
  const { groups, total } = await listNotificationGroups(session, page);
  const rows = await shownAs(
    session,
    groups.flatMap(({ notifications }) => notifications),
  );
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return {
    shown,
    unread,
    total,
    group: null,
    rows: [],
    groups: groups.map(({ notifications, ...of }) => ({
      ...of,
      title: NOTIFICATION_KINDS[of.kind].label,
      rows: notifications.flatMap(({ id }) => rowOf.get(id) ?? []),
    })),
  };
}

export type ShownGroup = Awaited<ReturnType<typeof readNotifications>>['groups'][number];
