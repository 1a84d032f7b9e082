import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { setReminders } from '@tapeline/db/operations/funds/change-funds.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { REMINDER_KINDS, REMINDER_LABELS } from '@tapeline/domain/cash/reminders.ts';
import { z } from 'zod';
import { FORM_PANEL } from '../../components/forms/form-layout.ts';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { versionField } from '../../components/forms/version-field.ts';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const handle = named<typeof loader>(({ fund }) => [
  { label: fund.title, to: paths.fund(fund.id, { view: 'terms' }) },
  'Reminders',
]);

export const loader = readScreen('funds/write', ({ db, params }) =>
  db(async (session) => {
    const { id, title, version, reminders } = await getFund(session, params.id ?? '');
    return {
      fund: { id, title },
      version,
      values: Object.fromEntries(REMINDER_KINDS.map((kind) => [kind, reminders.includes(kind) ? 'on' : ''])),
    };
  }),
);

export const action = act({
  save: intent({
    permission: 'funds/write',
    schema: z.object({
      before: z.boolean().default(false),
      due: z.boolean().default(false),
      late1: z.boolean().default(false),
      late5: z.boolean().default(false),
      late10: z.boolean().default(false),
      // Not called `version`, so that the error for a stale version appears at the top of the form.
      fundVersion: versionField,
    }),
    async run({ fundVersion: version, ...chosen }, { db, params: { id = '' } }) {
      await db((session) =>
        setReminders(session, { id, version, reminders: REMINDER_KINDS.filter((kind) => chosen[kind]) }),
      );
      return redirect(paths.fund(id, { view: 'terms' }));
    },
  }),
});

export default function FundReminders() {
  const { fund, version, values } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Reminders of capital calls" facts={[<b key="fund">{fund.title}</b>]} />
      <PanelSection
        title="When investors are reminded"
        note="only while something is open; business days are Monday to Friday"
        className={FORM_PANEL}
      >
        <IntentForm
          intent="save"
          sent={{ fundVersion: version }}
          values={values}
          lines={REMINDER_KINDS.map((kind) => ({
            name: kind,
            label: REMINDER_LABELS[kind],
            isChecked: true as const,
            optional: true,
          }))}
          submit="Save"
          submitting="Saving"
          cancelTo={paths.fund(fund.id, { view: 'terms' })}
        />
      </PanelSection>
    </>
  );
}
