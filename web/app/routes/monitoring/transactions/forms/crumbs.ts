import type { PageHandle } from '../../../../components/page/page-name.ts';
import { paths } from '../../../../paths.ts';
import type { EditPage } from '../edit-page.server.ts';

interface Located {
  page: EditPage;
  note?: { id: string; title: string };
  tranche?: { title: string };
}

/** The location of a page that changes a part of a transaction: its title, its note, and what the page does. */
export const editCrumbs = (label: string, title?: PageHandle<Located>['title']): PageHandle<Located> => ({
  crumbs: ({ page, note }) => [
    { label: page.transaction.title, to: paths.transaction(page.transaction.id) },
    ...(note ? [{ label: note.title, to: paths.transaction(page.transaction.id, { note: note.id }) }] : []),
    { label },
  ],
  ...(title === undefined ? {} : { title }),
});
