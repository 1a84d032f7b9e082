import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { approvalBlock, pendingOf } from './approval-block.ts';
import type { DrawPage } from './draw-page.server.ts';

export function Notices({ page }: { page: DrawPage }) {
  const block = page.mayDecide ? approvalBlock(page) : null;
  const [first] = pendingOf(page);
  const index = page.checked?.checks.findIndex(({ message }) => message === first?.exception.message) ?? -1;
  return (
    <>
      {page.jobFailure ? <Notice tone="warning">{page.jobFailure}</Notice> : null}
      {page.status === 'Rejected' ? <Notice tone="danger">Rejected: {page.rejectionMessage}</Notice> : null}
      {page.hasChanged ? (
        <Notice
          tone="info"
          action={
            page.mayDecide ? (
              <ActionForm intent="recheck" values={{ drawVersion: String(page.version) }} tone="quiet">
                Run the checks again
              </ActionForm>
            ) : null
          }
        >
          The note has changed since the checks ran. The figures and exceptions below are those of now.
          {page.mayDecide ? ' Run the checks again to skip exceptions.' : ''}
        </Notice>
      ) : null}
      {block ? (
        <Notice tone="warning" action={index >= 0 ? <a href={`#check-${index + 1}`}>Go to check {index + 1}</a> : null}>
          {block}
        </Notice>
      ) : null}
    </>
  );
}
