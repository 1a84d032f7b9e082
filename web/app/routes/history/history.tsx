import { Outlet, useLoaderData, useLocation, useParams } from '@remix-run/react';
import { mayDeletePermanently } from '@tapeline/db/operations/history/permanent-delete.ts';
import { Download, History } from 'lucide-react';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { changeColumns } from '../../components/history/changes-table.tsx';
import { LinkMenu } from '../../components/overlays/menu.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { HistoryFilterForm } from './history-filters.tsx';
import { CHANGES_PER_PAGE, readHistory } from './history-list.server.ts';

export const handle = { title: 'History' };

export const loader = readScreen('history/read', async ({ db, url, actor }) => ({
  ...(await db((session) => readHistory(session, url.searchParams))),
  limit: CHANGES_PER_PAGE,
  mayDelete: mayDeletePermanently(actor),
}));

export default function HistoryScreen() {
  const { changes, total, filters, collections, limit, mayDelete } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const { change: shownId } = useParams();
  return (
    <>
      <PageHeader
        title="History"
        facts={[formatCount(total, 'change'), 'latest first', 'times in UTC']}
        actions={
          <>
            {mayDelete && filters.operation !== 'Delete' ? (
              <LinkButton to={paths.history({ operation: 'Delete' })}>Removed documents</LinkButton>
            ) : null}
            <LinkMenu
              label="Export"
              icon={Download}
              links={[
                { to: paths.historyExport('xlsx', search), label: 'Excel', hint: 'the filtered changes' },
                { to: paths.historyExport('csv', search), label: 'CSV', hint: 'the same rows' },
              ]}
            />
          </>
        }
      />
      {mayDelete && filters.operation === 'Delete' ? (
        <Notice>
          Removed documents keep their content and history. To delete one for good, open its change, then the history of
          the document, and choose <b className="font-medium">Delete permanently</b>.
        </Notice>
      ) : null}
      <Panel>
        <HistoryFilterForm filters={filters} collections={collections} />
        <DataTable
          narrow="list"
          caption="Changes, times in UTC"
          rows={changes}
          rowTo={(change) => paths.historyChange(change.id, search)}
          isShown={(change) => change.id === shownId}
          columns={changeColumns(true)}
          empty={
            <EmptyState icon={History} title="No changes found">
              Every change of a document is listed here, with who made it. Clear the filters to see all of them.
            </EmptyState>
          }
        />
        <Pagination total={total} limit={limit} noun="changes" />
      </Panel>
      <Outlet />
    </>
  );
}
