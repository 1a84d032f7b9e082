import { Link } from '@remix-run/react';
import type { TermsProposal } from '@tapeline/db/operations/funds/terms-approval.ts';
import { DateText } from '../../../components/figures/figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';

/** A change of terms that waits for a second person, or that was returned. */
export function ProposedTerms({
  proposal,
  to,
}: {
  proposal: Omit<TermsProposal, 'terms'> | null;
  /** Its place in Approvals. */
  to: string;
}) {
  if (proposal === null) return null;
  const { isOwn, returned, preparedBy, submittedAt } = proposal;
  if (submittedAt === null) {
    return returned && isOwn ? (
      <Notice tone="warning">
        {returned.by ?? 'Somebody'} returned your change of terms on <DateText value={returned.at} />: {returned.reason}{' '}
        Enter it again if needed.
      </Notice>
    ) : null;
  }
  return (
    <Notice tone="info" action={<Link to={to}>Open in Approvals</Link>}>
      {isOwn ? 'You' : (preparedBy ?? 'Somebody')} proposed a change of these terms on <DateText value={submittedAt} />.{' '}
      {isOwn ? 'Somebody else must confirm it.' : 'You can confirm it, or return it with a reason.'} The terms below
      apply until then.
    </Notice>
  );
}
