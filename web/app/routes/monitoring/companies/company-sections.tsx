import { EmptyState } from '../../../components/page/empty-state.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { CompanyPage } from './company-page.server.ts';

export function CompanyTransactions({ transactions }: { transactions: NonNullable<CompanyPage['transactions']> }) {
  const { rows, total } = transactions;
  return (
    <TableSection
      title="Transactions"
      note={rows.length < total ? `The latest ${rows.length} of ${total}` : undefined}
      narrow="list"
      caption="Transactions of the company"
      rows={rows}
      rowTo={(row) => paths.transaction(row.id)}
      empty={<EmptyState title="No transactions yet" />}
      columns={[
        { head: 'Transaction', name: (row) => row.title },
        { head: 'Type', cell: (row) => row.type },
        { head: 'Notes', numeric: true, cell: (row) => row.notes },
        { head: 'Status', status: (row) => row.status },
      ]}
    />
  );
}
