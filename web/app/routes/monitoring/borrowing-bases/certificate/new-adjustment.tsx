import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ADJUSTMENT_BUCKET, enterAdjustment } from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { maxBytesOf } from '@tapeline/domain/files/buckets.ts';
import { typeOfFile } from '@tapeline/domain/files/file-types.ts';
import { storeFormFiles } from '../../../../commands/form-files.server.ts';
import { TextareaField, TextField } from '../../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../../components/forms/form-layout.ts';
import { FormPage } from '../../../../components/forms/form-page.tsx';
import { StoredFileField } from '../../../../components/forms/stored-file-field.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import { act, intent, readScreen, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { adjustmentForm, adjustmentFormDescription } from './adjustment-form.ts';

export const handle = named<typeof loader>(
  ({ id, cutOffDate }) => [
    { label: `Borrowing base, ${formatCalendarDate(cutOffDate)}`, to: paths.borrowingBase(id) },
    'Enter adjustment',
  ],
  ({ cutOffDate }) => `Enter adjustment, borrowing base ${formatCalendarDate(cutOffDate)}`,
);

export const loader = readScreen('transactions/write', ({ db, params: { id = '' } }) =>
  db(async (session) => {
    const base = await getBorrowingBase(session, id);
    if (base.status !== 'Active') throw new Refusal('notFound');
    return pick(base, 'id', 'cutOffDate', 'currency');
  }),
);

const PLACE = { bucket: ADJUSTMENT_BUCKET } as const;

export const action = act(
  {
    create: intent({
      permission: 'transactions/write',
      schema: adjustmentForm,
      async run({ refused, document, ...body }, { db, params: { id = '' } }) {
        if (refused) throw new Refusal('badRequest', refused);
        await db((session) => enterAdjustment(session, { baseId: id, body: { ...body, document: document || null } }));
        return redirect(`${paths.borrowingBase(id)}#adjustments`);
      },
    }),
  },
  {
    files: {
      permission: 'transactions/write',
      store: (screen: Screen) =>
        storeFormFiles(screen, {
          maxBytes: maxBytesOf(PLACE),
          to: ({ field, name, type }) => (field === 'upload' ? { ...PLACE, type: typeOfFile(name, type) } : null),
          write(sent, stored, refused) {
            for (const { key } of stored) sent.set('document', key);
            for (const { name, refusal } of refused) sent.set('refused', `${name}: ${refusal.message}`);
          },
        }),
    },
  },
);

export default function NewAdjustmentScreen() {
  const { id, cutOffDate, currency } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="adjustment"
      stored={null}
      title="Enter adjustment"
      facts={[`Borrowing base of ${formatCalendarDate(cutOffDate)}`, 'nothing changes until someone else approves it']}
      description={adjustmentFormDescription}
      answer={useActionData<typeof action>()}
      submit="Submit for approval"
      submitting="Submitting"
      currency={currency}
      encType="multipart/form-data"
      shouldValidate="onSubmit"
      cancelTo={paths.borrowingBase(id)}
    >
      {(fields) => (
        <PanelSection title="Adjustment" note="it changes the available base, never the tape" className={FORM_GRID}>
          <TextField
            field={fields.amount}
            label={`Amount in ${currency}`}
            hint="Below zero it takes off the available base, for example -25000"
            inputMode="decimal"
          />
          <StoredFileField
            name="upload"
            label="Document"
            stored={{ name: 'document', value: String(fields.document.value ?? '') }}
          />
          <TextareaField field={fields.reason} label="Reason" hint="It is printed on the certificate" rows={2} />
        </PanelSection>
      )}
    </FormPage>
  );
}
