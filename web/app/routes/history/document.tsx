import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { titlesOf } from '@tapeline/db/operations/history/document-titles.ts';
import { deletePermanently, mayDeletePermanently } from '@tapeline/db/operations/history/permanent-delete.ts';
import { collectionOf } from '@tapeline/domain/collections/collections.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { z } from 'zod';
import { documentHistory } from '../../commands/history.server.ts';
import { Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { HistoryPanel } from '../../components/history/action-list.tsx';
import { documentPage } from '../../components/history/document-page.ts';
import { Chip } from '../../components/page/chip.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

const deleteSchema = z.object({ title: z.string(REQUIRED).max(1000, 'At most 1000 characters') });

export const handle = named<typeof loader>(
  ({ document }) => [document.title],
  ({ document }) => `History of ${document.title}`,
);

/** The history of one document, also of one that was removed or permanently deleted. */
export const loader = readScreen('history/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const { resource = '', id = '' } = params;
    const collection = collectionOf(resource);
    if (!collection) throw new Refusal('notFound');
    const history = await documentHistory(session, [{ resource, ids: [id] }], url.searchParams);
    if (!history || history.total === 0) throw new Refusal('notFound');
    const found = (await titlesOf(session, [id])).get(id);
    const isStored = found?.isStored ?? false;
    const isRemoved = found?.isRemoved ?? true;
    return {
      history,
      document: { resource, title: found?.title ?? id, isStored, isRemoved, collection: collection.one },
      page: documentPage({ resource, documentId: id, isStored, isRemoved }),
      mayDelete: isStored && isRemoved && mayDeletePermanently(actor),
    };
  }),
);

export const action = act({
  deletePermanently: intent({
    permission: 'history/read',
    schema: deleteSchema,
    async run({ title }, { db, params }) {
      const { resource = '', id = '' } = params;
      await db((session) => deletePermanently(session, { resource, id, title }));
      return redirect(paths.documentHistory(resource, id));
    },
  }),
});

function DeletePermanently({ title, collection }: { title: string; collection: string }) {
  return (
    <PanelSection title="Delete permanently" padded className="max-w-xl">
      <p className="mb-4 text-sm text-ink-2">
        This deletes the {collection.toLowerCase()} for good. It cannot be restored. Its history is kept. To confirm,
        type its title: <b className="font-medium break-words text-ink">{title}</b>
      </p>
      <IntentForm
        intent="deletePermanently"
        lines={[{ name: 'title', label: 'Title', autoComplete: 'off' }]}
        submit="Delete permanently"
        submitting="Deleting"
        tone="danger"
      />
    </PanelSection>
  );
}

export default function DocumentHistoryScreen() {
  const { document, history, page, mayDelete } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={<Name length={60}>{document.title}</Name>}
        chip={
          document.isRemoved ? <Chip tone="danger">{document.isStored ? 'Removed' : 'Permanently deleted'}</Chip> : null
        }
        facts={[document.collection, formatCount(history.changes, 'change'), 'times in UTC']}
        actions={page ? <LinkButton to={page}>Open {document.collection.toLowerCase()}</LinkButton> : null}
      />
      <HistoryPanel history={history} />
      {mayDelete ? (
        <div className="mt-6">
          <DeletePermanently title={document.title} collection={document.collection} />
        </div>
      ) : null}
    </>
  );
}
