import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { getDraw } from '@tapeline/db/operations/draws/draw-views.ts';
import { DRAW_EXCEPTION_MESSAGES } from '@tapeline/domain/draws/draw.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { changeDraw, recheck, withdrawDraws } from '../../../../commands/draws.server.ts';
import { DateText, Money, Percent } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { ActionProblems } from '../../../../components/forms/action-problems.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { IntentForm } from '../../../../components/forms/intent-form.tsx';
import { ActionForm } from '../../../../components/forms/screen-form.tsx';
import { HistorySection } from '../../../../components/history/changes-table.tsx';
import { AttachedFiles } from '../../../../components/page/attached-files.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { KeyFigures } from '../../../../components/page/key-figures.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Columns, PanelSection, Section } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { act, intent, readScreen, type Screen } from '../../../../http/screen.server.ts';
import { originOf } from '../../../../http/session.server.ts';
import { paths } from '../../../../paths.ts';
import { deliveryIntents } from '../../../capital/delivery-intents.server.ts';
import { Deliveries } from '../../../capital/who-is-told.tsx';
import { DrawAvailability } from '../availability.tsx';
import { CheckTable } from '../check-table.tsx';
import { rejectSchema, skipSchema, undoSchema, versionedSchema } from './draw-acts.ts';
import { type DrawPage, viewDraw } from './draw-page.server.ts';
import { CheckExceptions, type SkipAnswer } from './exceptions.tsx';

export const handle = named<typeof loader>(
  ({ code }) => [`Draw ${code}`],
  ({ code, companyName }) => `Draw ${code}, ${companyName}`,
);

export const loader = readScreen('transactionDraw/read', viewDraw);

const callerOf = ({ context, actor, request }: Screen) => ({ context, actor, origin: originOf(request, context) });

/** Changes the status of one exception, and keeps those of the others. */
async function setException(
  screen: Screen,
  form: { index: number; drawVersion: number },
  next: { status: 'Pending' | 'Skipped'; reason?: string },
): Promise<null> {
  const id = screen.params.id ?? '';
  const { exceptions } = await screen.db((session) => getDraw(session, id));
  if (form.index >= exceptions.length) throw new Refusal('badRequest', 'This exception no longer exists');
  await changeDraw(callerOf(screen), id, {
    version: form.drawVersion,
    exceptions: exceptions.map(({ status, reason }, at) =>
      at === form.index ? next : { status, reason: reason ?? undefined },
    ),
  });
  return null;
}

const permission = 'transactionDraw/write';

export const action = act({
  skip: intent({
    permission,
    schema: skipSchema,
    run: (form, screen) => setException(screen, form, { status: 'Skipped', reason: form.reason }),
  }),
  undo: intent({
    permission,
    schema: undoSchema,
    run: (form, screen) => setException(screen, form, { status: 'Pending' }),
  }),
  approve: intent({
    permission,
    schema: versionedSchema,
    async run({ drawVersion: version }, screen) {
      await changeDraw(callerOf(screen), screen.params.id ?? '', { version, status: 'Approved' });
      return null;
    },
  }),
  reject: intent({
    permission,
    schema: rejectSchema,
    async run({ drawVersion: version, rejectionMessage }, screen) {
      const id = screen.params.id ?? '';
      await changeDraw(callerOf(screen), id, { version, reject: true, rejectionMessage });
      return redirect(paths.draw(id));
    },
  }),
  remove: intent({
    permission,
    schema: versionedSchema,
    async run(_, screen) {
      await withdrawDraws(callerOf(screen), [screen.params.id ?? '']);
      return redirect(paths.draws());
    },
  }),
  recheck: intent({
    permission,
    schema: versionedSchema,
    async run({ drawVersion: version }, screen) {
      await recheck(callerOf(screen), { drawId: screen.params.id ?? '', version });
      return null;
    },
  }),
  ...deliveryIntents({
    permission,
    documents: async (session, id) => ({ resource: 'draws', ids: [(await getDraw(session, id)).id] }),
    pathOf: (id) => paths.draw(id),
  }),
});

const pendingOf = ({ exceptions }: DrawPage) => exceptions.filter(({ status }) => status === 'Pending');

/** Why the actor cannot approve now; null if they can. */
function approvalBlock(page: DrawPage): string | null {
  const pending = pendingOf(page).length;
  if (page.isOwn) return 'You requested or last changed this draw, so someone else must approve it.';
  if (pending > 0) {
    return `${formatCount(pending, 'exception is', 'exceptions are')} pending. Skip each with a reason to approve the draw, or reject it.`;
  }
  return null;
}

function Actions({ page }: { page: DrawPage }) {
  const values = { drawVersion: String(page.version) };
  return (
    <>
      {page.mayRemove ? (
        <LinkButton to={paths.draw(page.id, { confirm: 'remove' })} tone="quiet">
          {page.mayDecide || !page.isOpen ? 'Remove' : 'Withdraw'}
        </LinkButton>
      ) : null}
      {page.mayChange ? <LinkButton to={paths.editDraw(page.id)}>Change</LinkButton> : null}
      {page.mayDecide ? <LinkButton to={paths.draw(page.id, { confirm: 'reject' })}>Reject</LinkButton> : null}
      {page.mayDecide && approvalBlock(page) === null ? (
        <ActionForm intent="approve" values={values} tone="primary">
          Approve
        </ActionForm>
      ) : null}
    </>
  );
}

function RejectForm({ page }: { page: DrawPage }) {
  return (
    <PanelSection title="Reject this draw" padded className="max-w-[46rem]">
      <IntentForm
        intent="reject"
        schema={rejectSchema}
        shouldValidate="onSubmit"
        sent={{ drawVersion: page.version }}
        lines={[
          {
            name: 'rejectionMessage',
            label: 'Reason',
            hint: 'The borrower sees it, and its users get it by email',
            rows: 3,
            autoFocus: true,
          },
        ]}
        submit="Reject the draw"
        submitting="Rejecting"
        tone="danger"
        cancelTo={paths.draw(page.id)}
      />
    </PanelSection>
  );
}

function RemoveForm({ page }: { page: DrawPage }) {
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

function Notices({ page }: { page: DrawPage }) {
  const block = page.mayDecide ? approvalBlock(page) : null;
  const [first] = pendingOf(page);
  const index = page.checked?.checks.findIndex(({ message }) => message === first?.exception.message) ?? -1;
  return (
    <>
      {page.jobFailure ? <Notice tone="warning">{page.jobFailure}</Notice> : null}
      {page.status === 'Rejected' ? <Notice tone="danger">Rejected: {page.rejectionMessage}</Notice> : null}
      {page.hasChanged ? (
        <Notice
          tone="info"
          action={
            page.mayDecide ? (
              <ActionForm intent="recheck" values={{ drawVersion: String(page.version) }} tone="quiet">
                Run the checks again
              </ActionForm>
            ) : null
          }
        >
          The note has changed since the checks ran. The figures and exceptions below are those of now.
          {page.mayDecide ? ' Run the checks again to skip exceptions.' : ''}
        </Notice>
      ) : null}
      {block ? (
        <Notice tone="warning" action={index >= 0 ? <a href={`#check-${index + 1}`}>Go to check {index + 1}</a> : null}>
          {block}
        </Notice>
      ) : null}
    </>
  );
}

function Amounts({ page }: { page: DrawPage }) {
  const main = page.amountInMainCurrency?.currency ?? page.checked?.figures.mainCurrency ?? null;
  return (
    <TableSection
      title="Amounts"
      note={`Valued at the rates of the cut-off date`}
      caption="Amounts by draw type"
      rows={page.draws}
      rowKey={(row) => row.type}
      columns={[
        { head: 'Draw type', cell: (row) => row.type, total: `Draw ${page.code}` },
        {
          head: 'Requested',
          numeric: true,
          cell: (row) =>
            row.amounts.map((amount, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the amounts of a draw have no id
              <span key={at} className="block">
                <Money value={amount} withCurrency />
              </span>
            )),
        },
        { head: 'In USD', money: (row) => row.valueInUSD, unknown: 'A rate is missing', total: page.valueInUsd },
        {
          head: main ? `In ${main}, main currency` : 'In the main currency',
          money: (row) => row.amountInMainCurrency,
          unknown: 'A rate is missing',
          total: page.amountInMainCurrency,
        },
      ]}
    />
  );
}

function Figures({ page }: { page: DrawPage }) {
  const figures = page.checked?.figures;
  const pending = pendingOf(page).length;
  const skipped = page.exceptions.length - pending;
  const unit = figures?.mainCurrency ?? null;
  const commitments = figures?.commitments;
  const after = figures?.balance.after;
  const share =
    commitments && after && Number(commitments.sum) > 0 ? (Number(after.sum) / Number(commitments.sum)) * 100 : null;
  return (
    <KeyFigures
      figures={[
        {
          label: 'Requested, main currency',
          value: <Money value={page.amountInMainCurrency} unknown="A rate is missing" />,
          unit: page.amountInMainCurrency?.currency ?? null,
          note: formatCount(page.draws.length, 'draw type'),
        },
        {
          label: 'In USD',
          value: <Money value={page.valueInUsd} unknown="A rate is missing" />,
          unit: 'USD',
          note: 'at the rates of the cut-off date',
        },
        {
          label: 'Availability after this draw',
          value: (
            <Money value={figures?.availability.after} zero="figure" unknown="Needs a borrowing base and the rates" />
          ),
          unit,
          note: (
            <>
              before: <Money value={figures?.availability.before} zero="figure" unknown="Needs a borrowing base" />
            </>
          ),
        },
        {
          label: 'Outstanding after this draw',
          value: <Money value={after} zero="figure" unknown="A rate is missing" />,
          unit,
          note:
            share === null ? (
              'commitments are unknown'
            ) : (
              <>
                <Percent value={share.toFixed(1)} digits={1} /> of commitments
              </>
            ),
        },
        {
          label: 'Exceptions',
          value: String(page.exceptions.length),
          unit: `in ${formatCount(page.checked?.checks.length ?? DRAW_EXCEPTION_MESSAGES.length, 'check')}`,
          note: page.exceptions.length === 0 ? 'all checks passed' : `${skipped} skipped, ${pending} pending`,
        },
      ]}
    />
  );
}

function Documents({ page }: { page: DrawPage }) {
  return (
    <PanelSection title="Documents" note={String(page.attachments.length)}>
      {page.attachments.length === 0 ? (
        <p className="px-3.5 py-3 text-sm text-ink-3">No documents are attached.</p>
      ) : (
        <AttachedFiles files={page.attachments} address={(index) => paths.drawFile(page.id, index)} />
      )}
    </PanelSection>
  );
}

function BorrowersNote({ page }: { page: DrawPage }) {
  const { requested, decided, description, status } = page;
  return (
    <PanelSection title="Request" padded className="text-sm">
      <p className="break-words whitespace-pre-wrap">{description ?? 'No description was given.'}</p>
      <p className="mt-2 text-xs text-ink-3">
        {requested.by ?? 'Requested'} · <DateText time value={requested.at} />
      </p>
      {decided ? (
        <p className="text-xs text-ink-3">
          {status} {decided.by ? `by ${decided.by}` : ''} · <DateText time value={decided.at} />
        </p>
      ) : null}
    </PanelSection>
  );
}

export default function DrawScreen() {
  const page = useLoaderData<typeof loader>() as DrawPage;
  const answer = useActionData() as (SkipAnswer & { done: boolean }) | undefined;
  const { checked } = page;
  const base = checked?.figures.base;
  return (
    <>
      <PageHeader
        title={`Draw ${page.code}, ${page.companyName}`}
        chip={<StatusChip dot status={page.status} />}
        facts={[
          page.canReadTransaction ? (
            <Link
              key="transaction"
              to={`${paths.transaction(page.transactionId)}?note=${page.noteId}`}
              className="hover:text-accent"
            >
              {page.transactionTitle}
            </Link>
          ) : (
            page.transactionTitle
          ),
          <b key="note">{page.noteTitle}</b>,
          <span key="cut">
            cut-off <DateText value={page.cutOffDate} />
          </span>,
          <span key="due">
            due <DateText value={page.dueDate} />
          </span>,
          ...(base
            ? [
                <span key="base">
                  borrowing base of <DateText value={base.cutOffDate} />
                </span>,
              ]
            : []),
        ]}
        actions={<Actions page={page} />}
      />
      <Figures page={page} />
      <ActionProblems answer={answer} ofForms={['skip', 'reject']} />
      <Notices page={page} />
      {page.confirms === 'reject' && page.mayDecide ? <RejectForm page={page} /> : null}
      {page.confirms === 'remove' && page.mayRemove ? <RemoveForm page={page} /> : null}
      <Columns split="wide">
        <div className="min-w-0">
          <Amounts page={page} />
          {checked ? (
            <Section
              title="Checks"
              note={
                page.isOpen ? (
                  `${checked.checks.length}, run again on approval`
                ) : (
                  <>
                    {checked.checks.length}, as of <DateText time value={checked.at} />
                  </>
                )
              }
            >
              <CheckTable
                checks={checked.checks}
                exceptions={page.exceptions.map(({ exception, status }) => ({ message: exception.message, status }))}
                below={(check) =>
                  page.exceptions.some(({ exception }) => exception.message === check.message) ? (
                    <CheckExceptions page={page} check={check} answer={answer} />
                  ) : null
                }
              />
            </Section>
          ) : null}
        </div>
        <div className="min-w-0">
          {checked ? (
            <DrawAvailability figures={checked.figures} requested={page.isOpen ? page.others : undefined} />
          ) : null}
          <BorrowersNote page={page} />
          <Documents page={page} />
        </div>
      </Columns>
      {page.deliveries ? (
        <Deliveries
          deliveries={page.deliveries}
          maySendAgain
          head="Of"
          nobody="No user of the borrower or the manager could be told. Invite one."
        />
      ) : null}
      {page.history ? <HistorySection history={page.history} all={{ resource: 'draws', id: page.id }} /> : null}
    </>
  );
}
