import { type Tab, Tabs } from '../../components/page/tabs.tsx';
import { paths } from '../../paths.ts';

type Part = 'receivables' | 'payables' | 'match' | 'payments' | 'statements' | 'runs' | 'accounts' | 'reconciliation';

/**
 * The parts of Cash. Who may not read payments sees what is owed alone.
 * @param fund whose receivables and payables are shown; all if omitted
 * @param counts what the page knows of the parts
 */
export function CashTabs({
  current,
  mayReadPayments,
  fund,
  counts = {},
}: {
  current: Part;
  mayReadPayments: boolean;
  fund?: string | undefined;
  counts?: { readonly [part in Part]?: Tab['count'] | undefined };
}) {
  const tab = (part: Part, label: string, to: string): Tab => ({
    label,
    to,
    current: current === part,
    count: counts[part] ?? null,
  });
  return (
    <Tabs
      label="Cash"
      tabs={[
        tab('receivables', 'Receivables', paths.cash({ fund })),
        tab('payables', 'Payables', paths.cash({ view: 'payables', fund })),
        ...(mayReadPayments
          ? [
              tab('match', 'To match', paths.toMatch()),
              tab('payments', 'Payments', paths.payments()),
              tab('statements', 'Statements', paths.bankStatements()),
              tab('runs', 'Payment runs', paths.paymentRuns()),
              tab('accounts', 'Accounts', paths.bankAccounts()),
              tab('reconciliation', 'Reconciliation', paths.reconciliation()),
            ]
          : []),
      ]}
    />
  );
}
