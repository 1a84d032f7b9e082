import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { decideHeld, endHold, listHeldItems, listHolds } from '@tapeline/db/operations/holds/holds.ts';
import { listFailedMails } from '@tapeline/db/operations/outbox/failed-mails.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { HOLD_DECISIONS, HOLD_KINDS, type HoldDecision, MAX_DECIDED } from '@tapeline/domain/holds/hold.schema.ts';
import { z } from 'zod';
import { Unknown } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure, formatInstant } from '../../../components/figures/format.ts';
import { ActionForm } from '../../../components/forms/action-form.tsx';
import { Button } from '../../../components/forms/button.tsx';
import { ScreenForm } from '../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../components/forms/use-short-form.ts';
import { AskOnPage } from '../../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../../components/overlays/confirm-form.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { DataTable, TableSection } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

const TITLE = 'Emails';
const PER_PAGE = 100;
/** Of those that could not be sent. */
const MAX_FAILED = 50;

export const handle = { title: TITLE };

const chosenSchema = z.object({
  // One checked box is one text.
  ids: z.preprocess(
    (value) => (typeof value === 'string' ? [value] : (value ?? [])),
    z.array(idSchema).min(1, 'Choose at least one').max(MAX_DECIDED),
  ),
  decision: z.enum(HOLD_DECISIONS),
});
const allSchema = chosenSchema.pick({ decision: true }).extend({
  /** How many the person was asked about. */
  count: z.coerce.number().int().min(1),
  confirmed: z.literal('yes').optional(),
});

/** What is asked before a decision about all items, by decision. */
const QUESTIONS: Readonly<
  Record<HoldDecision, (count: number) => { title: string; consequence: string; confirm: string }>
> = {
  Release: (count) => ({
    title: `Release all ${formatCount(count, 'item')}?`,
    consequence: 'All of these emails are sent now. People who got one before the backup was restored get it again.',
    confirm: 'Release all',
  }),
  Drop: (count) => ({
    title: `Drop all ${formatCount(count, 'item')}?`,
    consequence: 'None of these emails is sent, and they cannot be brought back.',
    confirm: 'Drop all',
  }),
};
const askedAbout = (count: number, decision: HoldDecision) => ({
  intent: 'decideAll',
  values: { decision, count: String(count) },
  ...QUESTIONS[decision](count),
});

export const loader = readScreen('managers/read', async ({ url, db }) =>
  db(async (session) => ({
    ...(await listHeldItems(session, { skip: skipOf(url.searchParams), limit: PER_PAGE })),
    failed: await listFailedMails(session, { limit: MAX_FAILED }),
    hold: (await listHolds(session))[0] ?? null,
    asks: HOLD_DECISIONS.find((decision) => decision === url.searchParams.get('confirm')) ?? null,
  })),
);

export const action = act({
  decide: intent({
    permission: 'managers/write',
    schema: chosenSchema,
    async run(command, { db }) {
      await db((session) => decideHeld(session, command));
      return redirect(paths.held());
    },
  }),
  decideAll: intent({
    permission: 'managers/write',
    schema: allSchema,
    async run({ decision, count, confirmed }, { db }) {
      if (!confirmed) return redirect(paths.held({ confirm: decision }));
      await db(async (session) => {
        const decided = await decideHeld(session, { all: true, decision });
        // The decision was about those that the person was asked about.
        if (decided === count) return;
        throw new Refusal(
          'badRequest',
          `You were asked about ${formatCount(count, 'item')}. Now it would be ${decided}. Look at the list and decide again.`,
        );
      });
      return redirect(paths.held());
    },
  }),
  end: intent({
    permission: 'managers/write',
    schema: z.object({ id: idSchema }),
    async run(command, { db }) {
      await db((session) => endHold(session, command));
      return redirect(paths.held());
    },
  }),
});

export default function Held() {
  const { rows, total, hold, failed, asks } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof chosenSchema>>('decide', {
    lastResult: answer?.intent === 'decide' ? answer.lastResult : null,
  });
  const isOpen = hold !== null && hold.endedAt === null;
  const problems = answer && answer.intent !== 'decide' ? (answer.lastResult.error?.[''] ?? []) : [];
  return (
    <>
      <PageHeader
        title={TITLE}
        facts={[
          `${formatFigure(total)} held`,
          `${formatFigure(failed.total)} not sent`,
          ...(hold ? [`backup of ${formatInstant(hold.backupAt)}`, isOpen ? 'hold is open' : 'hold has ended'] : []),
        ]}
      />
      {problems.length > 0 ? <Notice tone="danger">{problems.join(' ')}</Notice> : null}
      {asks && total > 0 ? <AskOnPage {...askedAbout(total, asks)} backTo={paths.held()} /> : null}
      {isOpen ? (
        <Notice tone="warning">
          A backup was restored on {formatInstant(hold.startedAt)}. Emails that it would send again are held, and so are
          those that jobs queue, such as notices of calls that are issued now. Sign-in codes and emails that people
          cause themselves are still sent.
        </Notice>
      ) : null}
      <ScreenForm form={form} intent="decide" labels={{ ids: 'Items' }}>
        <Section title="Held emails">
          <fieldset id={fields.ids.id} className="min-w-0" aria-describedby={fields.ids.errorId}>
            <legend className="sr-only">Items</legend>
            {fields.ids.errors ? (
              <p id={fields.ids.errorId} className="mb-2 text-xs text-danger">
                {fields.ids.errors[0]}
              </p>
            ) : null}
            <Panel>
              <DataTable
                caption="Items that wait for a decision"
                narrow="list"
                rows={rows}
                empty={
                  <EmptyState title="Nothing is held">
                    After a backup is restored, emails that it would send again appear here.
                  </EmptyState>
                }
                columns={[
                  {
                    head: 'Subject',
                    cell: ({ id, title }) => (
                      <label className="flex items-center gap-2 whitespace-normal max-sm:min-h-10">
                        <input
                          type="checkbox"
                          name={fields.ids.name}
                          value={id}
                          className="size-4 shrink-0 accent-accent"
                        />
                        {title}
                      </label>
                    ),
                  },
                  {
                    head: 'To',
                    cell: ({ name, to }) => (
                      <span className="whitespace-normal break-words">
                        {name} <span className="text-xs text-ink-3">{to}</span>
                      </span>
                    ),
                  },
                  { head: 'Kind', quiet: true, cell: ({ kind }) => HOLD_KINDS[kind] },
                  { head: 'Queued', date: ({ createdAt }) => createdAt, time: true },
                ]}
              />
              <Pagination total={total} limit={PER_PAGE} noun="items" />
            </Panel>
          </fieldset>
        </Section>
        {rows.length > 0 ? (
          <div className="mb-4 flex flex-wrap gap-2">
            <Button type="submit" tone="primary" name={fields.decision.name} value="Release">
              Release selected
            </Button>
            <Button type="submit" name={fields.decision.name} value="Drop">
              Drop selected
            </Button>
          </div>
        ) : null}
      </ScreenForm>
      {total > 0 ? (
        <details className="mb-4 text-sm">
          <summary className="cursor-pointer py-1.5 text-ink-2">Decide about all {formatCount(total, 'item')}</summary>
          <div className="mt-2 flex flex-wrap gap-2">
            {HOLD_DECISIONS.map((decision) => (
              <ConfirmForm
                key={decision}
                {...askedAbout(total, decision)}
                label={`${decision} all`}
                tone={decision === 'Drop' ? 'danger' : 'primary'}
              />
            ))}
          </div>
        </details>
      ) : null}
      {isOpen && total === 0 ? (
        <ActionForm intent="end" values={{ id: hold.id }} className="mb-[26px]">
          End the hold
        </ActionForm>
      ) : null}
      <TableSection
        title="Not sent"
        note={
          failed.total > failed.rows.length
            ? `the latest ${failed.rows.length} of ${formatFigure(failed.total)}`
            : 'given up after several attempts'
        }
        caption="Emails that could not be sent"
        narrow="list"
        rows={failed.rows}
        empty={<EmptyState title="Every email was sent">Emails that the mail server refuses appear here.</EmptyState>}
        columns={[
          { head: 'Subject', cell: ({ title }) => <span className="whitespace-normal">{title}</span> },
          { head: 'To', cell: ({ to }) => to ?? <Unknown /> },
          {
            head: 'Reason',
            cell: ({ reason }) =>
              reason === null ? <Unknown /> : <span className="whitespace-normal break-words">{reason}</span>,
          },
          { head: 'Attempts', figure: ({ attempts }) => attempts },
          { head: 'Queued', date: ({ createdAt }) => createdAt, time: true },
        ]}
      />
    </>
  );
}
