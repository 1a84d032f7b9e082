import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { receiveItem } from '@tapeline/db/operations/deliverables/items.ts';
import { SEND_PERMISSION } from '@tapeline/db/operations/deliverables/people.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { DELIVERABLE_FILES } from '@tapeline/domain/deliverables/deliverable-files.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { storeUploads } from '../../../../commands/form-files.server.ts';
import { TextareaField } from '../../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../../components/forms/form-layout.ts';
import { FormPage } from '../../../../components/forms/form-page.tsx';
import { StoredFileField } from '../../../../components/forms/stored-file-field.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import { act, intent, readScreen, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { STEP_FORMS, sendForm } from './step-forms.ts';
import { itemKeyOf, itemPath, readStep } from './step-page.server.ts';

export const handle = named<typeof loader>(
  ({ id, title, company, periodEnd }) => [
    [`${title}, ${company}`, paths.deliverable(id, { period: periodEnd })],
    'Send file',
  ],
  ({ title, period }) => `Send ${title}, ${period}`,
);

export const loader = readScreen('transactions/read', (screen) => readStep(screen, 'send'));

export const action = act(
  {
    create: intent({
      permission: SEND_PERMISSION,
      schema: sendForm,
      async run({ refused, document, remark }, screen) {
        if (refused) throw new Refusal('badRequest', refused);
        if (!document) throw new Refusal('badRequest', 'Choose the file to send');
        await screen.db((session) => receiveItem(session, itemKeyOf(screen), { document, remark }));
        return redirect(itemPath(screen));
      },
    }),
  },
  {
    files: {
      permission: SEND_PERMISSION,
      store: (screen: Screen) => storeUploads(screen, DELIVERABLE_FILES),
    },
  },
);

export default function SendScreen() {
  const { id, title, company, period, periodEnd, dueDate, description, returned } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="file"
      stored={null}
      title={`Send ${title}, ${period}`}
      facts={[company, `due ${formatCalendarDate(dueDate)}`]}
      description={STEP_FORMS.send}
      answer={useActionData<typeof action>()}
      submit="Send file"
      submitting="Sending"
      encType="multipart/form-data"
      labels={{ remark: 'Remark' }}
      cancelTo={paths.deliverable(id, { period: periodEnd })}
      above={
        returned ? (
          <Notice tone="warning">What was sent before was returned: {returned}</Notice>
        ) : description ? (
          <Notice tone="info">{description}</Notice>
        ) : null
      }
    >
      {(fields) => (
        <PanelSection title="File" className={FORM_GRID}>
          <StoredFileField
            name="upload"
            label="File"
            isRequired
            stored={{ name: 'document', value: String(fields.document.value ?? '') }}
          />
          <TextareaField field={fields.remark} label="Remark" rows={2} maxLength={500} required={false} />
        </PanelSection>
      )}
    </FormPage>
  );
}
