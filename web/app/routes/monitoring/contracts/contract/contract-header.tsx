import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { AskOnPage } from '../../../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../../../components/overlays/confirm-form.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { paths } from '../../../../paths.ts';
import type { ContractView } from '../contract-view.server.ts';

/** What each irreversible step does, asked before it runs. */
const QUESTIONS = {
  activate: {
    label: 'Activate',
    title: 'Activate this contract?',
    consequence:
      'It applies to borrowing bases of tapes from its cut-off date and can no longer be edited. An active contract with the same cut-off date is closed.',
    confirm: 'Activate',
    tone: 'primary',
  },
  close: {
    label: 'Close',
    title: 'Close this contract?',
    consequence: 'It no longer applies to new borrowing bases. Existing borrowing bases do not change.',
    confirm: 'Close contract',
    tone: 'danger',
  },
  deleteDraft: {
    label: 'Delete draft',
    title: 'Delete this draft?',
    consequence: 'Its rules are permanently deleted. Other contracts are not affected.',
    confirm: 'Delete',
    tone: 'danger',
  },
} as const;
type Question = keyof typeof QUESTIONS;

function Ask({
  question,
  contract,
  primary = false,
}: {
  question: Question;
  contract: ContractView;
  primary?: boolean;
}) {
  return (
    <ConfirmForm
      intent={question}
      values={{ version: String(contract.version) }}
      {...QUESTIONS[question]}
      buttonTone={primary ? 'primary' : 'plain'}
    />
  );
}

function Actions({ contract }: { contract: ContractView }) {
  const { id, status, before, canWrite } = contract;
  return (
    <>
      {before && !contract.changes ? (
        <LinkButton to={paths.contract(id, { tab: contract.section, compare: 'yes' })}>
          Compare with v{before.revision}
        </LinkButton>
      ) : null}
      {canWrite && status === 'Draft' ? (
        <>
          <Ask question="deleteDraft" contract={contract} />
          <LinkButton to={paths.contract(id, { tab: contract.section, edit: 'details' })}>Edit details</LinkButton>
          <Ask question="activate" contract={contract} primary />
        </>
      ) : null}
      {canWrite && status === 'Active' ? <Ask question="close" contract={contract} /> : null}
      {canWrite && status !== 'Draft' ? (
        <ActionForm intent="newVersion" tone="primary">
          New version
        </ActionForm>
      ) : null}
    </>
  );
}

export function ContractHeader({ contract }: { contract: ContractView }) {
  const { transaction, noteTitle, cutOffDate, mapping, title } = contract;
  const asked = contract.confirm && contract.confirm in QUESTIONS ? (contract.confirm as Question) : null;
  return (
    <>
      <PageHeader
        title={`Contract v${contract.revision}`}
        chip={<StatusChip dot status={contract.status} />}
        facts={[
          <>
            <Name>{transaction.title}</Name>, <b>{noteTitle}</b>
          </>,
          ...(title ? [title] : []),
          <>
            effective cut-off{' '}
            <b>
              <DateText value={cutOffDate} />
            </b>
          </>,
          mapping ? (
            <>
              mapping <b>v{mapping.version}</b>
            </>
          ) : (
            'mapping not found'
          ),
        ]}
        actions={<Actions contract={contract} />}
      />
      {asked ? (
        <AskOnPage
          intent={asked}
          values={{ version: String(contract.version) }}
          {...QUESTIONS[asked]}
          backTo={paths.contract(contract.id)}
        />
      ) : null}
    </>
  );
}
