import { useLoaderData } from '@remix-run/react';
import { listBankAccounts } from '@tapeline/db/operations/cash/bank-accounts.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Landmark } from 'lucide-react';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { CashTabs } from './cash-tabs.tsx';

export const handle = { title: 'Bank accounts' };

const PAGE_LENGTH = 50;

export const loader = readScreen('payments/read', ({ actor, db, url }) =>
  db(async (session) => {
    const page = { sort: { code: 1 }, skip: skipOf(url.searchParams), limit: PAGE_LENGTH };
    const { documents, total } = await listBankAccounts(session, page);
    return {
      total,
      mayWrite: can(actor, 'payments/write'),
      rows: documents.map(({ id, title, bankName, accountNumber, fundTitle, currency, balance, statedTo }) => ({
        id,
        title,
        bankName,
        ending: accountNumber.slice(-4),
        fundTitle,
        currency,
        balance,
        statedTo,
      })),
    };
  }),
);

export default function BankAccounts() {
  const { rows, total, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Bank accounts"
        facts={['the balance is the opening balance with all payments since']}
        primary={mayWrite ? { label: 'Add an account', to: paths.newBankAccount() } : null}
      />
      <CashTabs current="accounts" mayReadPayments />
      <Panel>
        <DataTable
          narrow="cards"
          caption="Bank accounts"
          rows={rows}
          rowTo={({ id }) => (mayWrite ? paths.bankAccount(id) : null)}
          empty={
            <EmptyState icon={Landmark} title="No bank accounts yet">
              Add the accounts that investors and borrowers pay to.
            </EmptyState>
          }
          columns={[
            { head: 'Account', card: 'name', name: ({ title, ending }) => `${title} •••• ${ending}`, length: 40 },
            { head: 'Bank', card: 'date', cell: ({ bankName }) => bankName },
            { head: 'Fund', card: 'state', cell: ({ fundTitle }) => fundTitle ?? '–' },
            {
              head: 'Balance',
              card: 'amount',
              money: ({ balance, currency }) => ({ sum: balance, currency }),
              withCurrency: true,
            },
            { head: 'Statements to', card: null, date: ({ statedTo }) => statedTo },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="accounts" />
      </Panel>
    </>
  );
}
