import { Tabs } from '../../components/page/tabs.tsx';
import { paths } from '../../paths.ts';

/** The parts of Cash. Who may not read payments sees what is owed alone. */
export function CashTabs({
  current,
  mayReadPayments,
}: {
  current: 'receivables' | 'payables' | 'match' | 'payments' | 'statements' | 'runs' | 'accounts' | 'reconciliation';
  mayReadPayments: boolean;
}) {
  return (
    <Tabs
      label="Cash"
      tabs={[
        { label: 'Receivables', to: paths.cash(), current: current === 'receivables' },
        { label: 'Payables', to: paths.cash({ view: 'payables' }), current: current === 'payables' },
        ...(mayReadPayments
          ? [
              { label: 'To match', to: paths.toMatch(), current: current === 'match' },
              { label: 'Payments', to: paths.payments(), current: current === 'payments' },
              { label: 'Statements', to: paths.bankStatements(), current: current === 'statements' },
              { label: 'Payment runs', to: paths.paymentRuns(), current: current === 'runs' },
              { label: 'Accounts', to: paths.bankAccounts(), current: current === 'accounts' },
              { label: 'Reconciliation', to: paths.reconciliation(), current: current === 'reconciliation' },
            ]
          : []),
      ]}
    />
  );
}
