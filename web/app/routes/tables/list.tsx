import { useLoaderData } from '@remix-run/react';
import { managerNames } from '@tapeline/db/operations/managers/managers.ts';
import { listTables } from '@tapeline/db/operations/tables/tables.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { isBaseRates } from '@tapeline/domain/tables/table.schema.ts';
import { Table } from 'lucide-react';
import { formatCount } from '../../components/figures/format.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const handle = { title: 'Lists' };

const PAGE_LENGTH = 50;

export const loader = readScreen('tables/read', ({ db, url, actor }) =>
  db(async (session) => {
    const query = { sort: { name: 1 }, skip: skipOf(url.searchParams), limit: PAGE_LENGTH };
    const { documents, total } = await listTables(session, query);
    // An administrator who acts for all managers sees the lists of each.
    const owners =
      actor.managerId === null
        ? await managerNames(
            session,
            documents.map(({ managerId }) => managerId),
          )
        : null;
    return {
      ofAll: owners !== null,
      total,
      mayWrite: can(actor, 'tables/write'),
      rows: documents.map(({ id, name, values, metadata, managerId }) => ({
        id,
        manager: owners?.get(managerId) ?? '',
        name,
        isDated: isBaseRates(name),
        offered: values.filter(({ isRetired }) => !isRetired).length,
        retired: values.filter(({ isRetired }) => isRetired).length,
        changedAt: metadata.changedBy?.timestamp ?? metadata.iat,
      })),
    };
  }),
);

export default function Tables() {
  const { rows, total, ofAll, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Lists"
        facts={[formatCount(total, 'list'), 'the options that forms suggest, and base-rate fixings']}
        primary={mayWrite ? { label: 'New list', to: paths.newTable() } : null}
      />
      <Panel>
        <DataTable
          narrow="list"
          caption="Option lists"
          rows={rows}
          rowTo={(row) => paths.table(row.id)}
          empty={
            <EmptyState icon={Table} title="No lists yet">
              A list holds options that forms suggest, for example fee kinds. Act for a manager to create one.
            </EmptyState>
          }
          columns={[
            { head: 'Name', name: (row) => row.name, length: 60 },
            ...(ofAll ? [{ head: 'Manager', name: (row: (typeof rows)[number]) => row.manager, length: 40 }] : []),
            { head: 'Holds', quiet: true, cell: (row) => (row.isDated ? 'Dated rates' : 'Options') },
            { head: 'Values', figure: (row) => row.offered },
            { head: 'Retired', figure: (row) => row.retired },
            { head: 'Last changed', date: (row) => row.changedAt },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="lists" />
      </Panel>
    </>
  );
}
