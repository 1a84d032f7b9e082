import { DateText } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { ObligationChip } from '../../../cash/owed-table.tsx';
import type { FacilityTab } from '../transaction-page.server.ts';

/** The invoices of the note, the latest first. A borrower sees what was issued. */
export function NoteInvoices({ page }: { page: FacilityTab<'draws'> }) {
  const {
    tab: { invoices },
    transaction,
    note,
  } = page;
  if (!invoices || (invoices.total === 0 && !page.mayInvoice)) return null;
  const to = paths.newInvoice({ transaction: transaction.id, note: note.id });
  return (
    <TableSection
      title="Invoices"
      note={
        invoices.total > invoices.rows.length
          ? `the latest ${invoices.rows.length} of ${formatCount(invoices.total, 'invoice')}`
          : formatCount(invoices.total, 'invoice')
      }
      more={page.mayInvoice && invoices.total > 0 ? <MoreLink to={to}>New invoice</MoreLink> : null}
      narrow="cards"
      caption={`Invoices of ${note.title}`}
      rows={invoices.rows}
      rowTo={({ id }) => paths.invoice(id)}
      empty={
        <EmptyState title="No invoices yet" action={<LinkButton to={to}>New invoice</LinkButton>}>
          An invoice asks for the interest and fees of a period.
        </EmptyState>
      }
      columns={[
        { head: 'Invoice', card: 'name', cell: ({ number }) => `Invoice ${number}` },
        {
          head: 'Period',
          quiet: true,
          cell: ({ from, to: until }) => (
            <>
              <DateText value={from} /> to <DateText value={until} />
            </>
          ),
        },
        { head: 'Due', card: 'date', date: ({ dueDate }) => dueDate },
        {
          head: 'Amount',
          card: 'amount',
          money: ({ amount, currency }) => amount && { sum: amount, currency },
          withCurrency: true,
          unknown: 'A line is unknown',
        },
        { head: 'Received', money: ({ received, currency }) => ({ sum: received, currency }) },
        {
          head: 'Open',
          money: ({ open, currency }) => open && { sum: open, currency },
          unknown: 'It is not issued',
        },
        {
          head: 'State',
          card: 'state',
          cell: ({ owed, status }) => (owed ? <ObligationChip {...owed} /> : <StatusChip dot status={status} />),
        },
      ]}
    />
  );
}
