import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Outlet, useLoaderData, useLocation, useParams } from '@remix-run/react';
import { Download, History } from 'lucide-react';
import { formatCount } from '../../components/figures/format.ts';
import { changeColumns } from '../../components/history/changes-table.tsx';
import { LinkMenu } from '../../components/overlays/menu.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';
import { HistoryFilterForm } from './history-filters.tsx';
import { CHANGES_PER_PAGE, readHistory } from './history-list.server.ts';

export const meta: MetaFunction = () => [{ title: 'History · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'history/read', async ({ db, url }) => ({
    ...(await db((session) => readHistory(session, url.searchParams))),
    limit: CHANGES_PER_PAGE,
  }));

export default function HistoryScreen() {
  const { changes, total, filters, collections, limit } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const { change: shownId } = useParams();
  return (
    <>
      <PageHeader
        title="History"
        facts={[formatCount(total, 'change'), 'latest first', 'times in UTC']}
        actions={
          <LinkMenu
            label="Export"
            icon={Download}
            links={[
              { to: paths.historyExport('xlsx', search), label: 'Excel', hint: 'the filtered changes' },
              { to: paths.historyExport('csv', search), label: 'CSV', hint: 'the same rows' },
            ]}
          />
        }
      />
      <Panel>
        <HistoryFilterForm filters={filters} collections={collections} />
        <DataTable
          narrow="list"
          caption="Changes, times in UTC"
          rows={changes}
          rowKey={(change) => change.id}
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

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
