import { Link } from '@remix-run/react';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { amountText, issueIntent, termsIntent } from './approval-words.ts';
import type { ApprovalPanel } from './approvals.server.ts';

/** The reason of a rejection. The question above it names what is rejected and who is told. */
export function RejectForm({ panel, backTo }: { panel: ApprovalPanel; backTo: string }) {
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
  if (details.kind === 'adjustment') {
    return (
      <IntentForm
        intent="declineAdjustment"
        lines={[
          {
            name: 'reason',
            label: 'Reason',
            hint: `${details.enteredBy} sees it on the certificate.`,
            rows: 2,
            maxLength: 500,
            autoFocus: true,
          },
        ]}
        submit="Decline the adjustment"
        submitting="Declining"
        tone="danger"
        cancelTo={backTo}
      />
    );
  }
  if (details.kind === 'payoutAccount') {
    return (
      <IntentForm
        intent="declineAccount"
        lines={[
          {
            name: 'reason',
            label: 'Reason',
            hint: `${details.by} gets the reason by email. For example “The contact didn’t know about the change”.`,
            rows: 2,
            maxLength: 500,
            autoFocus: true,
          },
        ]}
        submit="Decline the account"
        submitting="Declining"
        tone="danger"
        cancelTo={backTo}
      />
    );
  }
  if ('mustSubmit' in details || 'changes' in details) {
    const preparedBy = 'changes' in details ? details.by : details.secondPerson?.preparedBy;
    return (
      <IntentForm
        intent={'changes' in details ? termsIntent('return', details.kind) : issueIntent('return', details.kind)}
        sent={{ seenVersion: details.version }}
        lines={[
          {
            name: 'reason',
            label: 'Reason',
            hint: `${preparedBy ?? 'Who prepared it'} gets the reason by email.`,
            rows: 2,
            maxLength: 500,
            autoFocus: true,
          },
        ]}
        submit="Return it"
        submitting="Returning"
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

/** How a second person checked an account is a part of the decision, so it is asked with it. */
export function ConfirmAccountForm({
  block,
  page,
  toReject,
}: {
  block: string | null;
  page: string;
  /** Where a request is declined; null for an account that is changed or removed on its page. */
  toReject: string | null;
}) {
  const label = toReject ? 'Accept new account' : 'Confirm the account';
  return (
    <>
      {block === null ? (
        <IntentForm
          intent="confirmPayoutAccount"
          lines={[
            {
              name: 'check',
              label: 'How you checked it',
              hint: 'For example “Called Ann Berg on the number of the subscription agreement”',
              rows: 2,
            },
          ]}
          submit={label}
          submitting="Confirming"
          beside={
            toReject ? (
              <LinkButton to={toReject} preventScrollReset>
                Decline
              </LinkButton>
            ) : null
          }
        />
      ) : (
        <Button tone="primary" disabled aria-describedby="approval-block">
          {label}
        </Button>
      )}
      <p className="mt-2 text-xs text-ink-2">
        {block ? <span id="approval-block">{block} </span> : null}
        {toReject ? null : (
          <Link to={page} className="tap-text text-accent hover:underline">
            Change or remove
          </Link>
        )}
      </p>
    </>
  );
}
