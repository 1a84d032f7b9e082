import { formatCount } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { IntentForm } from '../../../../components/forms/intent-form.tsx';
import { ActionForm } from '../../../../components/forms/screen-form.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import { rejectSchema } from './draw-acts.ts';
import type { DrawPage } from './draw-page.server.ts';

type Blocked = Pick<DrawPage, 'exceptions' | 'isOwn'>;

export const pendingOf = ({ exceptions }: Pick<Blocked, 'exceptions'>) =>
  exceptions.filter(({ status }) => status === 'Pending');

/** Why the actor cannot approve now; null if they can. */
export function approvalBlock(page: Blocked): string | null {
  const pending = pendingOf(page).length;
  if (page.isOwn) return 'You requested or last changed this draw, so someone else must approve it.';
  if (pending > 0) {
    return `${formatCount(pending, 'exception is', 'exceptions are')} pending. Skip each with a reason to approve the draw, or reject it.`;
  }
  return null;
}

export function Actions({ page }: { page: DrawPage }) {
  const values = { drawVersion: String(page.version) };
  return (
    <>
      {page.mayRemove ? (
        <LinkButton to={paths.draw(page.id, { confirm: 'remove' })} tone="quiet">
          {page.mayDecide || !page.isOpen ? 'Remove' : 'Withdraw'}
        </LinkButton>
      ) : null}
      {page.mayChange ? <LinkButton to={paths.editDraw(page.id)}>Change</LinkButton> : null}
      {page.mayDecide ? <LinkButton to={paths.draw(page.id, { confirm: 'reject' })}>Reject</LinkButton> : null}
      {page.mayDecide && approvalBlock(page) === null ? (
        <ActionForm intent="approve" values={values} tone="primary">
          Approve
        </ActionForm>
      ) : null}
    </>
  );
}

export function RejectForm({ page }: { page: DrawPage }) {
  return (
    <PanelSection title="Reject this draw" padded className="max-w-[46rem]">
      <IntentForm
        intent="reject"
        schema={rejectSchema}
        shouldValidate="onSubmit"
        sent={{ drawVersion: page.version }}
        lines={[
          {
            name: 'rejectionMessage',
            label: 'Reason',
            hint: 'The borrower sees it, and its users get it by email',
            rows: 3,
            autoFocus: true,
          },
        ]}
        submit="Reject the draw"
        submitting="Rejecting"
        tone="danger"
        cancelTo={paths.draw(page.id)}
      />
    </PanelSection>
  );
}

export function RemoveForm({ page }: { page: DrawPage }) {
  return (
    <Notice
      tone="warning"
      action={
        <span className="flex gap-2">
          <ActionForm intent="remove" values={{ drawVersion: String(page.version) }} tone="danger">
            Remove the draw
          </ActionForm>
          <LinkButton to={paths.draw(page.id)} tone="quiet">
            Cancel
          </LinkButton>
        </span>
      }
    >
      Remove this draw request? It no longer counts in any check. Its history is kept.
    </Notice>
  );
}
