import { useLoaderData } from '@remix-run/react';
import { listLPGroups } from '@tapeline/db/operations/investors/groups.ts';
import { listLPs } from '@tapeline/db/operations/investors/investors.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../components/figures/format.ts';
import { rowsFrom } from '../../components/grid/grid-list.ts';
import { OrganizationGrid } from '../../components/organizations/organization-grid.tsx';
import { firstRows } from '../../components/organizations/organization-list.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { Tabs } from '../../components/page/tabs.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

const COLUMNS = columnsOf('LPs');

export const handle = { title: 'Investors' };

const GROUPS_PER_PAGE = 50;

export const loader = readScreen('LPs/read', async (screen) => {
  const { db, url, actor } = screen;
  const showsGroups = url.searchParams.get('view') === 'groups';
  const skip = showsGroups ? skipOf(url.searchParams) : 0;
  const groups = await db((session) =>
    listLPGroups(session, { sort: { title: 1 }, skip, limit: showsGroups ? GROUPS_PER_PAGE : 1 }),
  );
  const total = showsGroups ? (await db((session) => listLPs(session, { limit: 1 }))).total : null;
  const found = showsGroups
    ? null
    : await firstRows(screen, { columns: COLUMNS, sort: { title: 1 }, load: rowsFrom(listLPs) });
  return {
    mayWrite: can(actor, 'LPs/write'),
    found,
    total: total ?? found?.total ?? 0,
    groups: {
      total: groups.total,
      rows: groups.documents.map(({ id, title, investors, metadata }) => ({
        id,
        title,
        investors,
        createdAt: metadata.iat,
      })),
    },
  };
});

export default function Investors() {
  const { found, total, groups, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Investors"
        facts={[formatCount(total, 'investor'), formatCount(groups.total, 'group')]}
        primary={mayWrite ? { label: 'New investor', to: paths.newInvestor() } : null}
      />
      <Tabs
        label="Investors"
        tabs={[
          { label: 'Investors', to: paths.investors(), current: found !== null },
          { label: 'Groups', to: paths.investors({ view: 'groups' }), count: groups.total, current: found === null },
        ]}
      />
      {found ? (
        <OrganizationGrid
          id="investors"
          list={paths.gridRows('investors')}
          columns={COLUMNS}
          noun="investors"
          found={found}
          rowTo={paths.investor}
          empty="An investor commits capital to funds. Create the first one to add its commitments."
        />
      ) : (
        <Panel>
          <DataTable
            narrow="list"
            caption="Groups of investors"
            rows={groups.rows}
            rowTo={(row) => paths.investorGroup(row.id)}
            empty={
              <EmptyState title="No groups yet">
                The users of a group see the documents of each of its investors. Name a group on an investor to create
                it.
              </EmptyState>
            }
            columns={[
              { head: 'Title', name: (row) => row.title, length: 60 },
              { head: 'Investors', numeric: true, cell: (row) => row.investors },
              { head: 'Created', date: (row) => row.createdAt, unknown: 'Not recorded' },
            ]}
          />
          <Pagination total={groups.total} limit={GROUPS_PER_PAGE} noun="groups" />
        </Panel>
      )}
    </>
  );
}
