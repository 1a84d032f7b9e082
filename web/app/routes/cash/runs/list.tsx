import { useLoaderData } from '@remix-run/react';
import { listPaymentRuns } from '@tapeline/db/operations/cash/payment-runs.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Send } from 'lucide-react';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { CashTabs } from '../cash-tabs.tsx';

export const handle = { title: 'Payment runs' };

const PAGE_LENGTH = 50;

export const loader = readScreen('payments/read', ({ db, url, actor }) =>
  db(async (session) => {
    const { documents, total } = await listPaymentRuns(session, { skip: skipOf(url.searchParams), limit: PAGE_LENGTH });
    return {
      total,
      mayPrepare: can(actor, 'payments/write'),
      runs: documents.map((run) => ({
        ...pick(run, 'id', 'code', 'status', 'executeOn', 'bankAccountTitle', 'total', 'currency', 'count'),
        by: makerOf({ iat: '', createdBy: run.prepared }) ?? '',
      })),
    };
  }),
);

export default function PaymentRuns() {
  const { runs, total, mayPrepare } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Payment runs"
        facts={[formatCount(total, 'payment run')]}
        actions={
          mayPrepare ? (
            <LinkButton to={paths.newPaymentRun()} tone="primary">
              Prepare payments
            </LinkButton>
          ) : null
        }
      />
      <CashTabs current="runs" mayReadPayments />
      <Panel>
        <DataTable
          narrow="cards"
          caption="Payment runs"
          rows={runs}
          rowTo={({ id }) => paths.paymentRun(id)}
          empty={
            <EmptyState icon={Send} title="No payment runs">
              Prepare one to pay the distributions that are due.
            </EmptyState>
          }
          columns={[
            { head: 'Run', card: 'name', cell: ({ code }) => `Run ${code}` },
            { head: 'From', name: ({ bankAccountTitle }) => bankAccountTitle, length: 40, card: null },
            { head: 'Payment date', card: 'date', date: ({ executeOn }) => executeOn },
            { head: 'Payments', card: null, figure: ({ count }) => count },
            {
              head: 'Total',
              card: 'amount',
              money: ({ total: sum, currency }) => ({ sum, currency }),
              withCurrency: true,
            },
            { head: 'Prepared by', card: null, quiet: true, cell: ({ by }) => by },
            { head: 'Status', card: 'state', status: ({ status }) => status },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="runs" />
      </Panel>
    </>
  );
}
