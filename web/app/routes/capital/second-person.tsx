import { Link } from '@remix-run/react';
import type { IssueState } from '@tapeline/db/operations/capital/issue-approval.ts';
import type { SetToIssue } from '@tapeline/db/operations/capital/issue-reviews.ts';
import type { ApprovalKind } from '@tapeline/domain/approvals/approval-kinds.ts';
import type { ReactNode } from 'react';
import { DateText } from '../../components/figures/figures.tsx';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { paths } from '../../paths.ts';

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
function secondPersonText(state: IssueState, what: string): ReactNode {
  const { isOwn, submittedAt, returned, preparedBy } = state;
  if (returned && isOwn) {
    return (
      <>
        {returned.by ?? 'Somebody'} returned {what} on <DateText value={returned.at} />: {returned.reason} Change it if
        needed, then submit it again.
      </>
    );
  }
  if (isOwn && submittedAt !== null) {
    return (
      <>
        You submitted {what} on <DateText value={submittedAt} />. Somebody else must issue it. If you change it, submit
        it again.
      </>
    );
  }
  if (isOwn) return `You prepared ${what}, so somebody else must issue it. Submit it when it is complete.`;
  const who = preparedBy ?? 'Somebody';
  return submittedAt === null
    ? `${who} prepared ${what} and has not submitted it yet.`
    : `${who} prepared ${what}. You can issue it, or return it with a reason.`;
}

const SETS: Readonly<Record<SetToIssue['table'], { kind: ApprovalKind; noun: string; it: string }>> = {
  write_offs: { kind: 'writeOff', noun: 'write-off', it: 'it' },
  navs: { kind: 'navs', noun: 'NAVs', it: 'them' },
  capital_accounts: { kind: 'statements', noun: 'capital account statements', it: 'them' },
};

/** Whether the person finds a draft that needs a second person in Approvals: others only once it is submitted. */
export const isInApprovals = ({ isOwn, submittedAt }: IssueState): boolean => isOwn || submittedAt !== null;

/** The drafts of a fund that need a second person: they are submitted, returned and issued in Approvals. */
export function SetNotices({ sets }: { sets: readonly SetToIssue[] }) {
  return sets.map(({ table, id, cutOffDate, state }) => {
    const { kind, noun, it } = SETS[table];
    const what = (
      <>
        the {noun} of <DateText value={cutOffDate} />
      </>
    );
    const who = state.preparedBy ?? 'Somebody';
    return (
      <Notice
        key={id}
        tone={state.isOwn && state.returned ? 'warning' : 'info'}
        action={isInApprovals(state) ? <Link to={paths.approval(kind, id)}>Open in Approvals</Link> : undefined}
      >
        {state.isOwn && state.returned ? (
          <>
            {state.returned.by ?? 'Somebody'} returned {what}: {state.returned.reason} Change {it} if needed, then
            submit {it} again.
          </>
        ) : state.isOwn ? (
          <>
            You prepared {what}, so somebody else must issue {it}.{' '}
            {state.submittedAt === null ? `Submit ${it} when complete.` : null}
          </>
        ) : (
          <>
            {who} prepared {what}
            {state.submittedAt === null
              ? ` and has not submitted ${it} yet.`
              : `. You can issue ${it}, or return ${it} with a reason.`}
          </>
        )}
      </Notice>
    );
  });
}

export function SecondPersonNotice({
  state,
  what,
  approveAt,
}: {
  state: IssueState | null;
  /** "this call", or what it is netted with: "distribution 4". */
  what: string;
  approveAt: string;
}) {
  if (!state?.isNeeded) return null;
  const isAsked = !state.isOwn && state.submittedAt !== null;
  return (
    <Notice
      tone={state.isOwn && state.returned ? 'warning' : 'info'}
      action={isAsked ? <Link to={approveAt}>Open in Approvals</Link> : undefined}
    >
      {secondPersonText(state, what)}
    </Notice>
  );
}
