import { Money } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { ConfirmedAction, QuestionFacts } from '../../../../components/overlays/confirmed-action.tsx';
import { paths } from '../../../../paths.ts';
import type { CertificationPage } from './certification-page.server.ts';

/** What the borrower can do: confirm our figures or give its own, until a certificate of the base waits or is accepted. */
export function BorrowerActions({ page: { base, all } }: { page: CertificationPage }) {
  const latest = all[0];
  const isOpen = latest?.status === 'Draft' || latest?.status === 'Disputed';
  const isCertified = latest !== undefined && !isOpen && latest.baseId === base.id && latest.status !== 'Superseded';
  if (isCertified || base.latest !== null) return null;
  return (
    <>
      <LinkButton to={paths.ownFigures(base.id)}>
        {latest?.status === 'Draft' && latest.isOwnFigures ? 'Edit own figures' : 'Give own figures'}
      </LinkButton>
      {latest?.status === 'Draft' && !latest.isOwnFigures && latest.baseId === base.id ? null : (
        <ActionForm intent="confirm" tone={latest?.status === 'Draft' ? 'plain' : 'primary'}>
          Confirm calculated figures
        </ActionForm>
      )}
    </>
  );
}

/** What the lender can do: review what was submitted, and accept it. */
export function LenderActions({ page }: { page: CertificationPage }) {
  const { shown, summary, netBase, base, isOwn } = page;
  if (shown?.status === 'Submitted') {
    return (
      <ActionForm intent="review" values={{ certificate: shown.id }} tone="primary">
        Start review
      </ActionForm>
    );
  }
  if (shown?.status !== 'InReview' || isOwn || !base.isLatest) return null;
  return (
    <ConfirmedAction
      asks="accept"
      intent="accept"
      values={{ certificate: shown.id }}
      label="Accept"
      tone="primary"
      buttonTone="primary"
      title="Accept this certificate?"
      consequence={
        <QuestionFacts
          lines={[
            ['Net base', <Money key="net" value={netBase} withCurrency />],
            ['Certified by', `${shown.name}, ${shown.title}`],
            [
              'Differences',
              summary.differing === 0
                ? 'none'
                : `${formatCount(summary.differing, 'line')}, ${summary.unexplained} not explained`,
            ],
            ['Then', 'The PDF is sealed, and the borrower is told. It cannot be undone.'],
          ]}
        />
      }
      confirm="Accept and seal"
    />
  );
}
