import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import {
  documentsOfFiles,
  listReaders,
  readCounts,
  recordFileReads,
  seesReaders,
} from '@tapeline/db/operations/activities/activities.ts';
import { type Withdrawn, withdrawnFile } from '@tapeline/db/operations/capital/withdrawn.ts';
import { readableFile } from '@tapeline/db/operations/files/readable-files.ts';
import { titlesOf } from '@tapeline/db/operations/history/document-titles.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { previewOf } from '@tapeline/domain/files/previews.ts';
import { Name } from '../../components/figures/figures.tsx';
import { formatBytes } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/section.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { useHydrated } from '../../components/use-hydrated.ts';
import { readScreen } from '../../http/screen.server.ts';
import { WithdrawnPage } from '../capital/withdrawn-page.tsx';
import { paths } from '../paths.ts';
import { PdfPages } from './pdf-pages.tsx';
import { ReadBy } from './read-by.tsx';

export const handle: CrumbHandle<{ name: string }> = { crumbs: ({ data: { name } }) => [{ label: name }] };
export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: `${data?.name ?? 'Document'} · Tapeline` }];

const READERS_SHOWN = 200;

const withdrawnDocument = ({
  text,
  reason,
}: Withdrawn): { name: string; withdrawn: Pick<Withdrawn, 'text' | 'reason'> } => ({
  name: 'Withdrawn',
  withdrawn: { text, reason },
});

/** A file with its preview; for managers with who has read the notice, statement or report that it is. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, null, ({ db, params }) =>
    db(async (session) => {
      const file = await readableFile(session, params.id ?? '').catch(async (error: unknown) => {
        const found = isRefusal(error) ? await withdrawnFile(session, params.id ?? '') : null;
        if (found) return found;
        throw error;
      });
      if ('text' in file) return withdrawnDocument(file);
      const { id, name, type, size } = file;
      const documents = await documentsOfFiles(session, [id]);
      await recordFileReads(session, [id]);
      const [document] = documents;
      const titles = await titlesOf(session, document ? [document.documentId] : []);
      const counts = document ? await readCounts(session, [document.documentId]) : null;
      return {
        id,
        name,
        size,
        preview: previewOf({ type, size }),
        about: document ? (titles.get(document.documentId)?.title ?? null) : null,
        readBy:
          document && seesReaders(session) ? await listReaders(session, document, { limit: READERS_SHOWN }) : null,
        people: document ? (counts?.get(document.documentId)?.people ?? 0) : null,
      };
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
      <WithdrawnPage
        title="Document"
        {...page.withdrawn}
        deliveries={[]}
        backTo={{ label: 'All documents', to: paths.documents() }}
      />
    );
  }
  return <ShownDocument {...page} />;
}

function ShownDocument(page: Shown) {
  const { id, name, size, about, readBy, people } = page;
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
      {readBy ? <ReadBy {...readBy} people={people} /> : null}
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
