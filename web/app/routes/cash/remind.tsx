import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { whoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { getObligation } from '@tapeline/db/operations/cash/obligations.ts';
import {
  MAX_REMINDED,
  overdueToRemind,
  reminderProblemOf,
  remindersOf,
  remindOverdue,
  sendReminder,
} from '@tapeline/db/operations/cash/reminders.ts';
import type { Session } from '@tapeline/db/store.ts';
import { SENT_REMINDER_LABELS } from '@tapeline/domain/cash/reminders.ts';
import { formatInstant } from '@tapeline/domain/dates/instant.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { formatCount } from '../../components/figures/format.ts';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen, type Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { WhoIsToldSection } from '../capital/who-is-told.tsx';
import { ObligationChip, shownObligation } from './owed-table.tsx';
import { mayOpenObligations } from './paid.server.ts';
import { toMatchOf, withoutSuggested } from './to-match.server.ts';

export const handle = { title: 'Remind investors' };

/** What is reminded of: one amount, or all that is overdue of a selection. */
const askedIn = ({ url: { searchParams } }: Pick<Screen, 'url'>) => ({
  document: searchParams.get('document'),
  currency: searchParams.get('currency') ?? undefined,
  fund: searchParams.get('fund') ?? undefined,
  activity: searchParams.get('activity') ?? undefined,
});

async function toRemind(session: Session, { document, currency, ...selection }: ReturnType<typeof askedIn>) {
  const { actor } = session;
  if (document === null) {
    // An administrator who acts for no manager has no queue of payments.
    const hasQueue = can(actor, 'payments/read') && actor.kind === 'user' && actor.managerId !== null;
    const { suggested } = hasQueue ? await toMatchOf(session, { direction: 'in', fund: selection.fund }) : {};
    return {
      rows: withoutSuggested(await overdueToRemind(session, { ...selection, currency }), suggested),
      problem: null,
    };
  }
  const one = await getObligation(session, document, currency ?? '');
  return { rows: [one], problem: await reminderProblemOf(session, one) };
}

const backTo = ({ document, ...selection }: ReturnType<typeof askedIn>): string =>
  document === null ? paths.cash(selection) : paths.obligation(document, { currency: selection.currency });

export const loader = readScreen('payments/write', (screen) => {
  if (!mayOpenObligations(screen.actor)) throw new Refusal('notFound');
  return screen.db(async (session) => {
    const asked = askedIn(screen);
    const { rows, problem } = await toRemind(session, asked);
    const ids = rows.map(({ documentId }) => documentId);
    const earlier = await remindersOf(session, ids);
    return {
      problem,
      rows: rows.map((one) => ({ ...shownObligation(one), earlier: earlier.get(one.documentId) ?? null })),
      who: { ...(await whoIsTold(session, 'contributions', ids)), isPast: false },
      cancelTo: backTo(asked),
    };
  });
});

export const action = act({
  remind: intent({
    permission: 'payments/write',
    schema: z.object({ documents: z.string().max(MAX_REMINDED * 25) }),
    async run(form, screen) {
      const asked = askedIn(screen);
      const { document, ...selection } = asked;
      await screen.db(async (session) => {
        // Only those that the person was shown are reminded.
        if (document === null) await remindOverdue(session, selection, form.documents.split(','));
        else await sendReminder(session, document, selection.currency ?? '');
      });
      return redirect(backTo(asked));
    },
  }),
});

export default function Remind() {
  const { rows, who, problem, cancelTo } = useLoaderData<typeof loader>();
  const [form] = useShortForm('remind', { lastResult: useActionData<typeof action>()?.lastResult });
  const currencies = new Set(rows.map(({ currency }) => currency));
  const [currency] = currencies;
  const many = formatCount(rows.length, 'amount');
  return (
    <>
      <PageHeader
        title={rows.length === 1 ? `Remind ${rows[0]?.party}?` : `Remind ${formatCount(rows.length, 'investor')}?`}
        facts={['each gets one email with the amount to pay, the reference and the account', 'once a day at most']}
      />
      <TableSection
        title="What is open"
        note={problem ?? many}
        narrow="list"
        rows={rows}
        rowKey={({ documentId }) => documentId}
        empty={
          <EmptyState title="Nobody to remind">Nothing is overdue here that nobody was reminded of today.</EmptyState>
        }
        columns={[
          { head: 'Investor', name: ({ party }) => party, length: 36 },
          { head: 'Reference', quiet: true, cell: ({ reference }) => reference },
          { head: 'Due', date: ({ dueDate }) => dueDate },
          {
            head: 'Open',
            money: ({ open, currency: own }) => ({ sum: open, currency: own }),
            withCurrency: true,
            ...(currencies.size === 1 && currency
              ? { total: { sum: sum(rows.map(({ open }) => open)), currency } }
              : {}),
          },
          { head: 'State', cell: (row) => <ObligationChip {...row} /> },
          {
            head: 'Last reminder',
            quiet: true,
            cell: ({ earlier }) =>
              earlier
                ? `${formatInstant(earlier.latestAt)}, ${SENT_REMINDER_LABELS[earlier.latest].toLowerCase()}`
                : 'None',
          },
        ]}
      />
      {rows.length === 0 ? null : <WhoIsToldSection who={who} when="at once" />}
      <ScreenForm form={form} intent="remind" labels={{}}>
        <input type="hidden" name="documents" value={rows.map(({ documentId }) => documentId).join(',')} />
        <FormActions
          submit={rows.length === 1 ? 'Send the reminder' : `Send ${formatCount(rows.length, 'reminder')}`}
          submitting="Sending"
          cancelTo={cancelTo}
        />
      </ScreenForm>
    </>
  );
}
