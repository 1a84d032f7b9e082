import { ActionForm } from '../../../../components/forms/screen-form.tsx';
import { ConfirmForm } from '../../../../components/overlays/confirm-form.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { paths } from '../../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

const QUESTION = {
  title: 'Close this transaction?',
  consequence:
    'Its active contracts are closed and no new borrowing bases are calculated. Existing borrowing bases do not change. A closed transaction cannot be reopened.',
  confirm: 'Close transaction',
};

const valuesOf = ({ transaction }: TransactionPage) => ({ version: String(transaction.version) });

export const CloseTransaction = ({ page }: { page: TransactionPage }) =>
  page.canWrite ? (
    <ConfirmForm intent="close" values={valuesOf(page)} label="Close transaction" {...QUESTION} tone="danger" />
  ) : null;

/** The question, where JavaScript cannot ask it in a dialog. */
export const AskToClose = ({ page }: { page: TransactionPage }) =>
  page.asksToClose ? (
    <Notice
      tone="warning"
      action={
        <ActionForm
          intent="close"
          values={{ ...valuesOf(page), confirmed: 'yes' }}
          action={paths.transaction(page.transaction.id)}
          tone="danger"
        >
          {QUESTION.confirm}
        </ActionForm>
      }
    >
      <b>{QUESTION.title}</b> {QUESTION.consequence}
    </Notice>
  ) : null;
