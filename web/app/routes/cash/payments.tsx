import { useLoaderData } from '@remix-run/react';
import { listPayments } from '@tapeline/db/operations/cash/payments.ts';
import { DIRECTION_LABELS, OWN_ITEM_LABELS } from '@tapeline/domain/cash/labels.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Wallet } from 'lucide-react';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { CashTabs } from './cash-tabs.tsx';

export const handle = { title: 'Payments' };

const PAGE_LENGTH = 50;

export const loader = readScreen('payments/read', ({ actor, db, url }) =>
  db(async (session) => {
    const { documents, total } = await listPayments(session, { skip: skipOf(url.searchParams), limit: PAGE_LENGTH });
    return {
      total,
      mayRecord: can(actor, 'payments/write'),
      rows: documents.map((payment) => ({
        id: payment.id,
        bookedOn: payment.bookedOn,
        direction: payment.direction,
        who:
          payment.party?.title ??
          payment.counterpartyName ??
          (payment.ownItem ? OWN_ITEM_LABELS[payment.ownItem] : 'Not known yet'),
        ownItem: payment.ownItem ?? null,
        account: payment.accountTitle,
        ...pick(payment, 'amount', 'allocated', 'credit', 'currency'),
      })),
    };
  }),
);

export default function Payments() {
  const { rows, total, mayRecord } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Payments"
        facts={['what came in and went out, the latest first']}
        primary={mayRecord ? { label: 'Record a payment', to: paths.newPayment() } : null}
      />
      <CashTabs current="payments" mayReadPayments />
      <Panel>
        <DataTable
          narrow="cards"
          caption="Payments"
          rows={rows}
          rowTo={({ id }) => paths.payment(id)}
          empty={
            <EmptyState icon={Wallet} title="No payments yet">
              Record what the bank shows, and what it pays.
            </EmptyState>
          }
          columns={[
            { head: 'With', card: 'name', name: ({ who }) => who, length: 40 },
            { head: 'Booked', card: 'date', date: ({ bookedOn }) => bookedOn },
            { head: 'Direction', card: 'state', cell: ({ direction }) => DIRECTION_LABELS[direction] },
            { head: 'Account', cell: ({ account }) => account },
            {
              head: 'Amount',
              card: 'amount',
              money: ({ amount, currency }) => ({ sum: amount, currency }),
              withCurrency: true,
            },
            { head: 'Allocated', money: ({ allocated, currency }) => ({ sum: allocated, currency }) },
            { head: 'Not ours', quiet: true, cell: ({ ownItem }) => (ownItem ? OWN_ITEM_LABELS[ownItem] : '–') },
            { head: 'Credit', money: ({ credit, currency }) => ({ sum: credit, currency }) },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="payments" />
      </Panel>
    </>
  );
}
