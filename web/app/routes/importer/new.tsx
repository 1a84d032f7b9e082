import type { SubmissionResult } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { typeOfFile } from '@tapeline/domain/files/file-types.ts';
import { IMPORT_FILE_LIMITS } from '@tapeline/domain/importer/draft.ts';
import {
  FILE_BUCKETS,
  IMPORT_STATUSES,
  type ImportKind,
  isFileKind,
  KIND_TITLES,
  MAX_ROWS,
} from '@tapeline/domain/importer/kinds.ts';
import type { ReactNode } from 'react';
import { requireFiles, storeDocuments } from '../../commands/form-files.server.ts';
import { formatFigure } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { Problem, SelectField, TextField } from '../../components/forms/fields.tsx';
import { FORM_GRID } from '../../components/forms/form-layout.ts';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreenOfManager, type Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { ChooseFund } from '../capital/choose-fund.tsx';
import { lastQuarterEnd } from '../capital/documents/documents-owner.server.ts';
import { keptFilesOfFields } from '../capital/documents/statement-fields.tsx';
import { fundOfUrl } from '../capital/fund-of-form.server.ts';
import { ImportSteps } from './import-steps.tsx';
import { isImportKind, STATUS_CHOICES, titleOf } from './kind-words.ts';
import { preparePdfs, prepareSheet } from './new.server.ts';
import { MAX_PDFS, pdfFieldsDescription, pdfForm, sheetFieldsDescription, sheetForm } from './new-form.ts';

export const handle = named<typeof loader>(({ kind }) => [titleOf(kind)]);

const kindOf = (kind: string | undefined) => {
  if (!isImportKind(kind)) throw new Refusal('notFound');
  return kind;
};

export const loader = readScreenOfManager('importer/write', async (screen) => {
  const kind = kindOf(screen.params.kind);
  const { fund, choice } =
    kind === 'capitalAccounts'
      ? await screen.db((session) => fundOfUrl(session, screen))
      : { fund: null, choice: null };
  return { kind, fund, choice, quarterEnd: lastQuarterEnd(calendarDateOf(new Date())) };
});

const storeFiles = (screen: Screen) => {
  const kind = kindOf(screen.params.kind);
  return isFileKind(kind)
    ? storeDocuments(screen, { bucket: FILE_BUCKETS[kind], typeOf: () => 'application/pdf', most: MAX_PDFS })
    : storeDocuments(screen, { bucket: 'importerFiles', typeOf: typeOfFile, most: 1 });
};

export const action = act(
  {
    sheet: intent({
      permission: 'importer/write',
      schema: sheetForm,
      async run(form, screen) {
        requireFiles(form);
        const kind = kindOf(screen.params.kind);
        const [file] = form.files;
        if (!file || isFileKind(kind)) throw new Refusal('badRequest', 'Choose a file');
        const { id, isClear } = await prepareSheet(screen, kind, { ...file, status: form.status });
        return redirect(isClear ? paths.importCheck(id) : paths.importColumns(id));
      },
    }),
    pdfs: intent({
      permission: 'importer/write',
      schema: pdfForm,
      async run(form, screen) {
        requireFiles(form);
        const kind = kindOf(screen.params.kind);
        if (!isFileKind(kind)) throw new Refusal('badRequest', 'Choose PDF files');
        return redirect(paths.importFiles((await preparePdfs(screen, kind, form)).id));
      },
    }),
  },
  { maxBytes: 1024 * 1024, files: { permission: 'importer/write', store: storeFiles } },
);

interface Answer {
  intent?: string;
  lastResult?: SubmissionResult<string[]>;
}

const LABELS = { files: 'File', status: 'Status', date: 'Cut-off date', fund: 'Fund', classKey: 'Class' };
const statusLabel = (kind: ImportKind): string => `Import the ${KIND_TITLES[kind].nouns} as`;
const FILE_INPUT =
  'block w-full max-w-full text-sm text-ink-2 file:mr-3 file:h-8 file:rounded-md file:border file:border-solid file:border-line-strong file:bg-paper file:px-3 file:text-sm file:font-medium file:text-ink hover:file:bg-hover max-sm:file:h-10';

/** The files of the form. Those that an earlier attempt has stored stay with it. */
function FilesInput({
  id,
  label,
  accept,
  multiple,
  kept,
  hint,
}: {
  id: string;
  label: string;
  accept: string;
  multiple: boolean;
  kept: ReturnType<typeof keptFilesOfFields>;
  hint: string;
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
        {label}
      </label>
      <input
        id={id}
        type="file"
        name="upload"
        accept={accept}
        multiple={multiple}
        aria-describedby={`${id}-hint`}
        className={FILE_INPUT}
      />
      <p id={`${id}-hint`} className="mt-1 text-xs text-ink-3">
        {hint}
      </p>
      {kept.length > 0 ? (
        <p className="mt-1 text-xs text-ink-2">
          {kept.length === 1 ? `${kept[0]?.name} is stored.` : `${formatFigure(kept.length)} files are stored.`} Choose
          again to replace {kept.length === 1 ? 'it' : 'them'}.
          {kept.flatMap((file, index) =>
            (['field', 'key', 'name'] as const).map((part) => (
              <input key={`${file.key}-${part}`} type="hidden" name={`files[${index}].${part}`} value={file[part]} />
            )),
          )}
        </p>
      ) : null}
    </div>
  );
}

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function Template({ kind, children }: { kind: Page['kind']; children: ReactNode }) {
  return (
    <PanelSection
      title="Template"
      note="headers, allowed values, notes on each column and an example"
      className="flex max-w-[60rem] flex-wrap gap-2 p-4"
    >
      <LinkButton to={paths.importTemplate(kind)} external download>
        Template (Excel)
      </LinkButton>
      <LinkButton to={paths.importTemplate(kind, { format: 'csv' })} external download>
        Template (CSV)
      </LinkButton>
      <p className="w-full text-xs text-ink-3">{children}</p>
    </PanelSection>
  );
}

function SheetUpload({ kind, answer }: { kind: Page['kind']; answer: Answer | undefined }) {
  const own = answer?.intent === 'sheet' ? answer.lastResult : undefined;
  const statuses = IMPORT_STATUSES[kind];
  const [form, fields] = useScreenForm('sheet', sheetFieldsDescription, {
    lastResult: own,
    defaultValue: { status: statuses[0], ...own?.initialValue },
  });
  return (
    <>
      <Template kind={kind}>You can also upload a file of your own and match its columns in the next step.</Template>
      <ScreenForm
        form={form}
        intent="sheet"
        labels={{ ...LABELS, status: statusLabel(kind) }}
        encType="multipart/form-data"
      >
        <PanelSection title="File" className={FORM_GRID}>
          <div>
            <FilesInput
              id={fields.files.id}
              label="File"
              accept=".xlsx,.csv,text/csv"
              multiple={false}
              kept={keptFilesOfFields(own?.initialValue)}
              hint={`Excel (.xlsx) or CSV, at most ${formatFigure(MAX_ROWS[kind])} rows and ${IMPORT_FILE_LIMITS.bytes / 1024 / 1024} MB.`}
            />
            <Problem field={fields.files} label={LABELS.files} verb="Choose" />
          </div>
          {statuses.length > 1 ? (
            <SelectField
              field={fields.status}
              label={statusLabel(kind)}
              hint={
                kind === 'LPCommitments' ? 'Calls, distributions and NAVs need commitments that are Active.' : undefined
              }
              choices={statuses.map((status) => STATUS_CHOICES[status])}
            />
          ) : null}
        </PanelSection>
        <FormActions submit="Upload and check" submitting="Uploading" cancelTo={paths.importer()} />
      </ScreenForm>
    </>
  );
}

function PdfUpload({ page, answer }: { page: Page; answer: Answer | undefined }) {
  const isStatements = page.kind === 'capitalAccounts';
  const own = answer?.intent === 'pdfs' ? answer.lastResult : undefined;
  const [form, fields] = useScreenForm('pdfs', pdfFieldsDescription, {
    lastResult: own,
    defaultValue: { date: page.quarterEnd, status: 'Draft', fund: page.fund?.id, ...own?.initialValue },
    shouldValidate: 'onSubmit',
  });
  const classes = page.fund?.classes ?? [];
  return (
    <>
      <ScreenForm
        form={form}
        intent="pdfs"
        labels={{ ...LABELS, status: statusLabel(page.kind) }}
        encType="multipart/form-data"
      >
        {page.fund ? <input type="hidden" name="fund" value={page.fund.id} /> : null}
        <PanelSection
          title="Files"
          note={isStatements ? page.fund?.title : 'one for each fund or class'}
          className={FORM_GRID}
        >
          <TextField field={fields.date} label="Cut-off date" type="date" suggestsMonthEnds />
          <SelectField
            field={fields.status}
            label={statusLabel(page.kind)}
            choices={[STATUS_CHOICES.Draft, STATUS_CHOICES.Active]}
          />
          {isStatements && classes.length > 0 ? (
            <SelectField
              field={fields.classKey}
              label="Class"
              empty="Choose the class"
              choices={classes.map(({ uniqueKey, name: title }) => ({ value: uniqueKey, label: title }))}
            />
          ) : null}
          <div className="sm:col-span-2">
            <FilesInput
              id={fields.files.id}
              label="PDF files"
              accept=".pdf,application/pdf"
              multiple
              kept={keptFilesOfFields(own?.initialValue)}
              hint={
                isStatements
                  ? `At most ${MAX_ROWS[page.kind]} of up to 100 MB. A file belongs to the investor whose code or name is in its name, for example “LP-0471 2026-09-30.pdf”.`
                  : `At most ${MAX_ROWS[page.kind]} of up to 100 MB. A file belongs to the fund or class whose name or code is in its name.`
              }
            />
            <Problem field={fields.files} label={LABELS.files} verb="Choose" />
          </div>
        </PanelSection>
        <FormActions submit="Upload and match" submitting="Uploading" cancelTo={paths.importer()} />
      </ScreenForm>
      <Template kind={page.kind}>
        Only for imports through the API, where a sheet names each PDF. On this page, files are matched by their names.
      </Template>
    </>
  );
}

export default function NewImport() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  const { kind, choice } = page;
  if (choice) return <ChooseFund title={titleOf(kind)} choice={choice} backTo={paths.importer()} />;
  return (
    <>
      <PageHeader title={titleOf(kind)} facts={['nothing is stored until you confirm']} />
      <ImportSteps
        at="file"
        file={isFileKind(kind) ? 'PDF files' : 'Excel or CSV'}
        second={
          isFileKind(kind)
            ? { label: 'Match', note: 'by file name' }
            : { label: 'Columns', note: 'which column is which' }
        }
      />
      {isFileKind(kind) ? <PdfUpload page={page} answer={answer} /> : <SheetUpload kind={kind} answer={answer} />}
    </>
  );
}
