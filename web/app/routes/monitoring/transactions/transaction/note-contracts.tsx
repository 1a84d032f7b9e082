import { DateText } from '../../../../components/figures/figures.tsx';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { FacilityTab } from '../transaction-page.server.ts';

/** The note's contracts, the newest version first. A new contract starts from the one in force. */
export function NoteContracts({ page }: { page: FacilityTab<'contract'> }) {
  const {
    tab: { contracts },
    canWrite,
    note,
  } = page;
  const source = contracts.find((contract) => contract.status === 'Active') ?? contracts[0];
  return (
    <TableSection
      title="Contracts"
      note="terms for calculating borrowing bases"
      more={
        canWrite && source ? (
          <ActionForm intent="newVersion" values={{ contract: source.id }}>
            New version of v{source.revision}
          </ActionForm>
        ) : null
      }
      narrow="list"
      caption={`Contracts of ${note.title}`}
      rows={contracts}
      rowTo={(contract) => paths.contract(contract.id)}
      empty={
        <EmptyState title="No contract yet">Without an active contract, this note has no borrowing base.</EmptyState>
      }
      columns={[
        { head: 'Version', cell: (contract) => `v${contract.revision}` },
        { head: 'Status', status: (contract) => contract.status },
        { head: 'Title', cell: (contract) => contract.title || '–' },
        { head: 'Effective cut-off date', date: (contract) => contract.cutOffDate },
        { head: 'Rules', numeric: true, cell: (contract) => contract.ruleCount },
        {
          head: 'Activated',
          date: (contract) => contract.activatedAt,
          wideOnly: true,
          time: true,
          unknown: 'Never active',
        },
        {
          head: 'Closed',
          wideOnly: true,
          cell: (contract) =>
            contract.closedAt ? <DateText value={contract.closedAt} time /> : <span className="text-ink-3">–</span>,
        },
      ]}
    />
  );
}
