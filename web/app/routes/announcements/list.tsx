import { useLoaderData } from '@remix-run/react';
import { listAnnouncements } from '@tapeline/db/operations/announcements/announcements.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Megaphone } from 'lucide-react';
import { Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { Chip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { audienceOf } from './audience.ts';

export const handle = { title: 'Announcements' };

const PAGE_LENGTH = 50;

export const loader = readScreen('announcements/read', ({ actor, context, url }) =>
  context.store.read(actor, async (session) => {
    const page = { skip: skipOf(url.searchParams), limit: PAGE_LENGTH };
    const { documents, total } = await listAnnouncements(session, 'all', page);
    return {
      total,
      mayWrite: can(actor, 'announcements/write'),
      rows: documents.map((one) => ({
        id: one.id,
        title: one.title,
        audience: audienceOf(one),
        publishedAt: one.metadata.iat,
        users: one.users,
        isRead: one.isRead,
      })),
    };
  }),
);

const RECIPIENTS = {
  head: 'Recipients',
  numeric: true,
  cell: (row: { users: number | null }) => (row.users === null ? <Unknown /> : formatFigure(row.users)),
};

export default function Announcements() {
  const { rows, total, mayWrite } = useLoaderData<typeof loader>();
  const showsRecipients = rows.some(({ users }) => users !== null);
  return (
    <>
      <PageHeader
        title="Announcements"
        facts={[formatCount(total, 'announcement')]}
        primary={mayWrite ? { label: 'New announcement', to: paths.newAnnouncement() } : null}
      />
      <Panel>
        <DataTable
          narrow="list"
          caption="Announcements"
          rows={rows}
          rowTo={(row) => paths.announcement(row.id)}
          empty={
            <EmptyState icon={Megaphone} title="No announcements yet">
              {mayWrite
                ? 'Tell your investors and borrowers about a closing, a new report or a changed account.'
                : 'What your fund manager tells you appears here.'}
            </EmptyState>
          }
          columns={[
            { head: 'Title', name: (row) => row.title, length: 70 },
            { head: 'For', name: (row) => row.audience, length: 50 },
            { head: 'Read', cell: (row) => (row.isRead ? <Chip>Read</Chip> : <Chip tone="accent">New</Chip>) },
            { head: 'Published', date: (row) => row.publishedAt, quiet: true, time: true },
            ...(showsRecipients ? [RECIPIENTS] : []),
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="announcements" />
      </Panel>
    </>
  );
}
