import { Link, useLoaderData } from '@remix-run/react';
import { listGridViews, removeGridView } from '@tapeline/db/operations/grid-views/grid-views.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { GRIDS } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { Bookmark } from 'lucide-react';
import { z } from 'zod';
import { formatCount } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { TableSection } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const handle = named('Views');

export const loader = readScreen(null, async ({ db }) => {
  const views = await db((session) => listGridViews(session));
  return { own: views.filter(({ isOwn }) => isOwn), shared: views.filter(({ isOwn }) => !isOwn) };
});

export const action = act({
  remove: intent({
    permission: null,
    schema: z.object({ id: idSchema }),
    async run({ id }, { db }) {
      await db((session) => removeGridView(session, id));
      return null;
    },
  }),
});

export default function Views() {
  const { own, shared } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Views"
        facts={[formatCount(own.length, 'view'), 'saved columns, order and filter of a list']}
      />
      <TableSection
        title="Your views"
        narrow="list"
        rows={own}
        rowTo={(row) => paths.view(row.id)}
        empty={
          <EmptyState icon={Bookmark} title="No saved views yet">
            Filter or sort a list, choose its columns, and save it under Views.
          </EmptyState>
        }
        columns={[
          { head: 'Name', name: (row) => row.title, length: 60 },
          { head: 'List', cell: (row) => GRIDS[row.grid] },
          { head: 'Shared', cell: (row) => (row.isShared ? 'Yes' : 'No') },
          { head: 'Default', cell: (row) => (row.isDefault ? 'Yes' : 'No') },
          {
            head: <span className="sr-only">Edit</span>,
            control: true,
            cell: (row) => (
              <Link to={paths.editView(row.id)} className="tap-text text-accent hover:underline">
                Edit<span className="sr-only"> {row.title}</span>
              </Link>
            ),
          },
          {
            head: <span className="sr-only">Delete</span>,
            control: true,
            cell: (row) => (
              <ActionForm intent="remove" values={{ id: row.id }} tone="quiet">
                Delete<span className="sr-only"> {row.title}</span>
              </ActionForm>
            ),
          },
        ]}
      />
      {shared.length > 0 ? (
        <TableSection
          title="Shared with you"
          narrow="list"
          caption="Views that colleagues share"
          rows={shared}
          rowTo={(row) => paths.view(row.id)}
          columns={[
            { head: 'Name', name: (row) => row.title, length: 60 },
            { head: 'List', cell: (row) => GRIDS[row.grid] },
            { head: 'Shared by', cell: (row) => row.sharedBy ?? 'n/a' },
          ]}
        />
      ) : null}
    </>
  );
}
