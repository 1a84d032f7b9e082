import { redirect } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { markAllRead, markGroupRead, markNotification } from '@tapeline/db/operations/notifications/notifications.ts';
import type { NotificationLevel } from '@tapeline/domain/communication/notification-kinds.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { MAIL_KINDS } from '@tapeline/domain/mail/mail.ts';
import { Bell, ChevronRight } from 'lucide-react';
import { z } from 'zod';
import { classNames } from '../../components/class-names.ts';
import { DateText } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { Chip, type Tone } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths, safeNext } from '../../paths.ts';
import {
  PAGE_LENGTH,
  readNotifications,
  type ShownGroup,
  type ShownNotification,
} from './notification-groups.server.ts';

export const handle = named('Notifications');

const TABS = { all: 'All', unread: 'Unread', action: 'Action required' } as const;

const LEVELS: Readonly<Record<NotificationLevel, { label: string; tone: Tone } | null>> = {
  info: null,
  warning: { label: 'Warning', tone: 'warning' },
  danger: { label: 'Problem', tone: 'danger' },
};

export const loader = readScreen(null, async ({ actor, context, url }) => ({
  ...(await context.store.read(actor, (session) => readNotifications(session, url.searchParams))),
  limit: PAGE_LENGTH,
}));

export const action = act({
  open: intent({
    permission: null,
    schema: z.object({ id: idSchema }),
    async run({ id }, { db }) {
      const { page } = await db((session) => markNotification(session, { id, isRead: true }));
      return redirect(safeNext(page));
    },
  }),
  mark: intent({
    permission: null,
    schema: z.object({ id: idSchema, isRead: z.enum(['true', 'false']) }),
    async run({ id, isRead }, { db }) {
      await db((session) => markNotification(session, { id, isRead: isRead === 'true' }));
      return null;
    },
  }),
  markGroup: intent({
    permission: null,
    schema: z.object({ kind: z.enum(MAIL_KINDS), day: calendarDateSchema }),
    async run(group, { db }) {
      await db((session) => markGroupRead(session, group));
      return null;
    },
  }),
  markAll: intent({
    permission: null,
    schema: z.object({}),
    async run(_form, { db }) {
      await db(markAllRead);
      return null;
    },
  }),
});

function Item({ row }: { row: ShownNotification }) {
  const level = LEVELS[row.level];
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-72">
        <p className={classNames('text-sm break-words', !row.isRead && 'font-[600]')}>
          {row.isRead ? null : <span className="sr-only">Unread: </span>}
          {row.title}
        </p>
        <p className="mt-0.5 line-clamp-2 text-xs text-ink-2">{row.description}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
          <DateText time value={row.createdAt} />
          {level ? <Chip tone={level.tone}>{level.label}</Chip> : null}
          {row.actionRequired ? <Chip tone="accent">Action required</Chip> : null}
          {row.isDone ? <Chip tone="good">Done</Chip> : null}
          {row.done ? <span className="text-ink-2">{row.done}</span> : null}
        </p>
      </div>
      <div className="flex flex-wrap gap-1">
        <ActionForm intent="open" values={{ id: row.id }} tone="plain">
          {row.pageTitle}
          <span className="sr-only">: {row.title}</span>
        </ActionForm>
        <ActionForm intent="mark" values={{ id: row.id, isRead: String(!row.isRead) }} tone="quiet">
          {row.isRead ? 'Mark as unread' : 'Mark as read'}
          <span className="sr-only">: {row.title}</span>
        </ActionForm>
      </div>
    </li>
  );
}

/** Several notifications of one kind and day, which open below their number. */
function Group({ group, shown }: { group: ShownGroup; shown: string }) {
  const { kind, day, title, total, unread, waiting, rows } = group;
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2.5 text-sm hover:bg-hover max-sm:min-h-10 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            size={14}
            strokeWidth={1.75}
            className="flex-none text-ink-3 transition-transform duration-100 group-open:rotate-90"
          />
          <span className={classNames('min-w-0', unread > 0 && 'font-[600]')}>
            {title}: {formatFigure(total)}
          </span>
          {unread > 0 ? <span className="text-xs text-ink-2">{formatFigure(unread)} unread</span> : null}
          {waiting > 0 ? <Chip tone="accent">{`${formatFigure(waiting)} to do`}</Chip> : null}
          <span className="ml-auto text-xs text-ink-3">
            <DateText value={day} />
          </span>
        </summary>
        <div className="border-t border-line sm:pl-5">
          <ul className="divide-y divide-line">
            {rows.map((row) => (
              <Item key={row.id} row={row} />
            ))}
          </ul>
          <div className="flex flex-wrap gap-2 px-3 pb-3">
            {unread > 0 ? (
              <ActionForm intent="markGroup" values={{ kind, day }} tone="plain">
                Mark these as read
                <span className="sr-only">: {title}</span>
              </ActionForm>
            ) : null}
            {total > rows.length ? (
              <Link
                to={paths.notifications({ kind, day, ...(shown === 'all' ? {} : { show: shown }) })}
                className="tap-text self-center text-sm font-medium text-accent hover:underline"
              >
                All {formatFigure(total)}
                <span className="sr-only">: {title}</span>
              </Link>
            ) : null}
          </div>
        </div>
      </details>
    </li>
  );
}

export default function Notifications() {
  const { shown, total, unread, group, groups, rows, limit } = useLoaderData<typeof loader>();
  const isEmpty = groups.length === 0 && rows.length === 0;
  return (
    <>
      <PageHeader
        title="Notifications"
        facts={[
          ...(group ? [group.title] : []),
          unread === 0 ? 'Nothing unread' : `${formatCount(unread, 'notification')} unread`,
        ]}
        actions={
          <>
            {group ? <LinkButton to={paths.notifications()}>All notifications</LinkButton> : null}
            <LinkButton to={paths.notificationSettings()}>Settings</LinkButton>
            {unread === 0 ? null : (
              <ActionForm intent="markAll" tone="plain">
                Mark all as read
              </ActionForm>
            )}
          </>
        }
      />
      {group ? null : (
        <Tabs
          label="Notifications"
          tabs={Object.entries(TABS).map(([key, label]) => ({
            label,
            to: paths.notifications(key === 'all' ? {} : { show: key }),
            current: key === shown,
            count: key === 'unread' ? unread : null,
          }))}
        />
      )}
      <Panel>
        {isEmpty ? (
          <EmptyState icon={Bell} title={shown === 'all' ? 'No notifications yet' : 'Nothing here'}>
            Draws to decide, calls due and other updates appear here.
          </EmptyState>
        ) : (
          <ul aria-label="Notifications, times in UTC" className="divide-y divide-line">
            {groups.map((of) =>
              of.total === 1 && of.rows[0] ? (
                <Item key={of.id} row={of.rows[0]} />
              ) : (
                <Group key={of.id} group={of} shown={shown} />
              ),
            )}
            {rows.map((row) => (
              <Item key={row.id} row={row} />
            ))}
          </ul>
        )}
        <Pagination total={total} limit={limit} noun={group ? 'notifications' : 'groups'} />
      </Panel>
    </>
  );
}
