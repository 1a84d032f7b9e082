import { redirect } from '@remix-run/node';
import { Link, useLoaderData, useLocation, useSearchParams } from '@remix-run/react';
import {
  ANNOUNCEMENTS,
  readAnnouncement,
  readersOfAnnouncement,
  removeAnnouncements,
} from '@tapeline/db/operations/announcements/announcements.ts';
import { withdrawnAnnouncementOf } from '@tapeline/db/operations/announcements/withdrawn-announcements.ts';
import { getDocument } from '@tapeline/db/operations/listing/list-documents.ts';
import { deliveriesOf } from '@tapeline/db/operations/outbox/deliveries.ts';
import { markdownToHtml } from '@tapeline/domain/communication/markdown.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { DateText, Name } from '../../components/figures/figures.tsx';
import { formatBytes, formatCount } from '../../components/figures/format.ts';
import { AskOnPage } from '../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { deliveryIntents } from '../capital/delivery-intents.server.ts';
import { type ShownWithdrawal, shownWithdrawal } from '../capital/told.server.ts';
import { Deliveries } from '../capital/who-is-told.tsx';
import { WithdrawnPage } from '../capital/withdrawn-page.tsx';
import { DownloadLink } from '../documents/document-table.tsx';
import { ReadBy } from '../documents/read-by.tsx';
import { audienceOf } from './audience.ts';

export const handle = named<typeof loader>(({ title }) => [title]);

const READERS_SHOWN = 100;

const withdrawnAs = (withdrawn: ShownWithdrawal): { title: string; withdrawn: ShownWithdrawal } => ({
  title: 'Withdrawn',
  withdrawn,
});

export const loader = readScreen('announcements/read', ({ db, actor, params }) =>
  db(async (session) => {
    const id = params.id ?? '';
    const one = await readAnnouncement(session, { id }).catch(async (error: unknown) => {
      const withdrawn = isRefusal(error) ? await withdrawnAnnouncementOf(session, { id }) : null;
      if (withdrawn) return withdrawn;
      throw error;
    });
    if ('text' in one) return withdrawnAs(await shownWithdrawal(session, one));
    const mayWrite = can(actor, 'announcements/write');
    return {
      title: one.title,
      subTitle: one.subTitle ?? null,
      text: markdownToHtml(one.description),
      audience: audienceOf(one),
      publishedAt: one.metadata.iat,
      users: one.users,
      wasMailed: !one.disableEmail,
      files: one.files.map(({ id: fileId, name, size }) => ({ id: fileId, name, size })),
      mayWrite,
      deliveries: mayWrite ? await deliveriesOf(session, 'announcements', [id]) : null,
      readBy: mayWrite ? await readersOfAnnouncement(session, one, READERS_SHOWN) : null,
    };
  }),
);

export const action = act({
  remove: intent({
    permission: 'announcements/write',
    schema: z.object({ confirmed: z.string().optional() }),
    async run({ confirmed }, { db, params: { id = '' } }) {
      if (!confirmed) return redirect(paths.announcement(id, { ask: 'remove' }));
      await db((session) => removeAnnouncements(session, [id]));
      return redirect(paths.announcement(id));
    },
  }),
  ...deliveryIntents({
    permission: 'announcements/write',
    documents: async (session, id) => {
      await getDocument(session, ANNOUNCEMENTS, id);
      return { resource: 'announcements', ids: [id] };
    },
    pathOf: (id) => paths.announcement(id),
  }),
});

type Shown = Exclude<ReturnType<typeof useLoaderData<typeof loader>>, { withdrawn: unknown }>;

const sentTo = (users: number, wasMailed: boolean): string =>
  `${formatCount(users, 'recipient')}, ${wasMailed ? 'also by email' : 'without email'}`;

/** What happens when it is withdrawn. */
const consequenceOf = ({ users, deliveries }: Shown): string =>
  !users
    ? 'No one was notified of it. It is no longer shown.'
    : `${formatCount(users, 'person was', 'people were')} told of it. Its page and files say that it is withdrawn, and they are told so: ${deliveries?.told ? 'by email, as listed below under Emails' : 'by a notification'}. Queued emails are not sent.`;

export default function AnnouncementScreen() {
  const page = useLoaderData<typeof loader>();
  if (!('withdrawn' in page)) return <Announcement one={page} />;
  return (
    <WithdrawnPage
      title="Announcement"
      {...page.withdrawn}
      head="Of"
      backTo={{ label: 'All announcements', to: paths.announcements() }}
    />
  );
}

function Announcement({ one }: { one: Shown }) {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const question = { title: 'Withdraw this announcement?', consequence: consequenceOf(one), confirm: 'Withdraw' };
  return (
    <>
      <PageHeader
        title={one.title}
        facts={[
          one.audience,
          <DateText key="published" value={one.publishedAt} time />,
          ...(one.users === null ? [] : [sentTo(one.users, one.wasMailed)]),
        ]}
        actions={one.mayWrite ? <ConfirmForm {...question} intent="remove" label="Withdraw" /> : null}
      />
      {one.mayWrite && search.get('ask') === 'remove' ? (
        <AskOnPage {...question} intent="remove" backTo={pathname} />
      ) : null}
      <Panel className="mb-6 max-w-[46rem] p-4">
        {one.subTitle ? <p className="mb-3 font-[550]">{one.subTitle}</p> : null}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made from Markdown, without anyone's HTML or scripts */}
        <div className="prose" dangerouslySetInnerHTML={{ __html: one.text }} />
      </Panel>
      {one.files.length > 0 ? (
        <PanelSection title="Files" className="max-w-[46rem]">
          <DataTable
            narrow="list"
            caption="Files"
            rows={one.files}
            columns={[
              {
                head: 'File',
                cell: (file) => (
                  <Link to={paths.document(file.id)} className="tap-text text-accent hover:underline">
                    <Name length={60}>{file.name}</Name>
                  </Link>
                ),
              },
              { head: 'Size', numeric: true, cell: (file) => formatBytes(file.size) },
              {
                head: <span className="sr-only">Download</span>,
                control: true,
                cell: (file) => <DownloadLink {...file} />,
              },
            ]}
          />
        </PanelSection>
      ) : null}
      {one.deliveries ? (
        <Deliveries
          deliveries={one.deliveries}
          maySendAgain
          head="Of"
          nobody={
            one.wasMailed
              ? 'Whom it is for is decided when it is published. Users added later see it here, without an email.'
              : 'It was published without emails. Its recipients have a notification.'
          }
        />
      ) : null}
      {one.readBy ? <ReadBy {...one.readBy} people={one.users} /> : null}
    </>
  );
}
