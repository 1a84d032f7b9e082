import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import {
  readAnnouncement,
  readersOfAnnouncement,
  removeAnnouncements,
} from '@tapeline/db/operations/announcements/announcements.ts';
import { markdownToHtml } from '@tapeline/domain/communication/markdown.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { DateText, Name } from '../../components/figures/figures.tsx';
import { formatBytes, formatCount } from '../../components/figures/format.ts';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { DownloadLink } from '../documents/document-table.tsx';
import { ReadBy } from '../documents/read-by.tsx';
import { paths } from '../paths.ts';
import { audienceOf } from './audience.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? 'Announcement'} · Tapeline` },
];
export const handle: CrumbHandle<{ title: string }> = { crumbs: ({ data: { title } }) => [{ label: title }] };

const READERS_SHOWN = 100;

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'announcements/read', ({ db, actor, params }) =>
    db(async (session) => {
      const one = await readAnnouncement(session, { id: params.id ?? '' });
      const mayWrite = can(actor, 'announcements/write');
      return {
        title: one.title,
        subTitle: one.subTitle ?? null,
        text: markdownToHtml(one.description),
        audience: audienceOf(one),
        publishedAt: one.metadata.iat,
        users: one.users,
        wasMailed: !one.disableEmail,
        files: one.files.map(({ id, name, size }) => ({ id, name, size })),
        mayWrite,
        readBy: mayWrite ? await readersOfAnnouncement(session, one, READERS_SHOWN) : null,
      };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    remove: intent({
      permission: 'announcements/write',
      schema: z.object({}),
      async run(_form, { db, params }) {
        await db((session) => removeAnnouncements(session, [params.id ?? '']));
        return redirect(paths.announcements());
      },
    }),
  });

const sentTo = (users: number, wasMailed: boolean): string =>
  `${formatCount(users, 'recipient')}, ${wasMailed ? 'also by email' : 'without email'}`;

export default function Announcement() {
  const one = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={one.title}
        facts={[
          one.audience,
          <DateText key="published" value={one.publishedAt} time />,
          ...(one.users === null ? [] : [sentTo(one.users, one.wasMailed)]),
        ]}
        actions={
          one.mayWrite ? (
            <ConfirmForm
              intent="remove"
              label="Withdraw"
              title="Withdraw this announcement?"
              consequence="No recipient can see it now, and emails that wait are not sent. Those that were sent stay where they are."
              confirm="Withdraw"
            />
          ) : null
        }
      />
      <Panel className="mb-6 max-w-[46rem] p-4">
        {one.subTitle ? <p className="mb-3 font-[550]">{one.subTitle}</p> : null}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made from Markdown, without anyone's HTML or scripts */}
        <div className="prose" dangerouslySetInnerHTML={{ __html: one.text }} />
      </Panel>
      {one.files.length > 0 ? (
        <Section title="Files">
          <Panel className="max-w-[46rem]">
            <DataTable
              narrow="list"
              caption="Files"
              rows={one.files}
              rowKey={(file) => file.id}
              columns={[
                {
                  key: 'name',
                  head: 'File',
                  cell: (file) => (
                    <Link to={paths.document(file.id)} className="tap-text text-accent hover:underline">
                      <Name length={60}>{file.name}</Name>
                    </Link>
                  ),
                },
                { key: 'size', head: 'Size', numeric: true, cell: (file) => formatBytes(file.size) },
                {
                  key: 'download',
                  head: <span className="sr-only">Download</span>,
                  control: true,
                  cell: (file) => <DownloadLink {...file} />,
                },
              ]}
            />
          </Panel>
        </Section>
      ) : null}
      {one.readBy ? <ReadBy {...one.readBy} people={one.users} /> : null}
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
