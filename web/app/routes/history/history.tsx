import { Outlet, useLoaderData, useLocation, useParams } from '@remix-run/react';
import { mayDeletePermanently } from '@tapeline/db/operations/history/permanent-delete.ts';
import { Download, History } from 'lucide-react';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { ActionList } from '../../components/history/action-list.tsx';
import { CHANGE_COLUMNS } from '../../components/history/changes-table.tsx';
import { HISTORY_PAGE } from '../../components/history/history-page.ts';
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
  const { of, changed, limit, filters, collections, mayDelete } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const { change: shownId } = useParams();
  return (
    <>
      <PageHeader
        title="History"
        facts={[
          of.kind === 'changes' ? `${formatCount(changed, 'change')} of one action` : formatCount(changed, 'change'),
          'latest first',
          'times in UTC',
        ]}
        actions={
          <>
            {of.kind === 'changes' ? <LinkButton to={paths.history()}>Whole history</LinkButton> : null}
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
        {of.kind === 'changes' ? null : <HistoryFilterForm filters={filters} collections={collections} />}
        {of.total === 0 ? (
          <EmptyState icon={History} title="No changes found">
            Every change of a document is listed here, with who made it. Clear the filters to see all of them.
          </EmptyState>
        ) : of.kind === 'actions' ? (
          <ActionList actions={of.actions} search={search} />
        ) : (
          <DataTable
            narrow="list"
            caption="Changes, times in UTC"
            rows={of.changes}
            rowTo={(change) => paths.historyChange(change.id, search)}
            isShown={(change) => change.id === shownId}
            columns={CHANGE_COLUMNS}
          />
        )}
        {of.kind === 'actions' ? (
          <Pagination total={of.total} limit={HISTORY_PAGE} noun="actions" />
        ) : (
          <Pagination total={of.total} limit={limit} noun="changes" />
        )}
      </Panel>
      <Outlet />
    </>
  );
}
