import { DateText, Name } from '../../components/figures/figures.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { ActionForm } from '../../components/forms/screen-form.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import type { ContractView } from '../../contracts/contract-view.server.ts';
import { paths } from '../../paths.ts';

/** What each irreversible step does, asked before it is done. */
const QUESTIONS = {
  activate: {
    label: 'Make active',
    title: 'Make this contract active?',
    consequence:
      'Borrowing bases of tapes from its cut-off date on are calculated under it, and it can no longer be edited. An active contract of the same cut-off date is closed.',
    confirm: 'Make active',
  },
  close: {
    label: 'Close',
    title: 'Close this contract?',
    consequence: 'It no longer applies to any tape. Borrowing bases made under it stay as they are.',
    confirm: 'Close it',
  },
  deleteDraft: {
    label: 'Delete draft',
    title: 'Delete this draft?',
    consequence: 'Its rules are gone for good. Contracts that were in force are not touched.',
    confirm: 'Delete',
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
      values={question === 'activate' ? { version: String(contract.version) } : {}}
      {...QUESTIONS[question]}
      tone={question === 'activate' ? 'primary' : 'danger'}
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
            effective from cut-off{' '}
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
        <Notice
          tone="warning"
          action={
            <ActionForm
              intent={asked}
              values={{ confirmed: 'yes', version: String(contract.version) }}
              action={paths.contract(contract.id)}
              tone={asked === 'activate' ? 'primary' : 'danger'}
            >
              {QUESTIONS[asked].confirm}
            </ActionForm>
          }
        >
          <b>{QUESTIONS[asked].title}</b> {QUESTIONS[asked].consequence}
        </Notice>
      ) : null}
    </>
  );
}
