import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ReactNode } from 'react';
import { writtenAmount } from '../../../../components/figures/format.ts';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { Button, LinkButton } from '../../../../components/forms/button.tsx';
import { ConfirmedAction, QuestionFacts } from '../../../../components/overlays/confirmed-action.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { paths } from '../../../../paths.ts';
import { approvalBlock } from './approval-block.ts';
import type { DrawPage } from './draw-page.server.ts';

export function Actions({ page }: { page: DrawPage }) {
  return (
    <>
      {page.mayRemove ? (
        <LinkButton to={paths.draw(page.id, { confirm: 'remove' })} tone="quiet">
          {page.mayDecide || !page.isOpen ? 'Remove' : 'Withdraw'}
        </LinkButton>
      ) : null}
      {page.mayChange ? <LinkButton to={paths.editDraw(page.id)}>Change</LinkButton> : null}
      {page.mayDecide ? (
        // On a phone they stay in view above the bottom bar.
        <span className="flex flex-wrap items-center gap-2 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-14 max-sm:z-20 max-sm:grid max-sm:grid-cols-2 max-sm:border-t max-sm:border-line max-sm:bg-paper max-sm:px-4 max-sm:py-2.5 max-sm:[&_a]:w-full max-sm:[&_button]:w-full">
          <LinkButton to={paths.draw(page.id, { confirm: 'reject' })}>Reject</LinkButton>
          <Approve page={page} />
        </span>
      ) : null}
    </>
  );
}

/** What is approved, by when, who is told and what did not pass. */
function approvalFacts(page: DrawPage): [string, ReactNode][] {
  const skipped = page.exceptions.filter(({ status }) => status === 'Skipped');
  const amounts = page.draws.flatMap(({ type, amounts }) =>
    amounts.map((amount) => `${writtenAmount(amount)}, ${type}`),
  );
  return [
    [amounts.length === 1 ? 'Amount' : 'Amounts', amounts.join('; ')],
    ['Due', formatCalendarDate(page.dueDate)],
    ['Note', `${page.noteTitle}, ${page.transactionTitle}`],
    ['Told by email', `The users of ${page.companyName} and of the manager`],
    ['Not passed', skipped.length === 0 ? 'None' : skipped.map(({ exception }) => exception.message).join('; ')],
  ];
}

function Approve({ page }: { page: DrawPage }) {
  const block = approvalBlock(page);
  if (block !== null) {
    return (
      <span className="flex items-center gap-2 max-sm:contents">
        <span
          id="approval-block"
          className="max-w-60 text-xs text-ink-2 max-sm:order-first max-sm:col-span-2 max-sm:max-w-none"
        >
          {page.isOwn ? 'Someone else must approve it' : 'Exceptions are pending'}
        </span>
        <Button tone="primary" disabled aria-describedby="approval-block">
          Approve
        </Button>
      </span>
    );
  }
  return (
    <ConfirmedAction
      asks="approve"
      intent="approve"
      values={{ drawVersion: String(page.version) }}
      label="Approve"
      title={`Approve draw ${page.code}?`}
      consequence={<QuestionFacts lines={approvalFacts(page)} />}
      confirm="Approve the draw"
      tone="primary"
      buttonTone="primary"
    />
  );
}

export function RemoveForm({ page }: { page: DrawPage }) {
  return (
    <Notice
      tone="warning"
      action={
        <span className="flex gap-2">
          <ActionForm intent="remove" values={{ drawVersion: String(page.version) }} tone="danger">
            Remove the draw
          </ActionForm>
          <LinkButton to={paths.draw(page.id)} tone="quiet">
            Cancel
          </LinkButton>
        </span>
      }
    >
      Remove this draw request? It no longer counts in any check. Its history is kept.
    </Notice>
  );
}
