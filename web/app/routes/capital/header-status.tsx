import { useActionData } from '@remix-run/react';
import type { IssueState } from '@tapeline/db/operations/capital/issue-approval.ts';
import type { Deliveries } from '@tapeline/db/operations/outbox/deliveries.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { AskOnPage } from '../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { loadedPart, ShownPart } from '../../components/page/loaded-part.tsx';
import { Notice } from '../../components/page/notice.tsx';
import type { ActionAnswer } from '../../http/screen.server.ts';
import { IssueButton } from './second-person.tsx';
import { otherValue, type Stepped } from './stepped.ts';
import type { IssueReview } from './told.server.ts';
import { WhoIsToldSection } from './who-is-told.tsx';

const REMOVAL_FORM = loadedPart(() => import('./removal-form.tsx').then((part) => part.RemovalForm));

const questionsOf = ({ noun, label, drafts, issued, netted }: Stepped) => ({
  issue: {
    intent: 'issue',
    title: netted ? `Issue ${label} and ${netted.name}?` : `Issue ${label}?`,
    consequence: netted
      ? `Each investor sees both with its net amount, and gets one notice. They count with their full amounts, and what is owed is the net amount. Both can then only be closed, or withdrawn together with a reason.`
      : `${drafts === 1 ? 'Its investor sees' : `Its ${drafts} investors see`} the ${noun}, and it counts from its cut-off date on. It can then only be closed, or removed with a reason.`,
    confirm: netted ? 'Issue both' : 'Issue',
  },
  close: {
    intent: 'close',
    title: `Close ${label}?`,
    consequence: `${issued === 1 ? 'One document is' : `${issued} documents are`} settled. All figures stay the same.`,
    confirm: 'Close',
  },
});

/** Whether all of it is a draft, or issued and not closed, so that it can be changed as a whole. */
const isOne = ({ drafts, issued, investors }: Stepped): boolean => drafts === investors || issued === investors;

/**
 * The buttons that change, issue, close or remove what was entered together.
 * @param removeTo where the reason is asked
 * @param issueTo where the page says who is told
 */
export function HeaderButtons({
  header,
  removeTo,
  editTo,
  issueTo,
  secondPerson,
}: {
  header: Stepped;
  removeTo: string;
  editTo: string;
  issueTo: string;
  /** Who prepared it, of a draft. */
  secondPerson: IssueState | null;
}) {
  const { close } = questionsOf(header);
  const values = { headerVersion: String(header.version) };
  return (
    <>
      <LinkButton to={removeTo}>Remove</LinkButton>
      {isOne(header) && !(header.netted && header.issued > 0) ? (
        <LinkButton to={editTo}>{header.issued > 0 ? 'Change' : 'Edit'}</LinkButton>
      ) : null}
      {header.issued > 0 ? <ConfirmForm {...close} values={values} label="Close" tone="primary" /> : null}
      {header.drafts > 0 ? <IssueButton state={secondPerson} issueTo={issueTo} values={values} /> : null}
    </>
  );
}

/**
 * What the address asks about (`?ask=`), and why the last step was refused.
 * @param review who is told when it is issued, if that is asked
 * @param deliveries the emails about it
 */
export function HeaderQuestion({
  header,
  ask,
  review,
  deliveries,
  backTo,
}: {
  header: Stepped;
  ask: string | null;
  review: IssueReview | null;
  deliveries: Deliveries;
  backTo: string;
}) {
  const answer = useActionData<ActionAnswer>();
  const problem = answer && answer.intent !== 'remove' ? answer.lastResult.error : null;
  const questions = questionsOf(header);
  const question = ask === 'issue' || ask === 'close' ? questions[ask] : null;
  return (
    <>
      {problem ? <Notice tone="danger">{String(Object.values(problem).flat()[0] ?? '')}</Notice> : null}
      {review && 'problem' in review && !problem ? <Notice tone="danger">{review.problem}</Notice> : null}
      {question ? (
        <AskOnPage
          {...question}
          values={{
            headerVersion: String(header.version),
            ...(header.netted && ask === 'issue' ? { other: otherValue(header.netted) } : {}),
          }}
          backTo={backTo}
        />
      ) : null}
      {review && 'who' in review ? (
        <>
          {review.warnings.map((warning) => (
            <Notice key={warning} tone="warning">
              {warning}
            </Notice>
          ))}
          <WhoIsToldSection who={review.who} />
        </>
      ) : null}
      {ask === 'remove' ? <ShownPart of={REMOVAL_FORM} header={header} told={deliveries.told} backTo={backTo} /> : null}
    </>
  );
}
