import { wireFacts } from '@tapeline/domain/capital/notice-parts.ts';
import { Mono } from '../../components/figures/figures.tsx';
import { formatCount, writtenAmount } from '../../components/figures/format.ts';
import { TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import { ObligationChip } from '../cash/owed-table.tsx';
import type { HomeView } from './home.server.ts';
import { payTo } from './pay-to.ts';

type Owed = NonNullable<HomeView['owed']>;

/** "2 invoices, 731,250.00 USD open, 225,000.00 USD overdue". */
const owedWords = ({ rows, total, sums }: Owed): string =>
  [
    rows.length < total
      ? `the first ${rows.length} of ${formatCount(total, 'invoice')}`
      : formatCount(total, 'invoice'),
    ...sums.flatMap(({ currency, open, overdue }) => [
      `${writtenAmount({ sum: open, currency })} open`,
      ...(Number(overdue) > 0 ? [`${writtenAmount({ sum: overdue, currency })} overdue`] : []),
    ]),
  ].join(', ');

/** What a borrower has to pay, by when, where to and with which reference. The page of an invoice has all payment details. */
export function OwedInvoices({ owed }: { owed: Owed }) {
  return (
    <TableSection
      title="Invoices to pay"
      note={owedWords(owed)}
      caption="Invoices to pay, the earliest due first"
      narrow="list"
      rows={owed.rows}
      rowKey={({ documentId }) => documentId}
      rowTo={({ documentId }) => paths.invoice(documentId)}
      columns={[
        { head: 'Invoice', cell: ({ number }) => `Invoice ${number}`, oneLine: true },
        { head: 'Facility', name: ({ facility }) => facility, length: 30 },
        { head: 'Due', date: ({ dueDate }) => dueDate },
        { head: 'State', cell: (row) => <ObligationChip {...row} /> },
        {
          head: 'Pay to',
          quiet: true,
          cell: ({ wire, reference }) => (wire ? payTo(wireFacts(wire, reference)) : 'Ask the lender where to pay'),
        },
        { head: 'Reference', cell: ({ reference }) => <Mono>{reference}</Mono>, oneLine: true },
        {
          head: 'To pay',
          money: ({ open, currency }) => ({ sum: open, currency }),
          withCurrency: true,
        },
      ]}
    />
  );
}
