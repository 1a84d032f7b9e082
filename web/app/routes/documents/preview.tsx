import { useLoaderData } from '@remix-run/react';
import {
  documentsOfFiles,
  listReaders,
  readCounts,
  recordFileReads,
  seesReaders,
} from '@tapeline/db/operations/activities/activities.ts';
import { withdrawnFile } from '@tapeline/db/operations/capital/withdrawn.ts';
import { readableFile } from '@tapeline/db/operations/files/readable-files.ts';
import { titlesOf } from '@tapeline/db/operations/history/document-titles.ts';
import { isAnnounced, seesDeliveries } from '@tapeline/db/operations/outbox/deliveries.ts';
import { pageOf } from '@tapeline/domain/collections/collections.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { previewOf } from '@tapeline/domain/files/previews.ts';
import { Name } from '../../components/figures/figures.tsx';
import { formatBytes } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { type Crumb, named } from '../../components/page/page-name.ts';
import { Panel } from '../../components/page/section.tsx';
import { useHydrated } from '../../components/use-hydrated.ts';
import { act, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { deliveryIntents } from '../capital/delivery-intents.server.ts';
import { type ShownWithdrawal, shownDeliveries, shownWithdrawal } from '../capital/told.server.ts';
import { Deliveries } from '../capital/who-is-told.tsx';
import { WithdrawnPage } from '../capital/withdrawn-page.tsx';
import { isInvestor } from './documents.server.ts';
import { PdfPages } from './pdf-pages.tsx';
import { ReadBy } from './read-by.tsx';

export const handle = named<typeof loader>((page) =>
  'parent' in page && page.parent ? [page.parent, page.name] : [page.name],
);

const READERS_SHOWN = 200;

const withdrawnAs = (withdrawn: ShownWithdrawal): { name: string; withdrawn: ShownWithdrawal } => ({
  name: 'Withdrawn',
  withdrawn,
});

/** The page of what the file belongs to, or the first page. */
function parentOf(about: string | null, document: { resource: string; documentId: string } | undefined): Crumb {
  const to = document && about !== null ? pageOf(document.resource, document.documentId) : null;
  return about !== null && to ? { label: about, to } : { label: 'Home', to: paths.home() };
}

/** A file with its preview; for managers with who was told of the notice, statement or report that it is, and has read it. */
export const loader = readScreen(null, ({ db, params, actor }) =>
  db(async (session) => {
    const fileId = params.id ?? '';
    const file = await readableFile(session, fileId).catch((error: unknown) => {
      if (isRefusal(error)) return error;
      throw error;
    });
    const documents = isRefusal(file) ? [] : await documentsOfFiles(session, [file.id]);
    // The manager's people can still read the file of what was withdrawn, but its page says what it is.
    const withdrawn = documents.length === 0 ? await withdrawnFile(session, fileId) : null;
    if (withdrawn) return withdrawnAs(await shownWithdrawal(session, withdrawn));
    if (isRefusal(file)) throw file;
    const { id, name, type, size } = file;
    await recordFileReads(session, [id]);
    const [document] = documents;
    const titles = await titlesOf(session, document ? [document.documentId] : []);
    const about = document ? (titles.get(document.documentId)?.title ?? null) : null;
    const counts = document ? await readCounts(session, [document.documentId]) : null;
    return {
      id,
      name,
      size,
      preview: previewOf({ type, size }),
      about,
      // Investors have all their documents in the navigation.
      parent: isInvestor(actor) ? null : parentOf(about, document),
      readBy: document && seesReaders(session) ? await listReaders(session, document, { limit: READERS_SHOWN }) : null,
      people: document ? (counts?.get(document.documentId)?.people ?? 0) : null,
      deliveries:
        document && isAnnounced(document.resource) && seesDeliveries(session, document.resource)
          ? await shownDeliveries(session, document.resource, [{ id: document.documentId, investor: null }])
          : null,
      isPublished: document ? document.status !== 'Draft' : false,
    };
  }),
);

export const action = act(
  deliveryIntents({
    permission: null,
    async documents(session, id) {
      const file = await readableFile(session, id);
      const [document] = await documentsOfFiles(session, [file.id]);
      if (!document || !isAnnounced(document.resource)) throw new Refusal('notFound');
      return { resource: document.resource, ids: [document.documentId] };
    },
    pathOf: (id) => paths.document(id),
  }),
);

type Shown = Exclude<ReturnType<typeof useLoaderData<typeof loader>>, { withdrawn: unknown }>;

function Preview({ id, name, preview }: Shown) {
  const isHydrated = useHydrated();
  const address = paths.documentContent(id);
  if (preview === 'image')
    return <img src={address} alt={name} className="mx-auto block max-h-[80vh] max-w-full p-3" />;
  if (preview === null) return <p className="p-4 text-sm text-ink-2">This kind of file has no preview. Download it.</p>;
  if (isHydrated) return <PdfPages address={address} />;
  return (
    <p className="grid h-80 place-items-center px-4 text-sm text-ink-3">
      The preview needs JavaScript. Download the file to read it.
    </p>
  );
}

export default function DocumentScreen() {
  const page = useLoaderData<typeof loader>();
  if ('withdrawn' in page) {
    return (
      <WithdrawnPage title="Document" {...page.withdrawn} backTo={{ label: 'All documents', to: paths.documents() }} />
    );
  }
  return <ShownDocument {...page} />;
}

function ShownDocument(page: Shown) {
  const { id, name, size, about, readBy, people, deliveries, isPublished } = page;
  return (
    <>
      <PageHeader
        title={<Name length={60}>{name}</Name>}
        facts={[
          ...(about
            ? [
                <Name key="about" length={80}>
                  {about}
                </Name>,
              ]
            : []),
          formatBytes(size),
        ]}
        actions={
          <LinkButton to={paths.download(id)} tone="primary" external>
            Download
          </LinkButton>
        }
      />
      <Panel className="mb-[26px] bg-canvas">
        <Preview {...page} />
      </Panel>
      {deliveries && isPublished ? <Deliveries deliveries={deliveries} maySendAgain mayTellRest /> : null}
      {readBy ? <ReadBy {...readBy} people={people} /> : null}
    </>
  );
}
