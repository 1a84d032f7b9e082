import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getItem } from '@tapeline/db/operations/deliverables/items.ts';
import { reminderProblem, remindOfItem, whoIsReminded } from '@tapeline/db/operations/deliverables/reminders.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { REMINDER_LABELS, reminderDay } from '@tapeline/domain/cash/reminders.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { z } from 'zod';
import { formatCount } from '../../../../components/figures/format.ts';
import { FormActions, ScreenForm } from '../../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../../components/forms/use-short-form.ts';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { itemKeyOf, itemPath, readStep } from './step-page.server.ts';

export const handle = named<typeof loader>(
  ({ id, title, company, periodEnd }) => [
    [`${title}, ${company}`, paths.deliverable(id, { period: periodEnd })],
    'Remind',
  ],
  ({ company }) => `Remind ${company}`,
);

export const loader = readScreen('transactions/write', async (screen) => ({
  ...(await readStep(screen, 'remind')),
  ...(await screen.db(async (session) => {
    const found = await getItem(session, itemKeyOf(screen));
    const { deliverable, item } = found;
    const today = todayOf(session);
    return {
      who: await whoIsReminded(session, deliverable),
      problem: await reminderProblem(session, found),
      next: deliverable.reminders
        .map((kind) => ({ kind, label: REMINDER_LABELS[kind], day: reminderDay(kind, item.dueDate) }))
        .filter(({ day }) => day > today),
    };
  })),
}));

export const action = act({
  remind: intent({
    permission: 'transactions/write',
    schema: z.object({}),
    async run(_, screen) {
      await screen.db((session) => remindOfItem(session, itemKeyOf(screen)));
      return redirect(itemPath(screen));
    },
  }),
});

export default function RemindScreen() {
  const { id, title, company, period, periodEnd, dueDate, who, next, problem } = useLoaderData<typeof loader>();
  const [form] = useShortForm('remind', { lastResult: useActionData<typeof action>()?.lastResult });
  return (
    <>
      <PageHeader
        title={`Remind ${company}?`}
        facts={[`${title}, ${period}`, `due ${formatCalendarDate(dueDate)}`, 'once a day at most']}
      />
      {problem ? <Notice tone="info">{problem}.</Notice> : null}
      <TableSection
        title="Recipients"
        note={who.length === 0 ? 'nobody' : `${formatCount(who.length, 'person', 'people')}, at once`}
        narrow="list"
        rows={who}
        rowKey={({ email }) => email}
        empty={<EmptyState title="No recipients">Invite a user of the borrower who can upload tapes.</EmptyState>}
        columns={[
          { head: 'Name', name: ({ name }) => name, length: 40 },
          { head: 'Email', quiet: true, cell: ({ email }) => email },
        ]}
      />
      <TableSection
        title="Later reminders"
        note="only while it is owed; business days are Monday to Friday"
        narrow="list"
        rows={next}
        rowKey={({ kind }) => kind}
        empty={<EmptyState title="No more reminders are sent" />}
        columns={[
          { head: 'Reminder', cell: ({ label }) => label },
          { head: 'Sent on', date: ({ day }) => day },
        ]}
      />
      <ScreenForm form={form} intent="remind" labels={{}}>
        <FormActions
          submit="Send the reminder"
          submitting="Sending"
          cancelTo={paths.deliverable(id, { period: periodEnd })}
        />
      </ScreenForm>
    </>
  );
}
