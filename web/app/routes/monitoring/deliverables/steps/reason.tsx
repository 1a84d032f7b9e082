import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { returnItem, waiveItem, withdrawItemWaiver } from '@tapeline/db/operations/deliverables/items.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { TextareaField } from '../../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../../components/forms/form-layout.ts';
import { FormPage } from '../../../../components/forms/form-page.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import { act, intent, readScreen, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { reasonForm, STEP_FORMS } from './step-forms.ts';
import { itemKeyOf, itemPath, readStep } from './step-page.server.ts';

/** What each step does, and what follows. The borrower reads the reason. */
const STEPS = {
  return: {
    verb: 'Return',
    submitting: 'Returning',
    run: returnItem,
    says: 'The borrower is told why, and owes it again.',
    hint: 'What is missing or wrong. The borrower reads it',
  },
  waive: {
    verb: 'Waive',
    submitting: 'Waiving',
    run: waiveItem,
    says: 'Nothing is owed for this period, and no reminders are sent. The borrower gets a message.',
    hint: 'Why nothing is owed for this period. The borrower reads it',
  },
  withdraw: {
    verb: 'Withdraw the waiver of',
    submitting: 'Withdrawing',
    run: withdrawItemWaiver,
    says: 'This period is owed again. The borrower is told.',
    hint: 'Why it is owed again. The borrower reads it',
  },
} as const;
type Step = keyof typeof STEPS;

/** The step is the last part of the address. @throws Refusal notFound */
function stepOf({ url }: Pick<Screen, 'url'>): Step {
  const last = url.pathname.split('/').at(-1) ?? '';
  if (!Object.hasOwn(STEPS, last)) throw new Refusal('notFound');
  return last as Step;
}

export const handle = named<typeof loader>(
  ({ id, title, company, periodEnd, verb }) => [
    [`${title}, ${company}`, paths.deliverable(id, { period: periodEnd })],
    verb,
  ],
  ({ title, period, verb }) => `${verb} ${title}, ${period}`,
);

export const loader = readScreen('transactions/write', async (screen) => {
  const step = stepOf(screen);
  const { verb, submitting, says, hint } = STEPS[step];
  return { ...(await readStep(screen, step)), verb, submitting, says, hint };
});

export const action = act({
  create: intent({
    permission: 'transactions/write',
    schema: reasonForm,
    async run(body, screen) {
      const { run } = STEPS[stepOf(screen)];
      await screen.db((session) => run(session, itemKeyOf(screen), body));
      return redirect(itemPath(screen));
    },
  }),
});

export default function ReasonScreen() {
  const { id, title, company, period, periodEnd, dueDate, verb, submitting, says, hint } =
    useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="reason"
      stored={null}
      title={`${verb} ${title}, ${period}`}
      facts={[company, `due ${formatCalendarDate(dueDate)}`]}
      description={STEP_FORMS.reason}
      answer={useActionData<typeof action>()}
      submit={verb.startsWith('Withdraw') ? 'Withdraw waiver' : verb}
      submitting={submitting}
      labels={{ reason: 'Reason' }}
      cancelTo={paths.deliverable(id, { period: periodEnd })}
      above={<Notice tone="info">{says}</Notice>}
    >
      {(fields) => (
        <PanelSection title="Reason" className={FORM_GRID}>
          <TextareaField field={fields.reason} label="Reason" hint={hint} rows={3} maxLength={500} />
        </PanelSection>
      )}
    </FormPage>
  );
}
