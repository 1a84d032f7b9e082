import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useCsrfToken } from '../../../../components/forms/csrf-field.tsx';
import { CURRENCY_CHOICES } from '../../../../components/forms/currency-choices.ts';
import { CheckboxField, SelectField, TextareaField, TextField } from '../../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { QUICK_COMPANY_LABELS } from '../../../../components/organizations/quick-company.ts';
import {
  type CreatedCompany,
  QuickCompanyFields,
  withCreated,
} from '../../../../components/organizations/quick-company-fields.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { OTHER_INTENT } from '../../../../http/list-edits.ts';
import { paths } from '../../../../paths.ts';
import type { UploadChoices } from '../upload-choices.server.ts';
import { uploadFormSchema } from '../upload-form.schema.ts';
import { useFileUploads } from '../use-file-uploads.ts';
import { FilesField, OTHER_FILES, TAPE_FILES } from './files-field.tsx';

const LABELS = {
  companyId: 'Company',
  cutOffDate: 'Cut-off date',
  mainCurrency: 'Main currency',
  sheetName: 'Sheet',
  assetsETL: 'Mapping',
  exchangeRates: 'Exchange rates',
  attachments: 'Files',
  otherAttachments: 'Other documents',
  refused: 'Files',
  ...QUICK_COMPANY_LABELS,
};

/** Conform validates a field by submitting the form with a button of this name. */
const FIELD_CHECK = '__intent__';

/** The files stored by an earlier round trip that the server still has. */
function keptFiles(
  lastResult: SubmissionResult<string[]> | null,
  list: 'attachments' | 'otherAttachments',
): { key: string; name: string }[] {
  if (!lastResult || lastResult.error?.[list]) return [];
  const held = (lastResult.initialValue as Record<string, unknown> | undefined)?.[list];
  return (Array.isArray(held) ? held : []).flatMap((file: { key?: string; name?: string } | undefined) =>
    file?.key ? [{ key: file.key, name: file.name ?? file.key }] : [],
  );
}

export function UploadForm({
  choices,
  lastResult,
  created,
}: {
  choices: UploadChoices;
  lastResult: SubmissionResult<string[]> | null;
  /** The company that was created inside the form, and is now chosen. */
  created: CreatedCompany | undefined;
}) {
  const hydrated = useHydrated();
  const chosen = choices.companies.find(({ id }) => id === choices.companyId);
  const [form, fields] = useScreenForm('upload', uploadFormSchema, {
    lastResult,
    defaultValue: { companyId: choices.companyId ?? '', mainCurrency: chosen?.currency ?? '' },
  });
  const [companyId, setCompanyId] = useState(
    String((lastResult?.initialValue as { companyId?: string } | undefined)?.companyId ?? choices.companyId ?? ''),
  );
  const files = useRef<HTMLInputElement>(null);
  const otherFiles = useRef<HTMLInputElement>(null);
  const csrfToken = useCsrfToken();
  const uploads = useFileUploads(csrfToken, files, keptFiles(lastResult, 'attachments'));
  const others = useFileUploads(csrfToken, otherFiles, keptFiles(lastResult, 'otherAttachments'));
  const { renew } = uploads;
  const isPending = uploads.isPending || others.isPending;
  const interruptedOf = ({ entries }: typeof uploads) =>
    entries.filter(({ state }) => state === 'interrupted').map(({ name }) => name);
  const interrupted = [...interruptedOf(uploads), ...interruptedOf(others)];

  // The server deletes files that it refused. Upload those still in the browser again, so that the form can be
  // resubmitted.
  useEffect(() => {
    if (lastResult?.error?.attachments) renew();
  }, [lastResult, renew]);

  // If the form is submitted too early, it is submitted automatically, once, when the last upload is complete.
  const [isHeld, setHeld] = useState(false);
  /** Whether a submit was blocked because the upload of a file was interrupted. */
  const [isMissed, setMissed] = useState(false);
  const held = useRef(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isPending || !held.current) return;
    held.current = false;
    setHeld(false);
    box.current?.querySelector('form')?.requestSubmit();
  }, [isPending]);
  const holdBack = (event: FormEvent) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (
      (!isPending && interrupted.length === 0) ||
      [FIELD_CHECK, OTHER_INTENT].includes(submitter?.getAttribute('name') ?? '')
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    setMissed(interrupted.length > 0);
    held.current = isPending;
    setHeld(isPending);
  };

  const chooseCompany = (id: string) => {
    setCompanyId(id);
    const { currency } = choices.companies.find((company) => company.id === id) ?? {};
    if (currency && !fields.mainCurrency.dirty) form.update({ name: 'mainCurrency', value: currency } as never);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: selections made before the scripts loaded are applied once
  useEffect(() => {
    const early = box.current?.querySelector<HTMLSelectElement>('select[name="companyId"]')?.value;
    if (early && early !== companyId) chooseCompany(early);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a created company is chosen once
  useEffect(() => {
    if (created) chooseCompany(created.id);
  }, [created]);

  const mappings = choices.mappings.filter((mapping) => !hydrated || !companyId || mapping.companyId === companyId);
  const nameOf = (id: string) => choices.companies.find((company) => company.id === id)?.name ?? 'Company';
  const isWithoutMapping =
    companyId !== '' &&
    (hydrated || fields.assetsETL?.errors !== undefined) &&
    choices.mappings.every((mapping) => mapping.companyId !== companyId);
  // Keys of tapes start with the file's id.
  const firstFile = uploads.entries.find(({ key }) => key)?.key?.split('/')[0];
  if (choices.picker.total === 0 && !choices.mayCreateCompany) {
    return <Notice tone="warning">No companies yet. Ask an administrator to add one.</Notice>;
  }
  return (
    <div ref={box} onSubmitCapture={holdBack}>
      <ScreenForm
        form={form}
        labels={LABELS}
        intent="upload"
        confirm="Upload anyway"
        addressOf={paths.tape}
        asks="Is this right? No tape has been created yet. Change what is wrong, or upload anyway."
        {...(hydrated ? {} : { encType: 'multipart/form-data' as const })}
      >
        <Panel padded className="flex flex-col gap-4">
          <FilesField
            field={fields.attachments}
            refused={fields.refused}
            input={files}
            uploads={uploads}
            missing={isMissed ? interruptedOf(uploads) : []}
            list={TAPE_FILES}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              key={created?.id}
              field={fields.companyId}
              label="Company"
              empty="Choose a company"
              choices={withCreated(
                choices.companies.map(({ id, name }) => ({ value: id, label: name })),
                created,
              )}
              {...(created ? { defaultValue: created.id } : {})}
              onChange={(event) => chooseCompany(event.target.value)}
            />
            <TextField field={fields.cutOffDate} label="Cut-off date" type="date" hint="The date of the tape’s data" />
            <SelectField
              field={fields.mainCurrency}
              label="Main currency"
              empty="The company’s currency"
              choices={CURRENCY_CHOICES}
              hint="Reporting currency of the tape"
            />
            <TextField
              field={fields.sheetName}
              label="Sheet"
              hint={
                mappings[0] ? `Blank uses the mapping’s sheet (${mappings[0].sheet})` : 'Blank uses the mapping’s sheet'
              }
            />
          </div>
          {choices.mayCreateCompany ? <QuickCompanyFields key={created?.id} /> : null}
          <SelectField
            field={fields.assetsETL}
            label="Mapping"
            empty="Current mapping"
            hint="The latest versions of each company are listed"
            choices={mappings.map(({ id, companyId: owner, version, sheet, savedAt }) => ({
              value: id,
              label: `${hydrated && companyId ? '' : `${nameOf(owner)}, `}version ${version} of ${formatCalendarDate(savedAt.slice(0, 10))}, sheet ${sheet}`,
            }))}
          />
          {isWithoutMapping ? (
            <Notice
              tone="warning"
              action={
                choices.mayMakeMapping ? (
                  <Link to={paths.newMapping({ company: companyId || undefined, file: firstFile })}>
                    {firstFile ? 'Create one from this file' : 'Create mapping'}
                  </Link>
                ) : undefined
              }
            >
              This company has no mapping yet. A mapping assigns the columns of a tape to asset fields.
            </Notice>
          ) : null}
          {choices.mayCalculate ? (
            <CheckboxField
              field={fields.calculateBB}
              label="Also calculate the borrowing base"
              hint="For each note with a contract active on the cut-off date"
            />
          ) : null}
          <details open={Boolean(fields.exchangeRates.errors)}>
            <summary className="text-xs font-medium text-accent hover:underline">Exchange rates</summary>
            <TextareaField
              className="mt-3"
              field={fields.exchangeRates}
              label="Rates for this tape"
              rows={3}
              placeholder={'EUR 0.92\nGBP 0.79'}
              hint="One per line: units of the currency per US dollar. Blank uses the stored rates at the cut-off date."
            />
          </details>
          <FilesField
            field={fields.otherAttachments}
            input={otherFiles}
            uploads={others}
            missing={isMissed ? interruptedOf(others) : []}
            list={OTHER_FILES}
          />
        </Panel>
        <FormActions submit={isHeld ? 'Waiting for files' : 'Upload'} submitting="Checking files…">
          <Link to={paths.tapes()} className="px-2 text-sm text-ink-2 hover:text-ink">
            Cancel
          </Link>
        </FormActions>
      </ScreenForm>
    </div>
  );
}
