import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { requestWaiver } from '@tapeline/db/operations/covenants/breaches.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { StoredFileField } from '../../../components/forms/stored-file-field.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { named } from '../../../components/page/page-name.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { BREACH_FORMS, waiverForm } from './breach-forms.ts';
import { BREACH_FILES, readBreach } from './breach-page.server.ts';

export const handle = named<typeof loader>(
  ({ id, title, company }) => [[`${title}, ${company}`, paths.covenant(id)], 'Waive'],
  ({ title }) => `Waive ${title}`,
);

export const loader = readScreen('transactions/write', readBreach);

export const action = act(
  {
    create: intent({
      permission: 'transactions/write',
      schema: waiverForm,
      async run({ refused, document, ...body }, { db, params: { id = '' } }) {
        if (refused) throw new Refusal('badRequest', refused);
        await db((session) =>
          requestWaiver(session, { covenantId: id, body: { ...body, document: document || null } }),
        );
        return redirect(paths.covenant(id));
      },
    }),
  },
  BREACH_FILES,
);

export default function WaiveScreen() {
  const { id, title, company, note, testDate, found, today } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="waiver"
      stored={null}
      title={`Waive ${title}`}
      facts={[`${company}, ${note}`, `test of ${formatCalendarDate(testDate)}`, <b key="found">{found}</b>]}
      description={BREACH_FORMS.waiver}
      answer={useActionData<typeof action>()}
      submit="Submit for approval"
      submitting="Submitting"
      encType="multipart/form-data"
      labels={{ until: 'Waived until', reason: 'Reason' }}
      cancelTo={paths.covenant(id)}
      above={
        <Notice tone="info">
          A second person approves the waiver. Until then nothing changes: the test stays breached, its consequence
          holds, and the days to cure go on.
        </Notice>
      }
    >
      {(fields) => (
        <PanelSection title="Waiver" className={FORM_GRID}>
          <TextField
            field={fields.until}
            label="Waived until"
            type="date"
            min={today}
            hint="The last day without consequences, within a year"
          />
          <StoredFileField
            name="upload"
            label="Document"
            stored={{ name: 'document', value: String(fields.document.value ?? '') }}
          />
          <TextareaField field={fields.reason} label="Reason" rows={3} className="sm:col-span-2" />
        </PanelSection>
      )}
    </FormPage>
  );
}
