import { DateText } from '../../../../components/figures/figures.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import type { ProposalPage } from '../proposal-page.server.ts';
import { OutcomeNotice } from '../row-parts.tsx';

/** The status of the proposal, in one sentence. */
export function ProposalNotice({
  page: { proposal, outcome, problem, proposes },
}: {
  page: Pick<ProposalPage, 'proposal' | 'outcome' | 'problem' | 'proposes'>;
}) {
  const decided = (
    <>
      {proposal.decidedBy ?? 'The manager'} on <DateText time value={proposal.decidedAt} />
    </>
  );
  if (proposal.beingAccepted) {
    return <Notice>Accepted by {decided}. The rows are being reprocessed. Reload the page in a moment.</Notice>;
  }
  switch (proposal.status) {
    case 'Accepted':
      return <Notice tone="good">Accepted by {decided}. The rows were reprocessed and published.</Notice>;
    case 'Declined':
      return (
        <Notice tone="warning">
          Declined by {decided}: {proposal.declineReason}
        </Notice>
      );
    case 'Withdrawn':
      return <Notice>Withdrawn by the borrower. The tape did not change.</Notice>;
    case 'Outdated':
      return (
        <Notice tone="warning">
          Rows of this correction changed after it was proposed, so it can no longer be accepted. Rows that are still
          errored can be corrected again.
        </Notice>
      );
    default:
      break;
  }
  if (proposes)
    return <Notice>Awaiting the manager’s decision. The tape does not change until the manager accepts.</Notice>;
  if (problem) return <Notice tone="danger">The result cannot be calculated: {problem}</Notice>;
  if (!outcome)
    return <Notice>Awaiting a decision by one of the manager’s users with permission to edit assets.</Notice>;
  return <OutcomeNotice when="If accepted" outcome={outcome} />;
}
