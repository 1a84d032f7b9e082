import { AskOnPage } from '../../../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../../../components/overlays/confirm-form.tsx';
import { paths } from '../../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

const QUESTION = {
  title: 'Close this facility?',
  consequence:
    'Its active contracts are closed and no new borrowing bases are calculated. Existing borrowing bases do not change. A closed facility cannot be reopened.',
  confirm: 'Close facility',
};

const valuesOf = ({ transaction }: TransactionPage) => ({ version: String(transaction.version) });

export const CloseTransaction = ({ page }: { page: TransactionPage }) =>
  page.canWrite ? (
    <ConfirmForm intent="close" values={valuesOf(page)} label="Close facility" {...QUESTION} tone="danger" />
  ) : null;

/** The question, where JavaScript cannot ask it in a dialog. */
export const AskToClose = ({ page }: { page: TransactionPage }) =>
  page.asksToClose ? (
    <AskOnPage
      intent="close"
      values={valuesOf(page)}
      {...QUESTION}
      backTo={paths.transaction(page.transaction.id, { view: 'terms' })}
    />
  ) : null;
