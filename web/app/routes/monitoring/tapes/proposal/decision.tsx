import type { SubmissionResult } from '@conform-to/react';
import { declineSchema } from '@tapeline/domain/tapes/proposal.schema.ts';
import type { ProposalFacts } from '../../../../commands/proposals.server.ts';
import { TextareaField } from '../../../../components/forms/fields.tsx';
import { ActionForm, FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';

/** Accept, or decline with a reason. */
export function Decision({
  proposal,
  isInProgress,
  lastResult,
}: {
  proposal: Pick<ProposalFacts, 'proposedBy'>;
  isInProgress: boolean;
  lastResult: SubmissionResult<string[]> | null;
}) {
  const [form, fields] = useScreenForm('decline', declineSchema, { lastResult });
  return (
    <Section title="Decide">
      <Panel padded className="max-w-[46rem] space-y-5">
        <div className="space-y-2 text-sm">
          <p>
            Accepting reprocesses these rows and publishes the result. Your name is recorded with the correction
            {proposal.proposedBy ? ` along with ${proposal.proposedBy}’s` : ''}.
          </p>
          {isInProgress ? (
            <p className="text-warning">The tape is being processed. You can accept when processing is complete.</p>
          ) : (
            <ActionForm intent="accept" tone="primary">
              Accept
            </ActionForm>
          )}
        </div>
        <ScreenForm form={form} intent="decline" labels={{ reason: 'Reason' }}>
          <TextareaField
            field={fields.reason}
            label="Reason for declining"
            hint="Visible to the borrower."
            rows={2}
            maxLength={1000}
          />
          <FormActions submit="Decline" submitting="Declining" tone="plain" />
        </ScreenForm>
      </Panel>
    </Section>
  );
}
