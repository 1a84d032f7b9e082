import { Name } from '../../../components/figures/figures.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { CompanyPage } from './company-page.server.ts';

export function CompanyTransactions({ transactions }: { transactions: NonNullable<CompanyPage['transactions']> }) {
  const { rows, total } = transactions;
  return (
    <Section title="Transactions" note={rows.length < total ? `The latest ${rows.length} of ${total}` : undefined}>
      <Panel>
        <DataTable
          narrow="list"
          caption="Transactions of the company"
          rows={rows}
          rowTo={(row) => paths.transaction(row.id)}
          empty={<EmptyState title="No transactions yet" />}
          columns={[
            { key: 'title', head: 'Transaction', cell: (row) => <Name>{row.title}</Name> },
            { key: 'type', head: 'Type', cell: (row) => row.type },
            { key: 'notes', head: 'Notes', numeric: true, cell: (row) => row.notes },
            { key: 'status', head: 'Status', cell: (row) => <StatusChip status={row.status} /> },
          ]}
        />
      </Panel>
    </Section>
  );
}
