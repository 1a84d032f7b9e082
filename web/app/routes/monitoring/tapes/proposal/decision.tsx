import type { ProposalFacts } from '../../../../commands/proposals.server.ts';
import { IntentForm } from '../../../../components/forms/intent-form.tsx';
import { ConfirmedAction } from '../../../../components/overlays/confirmed-action.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';

/** Accept, or decline with a reason. */
export function Decision({
  proposal,
  isInProgress,
}: {
  proposal: Pick<ProposalFacts, 'proposedBy'>;
  isInProgress: boolean;
}) {
  return (
    <PanelSection title="Decide" padded className="max-w-[46rem] space-y-5">
      <div className="space-y-2 text-sm">
        <p>
          Accepting reprocesses these rows and publishes the result. Your name is recorded with the correction
          {proposal.proposedBy ? ` along with ${proposal.proposedBy}’s` : ''}.
        </p>
        {isInProgress ? (
          <p className="text-warning">The tape is being processed. You can accept when processing is complete.</p>
        ) : (
          <ConfirmedAction
            asks="accept"
            intent="accept"
            label="Accept"
            title="Accept the correction?"
            consequence="The rows are processed again, and the result is published to everyone who sees the tape. Its borrowing bases are then calculated from it."
            confirm="Accept the correction"
            tone="primary"
            buttonTone="primary"
          />
        )}
      </div>
      <IntentForm
        intent="decline"
        lines={[
          { name: 'reason', label: 'Reason for declining', hint: 'Visible to the borrower.', rows: 2, maxLength: 1000 },
        ]}
        submit="Decline"
        submitting="Declining"
        tone="plain"
      />
    </PanelSection>
  );
}
