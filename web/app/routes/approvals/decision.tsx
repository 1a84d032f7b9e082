import { ActionForm } from '../../components/forms/action-form.tsx';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { ConfirmedAction } from '../../components/overlays/confirmed-action.tsx';
import { loadedPart, ShownPart } from '../../components/page/loaded-part.tsx';
import { paths } from '../../paths.ts';
import { issueIntent, termsIntent } from './approval-words.ts';
import type { ApprovalPanel } from './approvals.server.ts';

// Their fields are loaded where a reason is asked, and not with every request.
const REJECT_FORM = loadedPart(() => import('./decision-forms.tsx').then((part) => part.RejectForm));
const CONFIRM_FORM = loadedPart(() => import('./decision-forms.tsx').then((part) => part.ConfirmAccountForm));

/** Approve and reject, each asked once. What makes approval impossible is stated below the button. */
export function DecisionForms({ panel }: { panel: ApprovalPanel }) {
  const { approval, details, search, ask, page, block, question } = panel;
  const { kind, id } = approval;
  const here = paths.approval(kind, id, search);
  const isReturned =
    'mustSubmit' in details && details.secondPerson?.submittedAt != null && !details.secondPerson.isOwn;
  const isTerms = 'changes' in details;
  const isReturnable = isReturned || (isTerms && details.isOpen && !details.isOwn);
  const isDeclinable = (details.kind === 'adjustment' || details.kind === 'waiver') && details.isOpen && !details.isOwn;
  const rejects = kind === 'draw' || kind === 'correction' || isDeclinable || isReturnable;
  const submits =
    'mustSubmit' in details && details.mustSubmit && details.secondPerson?.submittedAt === null
      ? issueIntent('submit', details.kind)
      : null;
  const toReject = paths.approval(kind, id, { ...search, ask: 'reject' });
  if (details.kind === 'payoutAccount') {
    if (details.request && ask === 'reject') return <ShownPart of={REJECT_FORM} panel={panel} backTo={here} />;
    return (
      <ShownPart
        of={CONFIRM_FORM}
        block={block}
        page={page}
        contacts={details.contacts}
        today={panel.today}
        toReject={details.request ? toReject : null}
      />
    );
  }
  if (question === null) return null;
  const values = {
    seenVersion: String('version' in details ? details.version : 0),
    ...('netted' in details && details.netted ? { other: details.netted.sent } : {}),
  };
  if (rejects && ask === 'reject') return <ShownPart of={REJECT_FORM} panel={panel} backTo={here} />;
  return (
    <>
      <div className="flex flex-wrap gap-2 [&>*]:flex-auto [&_button]:w-full">
        {rejects ? (
          <LinkButton to={toReject} preventScrollReset>
            {isReturnable ? 'Return' : kind === 'draw' ? 'Reject' : 'Decline'}
          </LinkButton>
        ) : (
          <LinkButton to={page}>Change or remove</LinkButton>
        )}
        {isTerms && details.isOwn && details.isOpen ? (
          <ActionForm intent={termsIntent('withdraw', details.kind)} action={here} values={values}>
            Withdraw
          </ActionForm>
        ) : null}
        {submits !== null ? (
          <ActionForm intent={submits} action={here} values={values} tone="primary">
            Submit
          </ActionForm>
        ) : block === null ? (
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
