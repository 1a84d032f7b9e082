import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { decisionOf, decisionsAbout } from '@tapeline/db/operations/notifications/decided-by.ts';
import {
  countUnread,
  listNotifications,
  markAllRead,
  markNotification,
} from '@tapeline/db/operations/notifications/notifications.ts';
import { markdownToText } from '@tapeline/domain/communication/markdown.ts';
import { NOTIFIED_AS, type NotificationLevel } from '@tapeline/domain/communication/notification-kinds.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Bell } from 'lucide-react';
import { z } from 'zod';
import { classNames } from '../../components/class-names.ts';
import { formatCount, formatInstant } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { Chip, type Tone } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { Tabs } from '../../components/page/tabs.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths, safeNext } from '../../paths.ts';

export const handle = named('Notifications');

const PAGE_LENGTH = 50;

const SHOWN = { all: {}, unread: { isRead: false }, action: { actionRequired: true } } as const;
type Shown = keyof typeof SHOWN;
const TABS: Readonly<Record<Shown, string>> = { all: 'All', unread: 'Unread', action: 'Action required' };

const LEVELS: Readonly<Record<NotificationLevel, { label: string; tone: Tone }>> = {
  info: { label: 'Info', tone: 'neutral' },
  warning: { label: 'Warning', tone: 'warning' },
  danger: { label: 'Problem', tone: 'danger' },
};

export const loader = readScreen(null, ({ actor, context, url }) => {
  const asked = url.searchParams.get('show') ?? 'all';
  const shown = Object.hasOwn(SHOWN, asked) ? (asked as Shown) : 'all';
  return context.store.read(actor, async (session) => {
    const page = { skip: skipOf(url.searchParams), limit: PAGE_LENGTH, filter: SHOWN[shown] };
    const { documents, total } = await listNotifications(session, page);
    const decisions = await decisionsAbout(
      session,
      documents.filter(({ kind, actionRequired }) => NOTIFIED_AS[kind].actionRequired && !actionRequired),
    );
    return {
      shown,
      total,
      unread: await countUnread(session),
      rows: documents.map(
        ({
          id,
          kind,
          title,
          resource,
          documentId,
          description,
          pageTitle,
          level,
          actionRequired,
          isRead,
          createdAt,
        }) => ({
          id,
          title,
          // Its lines are those of the email: sentences, and facts without a full stop.
          description: (resource === 'announcements' ? markdownToText(description) : description).replaceAll(
            /\.?\s*\n\s*/g,
            ' · ',
          ),
          pageTitle,
          level,
          actionRequired,
          isDone: NOTIFIED_AS[kind].actionRequired && !actionRequired,
          decision: decisionOf(decisions, { resource, documentId }),
          isRead,
          createdAt: createdAt.toISOString(),
        }),
      ),
    };
  });
});

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
  markAll: intent({
    permission: null,
    schema: z.object({}),
    async run(_form, { db }) {
      await db(markAllRead);
      return null;
    },
  }),
});

export default function Notifications() {
  const { shown, total, unread, rows } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Notifications"
        facts={[unread === 0 ? 'Nothing unread' : `${formatCount(unread, 'notification')} unread`]}
        actions={
          unread === 0 ? null : (
            <ActionForm intent="markAll" tone="plain">
              Mark all as read
            </ActionForm>
          )
        }
      />
      <Tabs
        label="Notifications"
        tabs={Object.entries(TABS).map(([key, label]) => ({
          label,
          to: paths.notifications(key === 'all' ? {} : { show: key }),
          current: key === shown,
          count: key === 'unread' ? unread : null,
        }))}
      />
      <Panel>
        <DataTable
          narrow="list"
          caption="Notifications"
          rows={rows}
          empty={
            <EmptyState icon={Bell} title={shown === 'all' ? 'No notifications yet' : 'Nothing here'}>
              Draws to decide, calls due and other updates appear here.
            </EmptyState>
          }
          columns={[
            {
              head: 'Notification',
              cell: (row) => (
                <div className="max-w-[70ch] py-1 whitespace-normal">
                  <span className={classNames(!row.isRead && 'font-[600]')}>
                    {row.isRead ? null : <span className="sr-only">Unread: </span>}
                    {row.title}
                  </span>
                  <span className="mt-0.5 line-clamp-2 block text-xs text-ink-2">{row.description}</span>
                </div>
              ),
            },
            {
              head: 'Level',
              cell: (row) => (
                <span className="flex flex-wrap gap-1">
                  <Chip tone={LEVELS[row.level].tone}>{LEVELS[row.level].label}</Chip>
                  {row.actionRequired ? <Chip tone="accent">Action required</Chip> : null}
                  {row.isDone ? <Chip tone="good">Done</Chip> : null}
                  {row.isDone && row.decision ? (
                    <span className="w-full text-xs whitespace-normal text-ink-2">
                      {codeLabel(row.decision.status)}
                      {row.decision.by ? ` by ${row.decision.by}` : ''}
                    </span>
                  ) : null}
                </span>
              ),
            },
            { head: 'Time (UTC)', quiet: true, cell: (row) => formatInstant(row.createdAt) },
            {
              head: <span className="sr-only">Actions</span>,
              control: true,
              cell: (row) => (
                <span className="flex justify-between gap-1 max-sm:w-[calc(100vw-4rem)] max-sm:flex-wrap max-sm:justify-start">
                  <ActionForm intent="open" values={{ id: row.id }} tone="plain">
                    {row.pageTitle}
                  </ActionForm>
                  <ActionForm intent="mark" values={{ id: row.id, isRead: String(!row.isRead) }} tone="quiet">
                    {row.isRead ? 'Mark as unread' : 'Mark as read'}
                    <span className="sr-only">: {row.title}</span>
                  </ActionForm>
                </span>
              ),
            },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="notifications" />
      </Panel>
    </>
  );
}
