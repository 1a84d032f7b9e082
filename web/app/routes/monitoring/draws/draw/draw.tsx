import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { getDraw } from '@tapeline/db/operations/draws/draw-views.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { changeDraw, recheck, withdrawDraws } from '../../../../commands/draws.server.ts';
import { DateText } from '../../../../components/figures/figures.tsx';
import { ActionProblems } from '../../../../components/forms/action-problems.tsx';
import { HistorySection } from '../../../../components/history/action-list.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { loadedPart, ShownPart } from '../../../../components/page/loaded-part.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Columns, Section } from '../../../../components/page/section.tsx';
import { act, confirmedIntent, intent, readScreen, type Screen } from '../../../../http/screen.server.ts';
import { originOf } from '../../../../http/session.server.ts';
import { paths } from '../../../../paths.ts';
import { deliveryIntents } from '../../../capital/delivery-intents.server.ts';
import { Deliveries } from '../../../capital/who-is-told.tsx';
import { DrawAvailability } from '../availability.tsx';
import { CheckTable } from '../check-table.tsx';
import { Actions, RemoveForm } from './decision.tsx';
import { rejectSchema, skipSchema, undoSchema, versionedSchema } from './draw-acts.ts';
import { Amounts, Figures } from './draw-figures.tsx';
import { type DrawPage, viewDraw } from './draw-page.server.ts';
import { CheckExceptions } from './exceptions.tsx';
import { DrawNextSteps } from './next-steps.tsx';
import { Notices } from './notices.tsx';
import { BorrowersNote, Documents } from './request.tsx';
import type { SkipAnswer } from './skip-form.tsx';

const REJECT_FORM = loadedPart(() => import('./reject-draw-form.tsx').then((part) => part.RejectDrawForm));

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
  approve: confirmedIntent({
    permission,
    schema: versionedSchema,
    asks: 'approve',
    async run({ drawVersion: version }, screen) {
      const id = screen.params.id ?? '';
      await changeDraw(callerOf(screen), id, { version, status: 'Approved' });
      return redirect(paths.draw(id));
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
      <DrawNextSteps page={page} />
      {page.confirms === 'reject' && page.mayDecide ? <ShownPart of={REJECT_FORM} page={page} /> : null}
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
          isFolded
          head="Of"
          nobody="No user of the borrower or the manager could be told. Invite one."
        />
      ) : null}
      {page.history ? <HistorySection history={page.history} all={{ resource: 'draws', id: page.id }} /> : null}
      {/* The decision, which stays in view on a phone, covers no other content at the end of the page. */}
      {page.mayDecide ? <div aria-hidden="true" className="h-20 sm:hidden" /> : null}
    </>
  );
}
