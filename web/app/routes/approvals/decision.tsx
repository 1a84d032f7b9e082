import { Button, LinkButton } from '../../components/forms/button.tsx';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { ConfirmedAction } from '../../components/overlays/confirmed-action.tsx';
import { paths } from '../../paths.ts';
import { amountText } from './approval-words.ts';
import type { ApprovalPanel } from './approvals.server.ts';
import { blockOf, questionOf } from './details.tsx';

/** The reason of a rejection. The question above it names what is rejected and who is told. */
function RejectForm({ panel, backTo }: { panel: ApprovalPanel; backTo: string }) {
  const { details, approval } = panel;
  const told = `The users of ${approval.party ?? 'the borrower'} get the reason by email.`;
  if (details.kind === 'draw') {
    const amount = amountText(approval.amounts) ?? '';
    return (
      <IntentForm
        intent="rejectDraw"
        sent={{ drawVersion: details.version }}
        lines={[{ name: 'rejectionMessage', label: 'Reason', hint: told, rows: 2, autoFocus: true }]}
        submit={`Reject ${amount}`}
        submitting="Rejecting"
        tone="danger"
        cancelTo={backTo}
      />
    );
  }
  return (
    <IntentForm
      intent="declineCorrection"
      lines={[{ name: 'reason', label: 'Reason', hint: told, rows: 2, maxLength: 1000, autoFocus: true }]}
      submit="Decline the correction"
      submitting="Declining"
      tone="danger"
      cancelTo={backTo}
    />
  );
}

/** Approve and reject, each asked once. What makes approval impossible is stated below the button. */
export function DecisionForms({ panel }: { panel: ApprovalPanel }) {
  const { approval, details, search, ask, page } = panel;
  const { kind, id } = approval;
  const here = paths.approval(kind, id, search);
  const rejects = kind === 'draw' || kind === 'correction';
  const block = blockOf(panel);
  const question = questionOf(panel, amountText(approval.amounts));
  const values = { seenVersion: String('version' in details ? details.version : 0) };
  if (rejects && ask === 'reject') return <RejectForm panel={panel} backTo={here} />;
  return (
    <>
      <div className="flex flex-wrap gap-2 [&>*]:flex-auto [&_button]:w-full">
        {rejects ? (
          <LinkButton to={paths.approval(kind, id, { ...search, ask: 'reject' })} preventScrollReset>
            {kind === 'draw' ? 'Reject' : 'Decline'}
          </LinkButton>
        ) : (
          <LinkButton to={page}>Change or remove</LinkButton>
        )}
        {block === null ? (
          <ConfirmedAction
            asks="approve"
            {...question}
            action={here}
            values={values}
            tone="primary"
            buttonTone="primary"
          />
        ) : (
          <Button tone="primary" disabled aria-describedby="approval-block">
            {question.label}
          </Button>
        )}
      </div>
      {block ? (
        <p id="approval-block" className="mt-2 text-xs text-ink-2">
          {block}
        </p>
      ) : null}
    </>
  );
}
