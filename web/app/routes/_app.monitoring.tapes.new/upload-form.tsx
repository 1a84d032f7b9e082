import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useCsrfToken } from '../../components/forms/csrf-field.tsx';
import { CheckboxField, SelectField, TextareaField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Panel } from '../../components/page/section.tsx';
import { useHydrated } from '../../components/use-hydrated.ts';
import { paths } from '../../paths.ts';
import type { UploadChoices } from '../../tapes/upload-choices.server.ts';
import { uploadFormSchema } from '../../tapes/upload-form.schema.ts';
import { useFileUploads } from '../../tapes/use-file-uploads.ts';
import { FilesField } from './files-field.tsx';

const LABELS = {
  companyId: 'Company',
  cutOffDate: 'Cut-off date',
  mainCurrency: 'Main currency',
  sheetName: 'Sheet',
  assetsETL: 'Mapping',
  exchangeRates: 'Exchange rates',
  attachments: 'Files',
  refused: 'Files',
};

/** Conform checks a field by a submit of its own, whose button has this name. */
const FIELD_CHECK = '__intent__';

/** The files that an earlier round trip has stored and that the server still has. */
function keptFiles(lastResult: SubmissionResult<string[]> | null): { key: string; name: string }[] {
  if (!lastResult || lastResult.error?.attachments) return [];
  const held = (lastResult.initialValue as { attachments?: unknown } | undefined)?.attachments;
  return (Array.isArray(held) ? held : []).flatMap((file: { key?: string; name?: string } | undefined) =>
    file?.key ? [{ key: file.key, name: file.name ?? file.key }] : [],
  );
}

export function UploadForm({
  choices,
  lastResult,
}: {
  choices: UploadChoices;
  lastResult: SubmissionResult<string[]> | null;
}) {
  const hydrated = useHydrated();
  const chosen = choices.companies.find(({ id }) => id === choices.companyId);
  const [form, fields] = useScreenForm('upload', uploadFormSchema, {
    lastResult,
    defaultValue: { companyId: choices.companyId ?? '', mainCurrency: chosen?.currency ?? 'USD' },
  });
  const [companyId, setCompanyId] = useState(
    String((lastResult?.initialValue as { companyId?: string } | undefined)?.companyId ?? choices.companyId ?? ''),
  );
  const files = useRef<HTMLInputElement>(null);
  const uploads = useFileUploads(useCsrfToken(), files, keptFiles(lastResult));
  const { renew, isPending } = uploads;
  const interrupted = uploads.entries.filter(({ state }) => state === 'interrupted').map(({ name }) => name);

  // The server forgets files that it refused: what is still here is uploaded again, for the form to be sent once more.
  useEffect(() => {
    if (lastResult?.error?.attachments) renew();
  }, [lastResult, renew]);

  // Sent too early: the form goes by itself, once, when the last file is there.
  const [isHeld, setHeld] = useState(false);
  /** Whether the form was to be sent while a file had not arrived: it is not sent without it. */
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
    if ((!isPending && interrupted.length === 0) || submitter?.getAttribute('name') === FIELD_CHECK) return;
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen before the scripts had come is taken once
  useEffect(() => {
    const early = box.current?.querySelector<HTMLSelectElement>('select[name="companyId"]')?.value;
    if (early && early !== companyId) chooseCompany(early);
  }, []);

  const mappings = choices.mappings.filter((mapping) => !hydrated || !companyId || mapping.companyId === companyId);
  const nameOf = (id: string) => choices.companies.find((company) => company.id === id)?.name ?? 'Company';
  const isWithoutMapping =
    (hydrated && companyId !== '' && mappings.length === 0) ||
    (fields.assetsETL?.errors ?? []).some((error) => String(error).includes('no mapping'));
  // Keys of tapes begin with the file's id.
  const firstFile = uploads.entries.find(({ key }) => key)?.key?.split('/')[0];
  if (choices.companies.length === 0) {
    return <Notice tone="warning">There is no company to upload for yet. Ask an administrator to add one.</Notice>;
  }
  return (
    <div ref={box} onSubmitCapture={holdBack}>
      <ScreenForm
        form={form}
        labels={LABELS}
        intent="upload"
        {...(hydrated ? {} : { encType: 'multipart/form-data' as const })}
      >
        <Panel padded className="flex flex-col gap-4">
          <FilesField
            field={fields.attachments}
            refused={fields.refused}
            input={files}
            uploads={uploads}
            missing={isMissed ? interrupted : []}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              field={fields.companyId}
              label="Company"
              empty="Choose a company"
              choices={choices.companies.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(event) => chooseCompany(event.target.value)}
            />
            <TextField field={fields.cutOffDate} label="Cut-off date" type="date" hint="The day the tape describes" />
            <SelectField
              field={fields.mainCurrency}
              label="Main currency"
              choices={choices.currencies}
              hint="The tape’s figures are reported in it"
            />
            <TextField
              field={fields.sheetName}
              label="Sheet"
              hint={
                mappings[0]
                  ? `Left empty: as the mapping names it (${mappings[0].sheet})`
                  : 'Left empty: as the mapping names it'
              }
            />
          </div>
          <SelectField
            field={fields.assetsETL}
            label="Mapping"
            empty="The company’s latest"
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
                    {firstFile ? 'Make one from this file' : 'Make a mapping'}
                  </Link>
                ) : undefined
              }
            >
              The company has no mapping yet. A mapping tells which column of the tape is which figure of an asset.
            </Notice>
          ) : null}
          <CheckboxField
            field={fields.calculateBB}
            label="Calculate the borrowing base as well"
            hint="For each note of the company with a contract in force on the cut-off date"
          />
          <details open={Boolean(fields.exchangeRates.errors)}>
            <summary className="text-xs font-medium text-accent hover:underline">Exchange rates</summary>
            <TextareaField
              className="mt-3"
              field={fields.exchangeRates}
              label="Rates for this tape"
              rows={3}
              placeholder={'EUR 0.92\nGBP 0.79'}
              hint="One a line: the units of a currency that one US dollar buys. Left empty: the table of the cut-off date."
            />
          </details>
        </Panel>
        <FormActions submit={isHeld ? 'Waiting for the files' : 'Upload'} submitting="Looking into the files">
          <Link to={paths.tapes()} className="px-2 text-sm text-ink-2 hover:text-ink">
            Cancel
          </Link>
        </FormActions>
      </ScreenForm>
    </div>
  );
}
