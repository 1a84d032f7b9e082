import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { changeRepayments, getRepayment } from '@tapeline/db/operations/repayments/repayments.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { REPAYMENT_KIND_LABELS } from '@tapeline/domain/repayments/kinds.ts';
import { REPAYMENT_TRANSITIONS } from '@tapeline/domain/repayments/states.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { IntentForm } from '../../../components/forms/intent-form.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Columns, PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { removalSchema } from './repayment-form.ts';

const titleOf = ({ code, cutOffDate }: { code: number; cutOffDate: string }) =>
  `Repayment ${code} of ${formatCalendarDate(cutOffDate)}`;

export const handle = named<typeof loader>(({ title }) => [title]);

export const loader = readScreen('repayments/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const repayment = await getRepayment(session, params.id ?? '');
    return {
      ...pick(repayment, 'id', 'version', 'status', 'transactionId', 'transactionTitle', 'noteId', 'noteTitle'),
      title: titleOf(repayment),
      scheduled: repayment.scheduled,
      invoiceId: repayment.invoiceId ?? null,
      parts: repayment.repayments,
      valueInUsd: repayment.valueInUsd ?? null,
      amountInMainCurrency: repayment.amountInMainCurrency ?? null,
      removalReason: repayment.removalReason ?? null,
      recordedAt: repayment.metadata.iat,
      mayReadTransaction: can(actor, 'transactions/read'),
      mayRemove:
        can(actor, 'repayments/write') &&
        actor.type !== 'company' &&
        !repayment.invoiceId &&
        REPAYMENT_TRANSITIONS.allows(repayment.status, 'Removed'),
      history: await documentHistory(session, [{ resource: 'repayments', ids: [repayment.id] }], url.searchParams),
    };
  }),
);

export const action = act({
  remove: intent({
    permission: 'repayments/write',
    schema: removalSchema,
    async run({ removalReason, repaymentVersion: version }, { db, params: { id = '' } }) {
      await db((session) => changeRepayments(session, [{ id, version, status: 'Removed', removalReason }]));
      return redirect(paths.repayment(id));
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function RemoveRepayment({ page }: { page: Page }) {
  return (
    <PanelSection title="Remove" note="Its principal is added to the balance again; the history keeps it" padded>
      <IntentForm
        intent="remove"
        sent={{ repaymentVersion: page.version }}
        lines={[{ name: 'removalReason', label: 'Reason', autoComplete: 'off' }]}
        submit="Remove repayment"
        submitting="Removing"
        tone="danger"
      />
    </PanelSection>
  );
}

export default function RepaymentScreen() {
  const page = useLoaderData<typeof loader>();
  const { title, status, transactionId, transactionTitle, noteId, noteTitle, parts, amountInMainCurrency } = page;
  return (
    <>
      <PageHeader
        title={title}
        chip={<StatusChip dot status={status} />}
        facts={[
          `${transactionTitle}, ${noteTitle}`,
          <>
            recorded <DateText value={page.recordedAt} />
          </>,
          ...(page.scheduled ? ['the principal was due'] : []),
          ...(page.invoiceId ? ['interest paid in kind: added to the principal'] : []),
        ]}
        actions={
          <>
            {page.invoiceId ? <LinkButton to={paths.invoice(page.invoiceId)}>Show the invoice</LinkButton> : null}
            {page.mayReadTransaction ? (
              <LinkButton to={paths.transaction(transactionId, { note: noteId })}>Show the note</LinkButton>
            ) : null}
          </>
        }
      />
      {page.removalReason ? <Notice tone="warning">Removed: {page.removalReason}</Notice> : null}
      <KeyFigures
        figures={[
          {
            label: 'Amount',
            value: <Money value={amountInMainCurrency} unknown="The table of rates lacks a currency" zero="figure" />,
            unit: amountInMainCurrency?.currency,
            note: 'in the main currency of the note, at the rates of the day it was recorded',
          },
          {
            label: 'Value',
            value: <Money value={page.valueInUsd} unknown="The table of rates lacks a currency" zero="figure" />,
            unit: 'USD',
          },
        ]}
      />
      <Columns>
        <TableSection
          title={page.invoiceId ? 'Paid in kind' : 'Received'}
          caption="Parts of the repayment"
          rows={parts.map((part, index) => ({ ...part, key: String(index) }))}
          rowKey={(part) => part.key}
          columns={[
            { head: 'Pays', cell: (part) => labelOf(REPAYMENT_KIND_LABELS, part.kind) },
            { head: 'Amount', money: (part) => part.amount, withCurrency: true },
          ]}
        />
        {page.mayRemove ? <RemoveRepayment page={page} /> : null}
      </Columns>
      {page.history ? <HistorySection history={page.history} all={{ resource: 'repayments', id: page.id }} /> : null}
    </>
  );
}
