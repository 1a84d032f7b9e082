import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { recordCure } from '@tapeline/db/operations/covenants/breaches.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { TextareaField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { StoredFileField } from '../../../components/forms/stored-file-field.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { named } from '../../../components/page/page-name.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { BREACH_FORMS, cureForm } from './breach-forms.ts';
import { BREACH_FILES, readBreach } from './breach-page.server.ts';

export const handle = named<typeof loader>(
  ({ id, title, company }) => [[`${title}, ${company}`, paths.covenant(id)], 'Record cure'],
  ({ title }) => `Record the cure of ${title}`,
);

export const loader = readScreen('transactions/write', readBreach);

export const action = act(
  {
    create: intent({
      permission: 'transactions/write',
      schema: cureForm,
      async run({ refused, document, ...body }, { db, params: { id = '' } }) {
        if (refused) throw new Refusal('badRequest', refused);
        await db((session) => recordCure(session, { covenantId: id, body: { ...body, document: document || null } }));
        return redirect(paths.covenant(id));
      },
    }),
  },
  BREACH_FILES,
);

export default function CureScreen() {
  const { id, title, company, note, testDate, found, cure } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="cure"
      stored={null}
      title={`Record the cure of ${title}`}
      facts={[`${company}, ${note}`, `test of ${formatCalendarDate(testDate)}`, <b key="found">{found}</b>]}
      description={BREACH_FORMS.cure}
      answer={useActionData<typeof action>()}
      submit="Record cure"
      submitting="Recording"
      encType="multipart/form-data"
      labels={{ reason: 'How it was cured' }}
      cancelTo={paths.covenant(id)}
      above={
        <Notice tone={cure ? 'info' : 'warning'}>
          {cure
            ? `${formatCount(cure.left, 'business day is', 'business days are')} left, until ${formatCalendarDate(cure.until)}. Once the cure is recorded, the consequences of the breach end.`
            : 'No days to cure this breach are left. Ask for a waiver instead.'}
        </Notice>
      }
    >
      {(fields) => (
        <PanelSection title="Cure" className={FORM_GRID}>
          <TextareaField
            field={fields.reason}
            label="How it was cured"
            hint="For example: equity of 2,000,000 USD was paid in on 12 Nov 2026"
            rows={3}
          />
          <StoredFileField
            name="upload"
            label="Document"
            stored={{ name: 'document', value: String(fields.document.value ?? '') }}
          />
        </PanelSection>
      )}
    </FormPage>
  );
}
