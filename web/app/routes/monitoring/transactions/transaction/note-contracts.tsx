import { DateText } from '../../../../components/figures/figures.tsx';
import { ActionForm } from '../../../../components/forms/screen-form.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

/** The note's contracts, the newest version first. A new contract starts from the one in force. */
export function NoteContracts({ page }: { page: TransactionPage }) {
  const { contracts, canWrite, note } = page;
  const source = contracts.find((contract) => contract.status === 'Active') ?? contracts[0];
  return (
    <Section
      title="Contracts"
      note="terms for calculating borrowing bases"
      more={
        canWrite && source ? (
          <ActionForm intent="newVersion" values={{ contract: source.id }}>
            New version of v{source.revision}
          </ActionForm>
        ) : null
      }
    >
      <Panel>
        <DataTable
          narrow="list"
          caption={`Contracts of ${note.title}`}
          rows={contracts}
          rowTo={(contract) => paths.contract(contract.id)}
          empty={
            <EmptyState title="No contract yet">
              Without an active contract, this note has no borrowing base.
            </EmptyState>
          }
          columns={[
            { key: 'revision', head: 'Version', cell: (contract) => `v${contract.revision}` },
            { key: 'status', head: 'Status', cell: (contract) => <StatusChip status={contract.status} /> },
            { key: 'title', head: 'Title', cell: (contract) => contract.title || '–' },
            {
              key: 'from',
              head: 'Effective cut-off date',
              cell: (contract) => <DateText value={contract.cutOffDate} />,
            },
            { key: 'rules', head: 'Rules', numeric: true, cell: (contract) => contract.ruleCount },
            {
              key: 'active',
              head: 'Activated',
              wideOnly: true,
              cell: (contract) => <DateText value={contract.activatedAt} time unknown="Never active" />,
            },
            {
              key: 'closed',
              head: 'Closed',
              wideOnly: true,
              cell: (contract) =>
                contract.closedAt ? <DateText value={contract.closedAt} time /> : <span className="text-ink-3">–</span>,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
