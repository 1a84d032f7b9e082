import { Link } from '@remix-run/react';
import type { IssueState } from '@tapeline/db/operations/capital/issue-approval.ts';
import type { ReactNode } from 'react';
import { DateText } from '../../components/figures/figures.tsx';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { Notice } from '../../components/page/notice.tsx';

/** Issues a draft, or submits it for somebody else who does. Nothing while it waits for that. */
export function IssueButton({
  state,
  issueTo,
  values,
}: {
  state: IssueState | null;
  issueTo: string;
  values: Record<string, string>;
}) {
  if (state?.isNeeded && state.isOwn) {
    if (state.submittedAt !== null) return null;
    return (
      <ActionForm intent="submit" values={values} tone="primary">
        Submit
      </ActionForm>
    );
  }
  return (
    <LinkButton to={issueTo} tone="primary">
      Issue
    </LinkButton>
  );
}

/** What a draft says of the second person that it needs, for who prepared it and for the others. */
function secondPersonText(state: IssueState, noun: string): ReactNode {
  const { isOwn, submittedAt, returned, preparedBy } = state;
  if (returned && isOwn) {
    return (
      <>
        {returned.by ?? 'Somebody'} returned this {noun} on <DateText value={returned.at} />: {returned.reason} Change
        it if needed, then submit it again.
      </>
    );
  }
  if (isOwn && submittedAt !== null) {
    return (
      <>
        You submitted this {noun} on <DateText value={submittedAt} />. Somebody else must issue it. If you change it,
        submit it again.
      </>
    );
  }
  if (isOwn) return `You prepared this ${noun}, so somebody else must issue it. Submit it when it is complete.`;
  const who = preparedBy ?? 'Somebody';
  return submittedAt === null
    ? `${who} prepared this ${noun} and has not submitted it yet.`
    : `${who} prepared this ${noun}. You can issue it, or return it with a reason.`;
}

export function SecondPersonNotice({
  state,
  noun,
  approveAt,
}: {
  state: IssueState | null;
  noun: string;
  approveAt: string;
}) {
  if (!state?.isNeeded) return null;
  const isAsked = !state.isOwn && state.submittedAt !== null;
  return (
    <Notice
      tone={state.isOwn && state.returned ? 'warning' : 'info'}
      action={isAsked ? <Link to={approveAt}>Open in Approvals</Link> : undefined}
    >
      {secondPersonText(state, noun)}
    </Notice>
  );
}
