import { useActionData } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { formatBytes } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { useCsrfToken } from '../../../../components/forms/csrf-field.tsx';
import { type Choice, Field, SelectField } from '../../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { QUICK_COMPANY_LABELS, type QuickAnswer } from '../../../../components/organizations/quick-company.ts';
import { QuickCompanyFields, withCreated } from '../../../../components/organizations/quick-company-fields.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { TAPE_FILE_TYPES } from '../../tapes/upload-form.schema.ts';
import { useFileUploads } from '../../tapes/use-file-uploads.ts';
import { startDescription } from './start.ts';

/** The input for a new mapping: the tape's company, and the tape. Without JavaScript the file is sent with the form. */
export function StartForm({
  companies,
  companyId,
  mayCreateCompany,
}: {
  companies: readonly Choice[];
  companyId: string | null;
  mayCreateCompany: boolean;
}) {
  const answer = useActionData() as QuickAnswer | undefined;
  const created = answer?.company;
  const [form, fields] = useScreenForm('start', startDescription, {
    lastResult: answer?.lastResult ?? null,
    defaultValue: { companyId: companyId ?? '' },
  });
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const uploads = useFileUploads(useCsrfToken(), input, []);
  // Only the last selected file counts.
  const entry = uploads.entries.at(-1);
  const isFailed = entry?.state === 'refused' || entry?.state === 'interrupted';
  const problems = [...(fields.attachments?.errors ?? []), ...(fields.refused?.errors ?? [])];
  const { renew } = uploads;
  useEffect(() => {
    if (answer?.lastResult?.status === 'error') renew();
  }, [answer, renew]);
  const attachments = fields.attachments;
  if (!fields.companyId || !attachments) return null;
  return (
    <Panel padded className="max-w-xl">
      <ScreenForm
        form={form}
        intent="start"
        encType={hydrated ? undefined : 'multipart/form-data'}
        labels={{ companyId: 'Borrower', attachments: 'Tape', refused: 'Tape', ...QUICK_COMPANY_LABELS }}
        onSubmit={(event) => {
          if (uploads.isPending) event.preventDefault();
        }}
      >
        <SelectField
          key={created?.id}
          field={fields.companyId}
          label="Borrower"
          choices={withCreated(companies, created)}
          {...(created ? { defaultValue: created.id } : {})}
          empty="Choose a borrower"
        />
        {mayCreateCompany ? <QuickCompanyFields key={created?.id} /> : null}
        <Field field={attachments} label="Tape" hint="An Excel workbook (.xlsx) or .csv file with one row per loan">
          <input
            ref={input}
            id={attachments.id}
            type="file"
            name={hydrated ? undefined : 'files'}
            accept={TAPE_FILE_TYPES}
            aria-invalid={problems.length > 0 ? true : undefined}
            onChange={(event) => uploads.add([...(event.target.files ?? [])].slice(0, 1))}
            className="block w-full rounded-md border border-dashed border-field-line bg-canvas px-3 py-4 text-sm text-ink-2 file:mr-3 file:h-8 file:rounded-md file:border file:border-solid file:border-line-strong file:bg-paper file:px-3 file:text-sm file:font-medium file:text-ink hover:bg-hover"
          />
        </Field>
        {fields.refused?.errors ? (
          <p className="text-xs whitespace-pre-line text-danger">{fields.refused.errors}</p>
        ) : null}
        {entry ? (
          <p aria-live="polite" className={isFailed ? 'text-sm text-danger' : 'text-sm text-ink-2'}>
            {entry.name}
            {entry.size === null ? '' : `, ${formatBytes(entry.size)}`}:{' '}
            {entry.state === 'stored'
              ? 'uploaded'
              : isFailed
                ? entry.problem
                : `${Math.round(entry.fraction * 100)}% uploaded`}
            {entry.state === 'interrupted' ? (
              <Button className="ml-2 h-7" onClick={() => uploads.again(entry.id)}>
                Try again
              </Button>
            ) : null}
          </p>
        ) : null}
        {entry?.key ? (
          <>
            <input type="hidden" name="attachments[0].key" value={entry.key} />
            <input type="hidden" name="attachments[0].name" value={entry.name} />
          </>
        ) : null}
        <FormActions submit={uploads.isPending ? 'Uploading' : 'Suggest mapping'} submitting="Reading the tape" />
      </ScreenForm>
    </Panel>
  );
}
