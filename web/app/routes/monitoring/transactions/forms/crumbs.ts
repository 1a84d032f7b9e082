import type { CrumbHandle } from '../../../../components/shell/breadcrumb.tsx';
import { paths } from '../../../paths.ts';
import type { EditPage } from '../edit-page.server.ts';

/** The location of a page that changes a part of a transaction: its title, its note, and what the page does. */
export const editCrumbs = (label: string): CrumbHandle<{ page: EditPage; note?: { id: string; title: string } }> => ({
  crumbs: ({ data: { page, note } }) => [
    { label: page.transaction.title, to: paths.transaction(page.transaction.id) },
    ...(note ? [{ label: note.title, to: paths.transaction(page.transaction.id, { note: note.id }) }] : []),
    { label },
  ],
});
