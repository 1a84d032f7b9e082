import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import { Name } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Problem, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { computeFormDescription, MAX_UPLOADS, uploadFieldsDescription } from './document-form.ts';

/** What the action answers. */
export interface StatementAnswer {
  intent?: string;
  lastResult?: SubmissionResult<string[]>;
}

interface Page {
  readonly investors: readonly { id: string; title: string }[];
  readonly total: number;
  readonly quarterEnd: string;
}

interface Props {
  page: Page;
  backTo: string;
  answer: StatementAnswer | undefined;
}

const LABELS = {
  cutOffDate: 'Cut-off date',
  whom: 'Investors',
  investors: 'Investors',
  files: 'File',
};

/** What becomes of what is stored, at its form. */
export const STORED_AS_DRAFT = 'Stored as a draft. Publish it in the list of documents, which says who is told.';

/** Files that an earlier attempt of the form has stored. */
export function keptFilesOfFields(initialValue: unknown): { field: string; key: string; name: string }[] {
  const { files } = (initialValue ?? {}) as { files?: unknown };
  if (!Array.isArray(files)) return [];
  return files.flatMap((one: { field?: unknown; key?: unknown; name?: unknown }) =>
    typeof one?.key === 'string' && typeof one.field === 'string'
      ? [{ field: one.field, key: one.key, name: String(one.name ?? '') }]
      : [],
  );
}

/** A file input without a schema of its own: the action turns its file into an entry of `files`. */
export function PlainFile({
  name,
  label,
  accept,
  kept,
  index,
  hint,
}: {
  name: string;
  label: string;
  accept: string;
  kept: { key: string; name: string; field: string } | undefined;
  index: number;
  hint?: string;
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={name} className="mb-1 block text-xs font-medium text-ink-2">
        {label}
      </label>
      <input
        id={name}
        type="file"
        name={name}
        aria-describedby={hint ? `${name}-hint` : undefined}
        accept={accept}
        className="block w-full max-w-full text-sm text-ink-2 file:mr-3 file:h-8 file:rounded-md file:border file:border-solid file:border-line-strong file:bg-paper file:px-3 file:text-sm file:font-medium file:text-ink hover:file:bg-hover max-sm:file:h-10"
      />
      {hint ? (
        <p id={`${name}-hint`} className="mt-1 text-xs text-ink-3">
          {hint}
        </p>
      ) : null}
      {kept ? (
        <p className="mt-1 text-xs text-ink-3">
          {kept.name} is stored. Choose another file to replace it.
          {(['field', 'key', 'name'] as const).map((part) => (
            <input key={part} type="hidden" name={`files[${index}].${part}`} value={kept[part]} />
          ))}
        </p>
      ) : null}
    </div>
  );
}

/** The date that all statements of a form share. */
function SharedFields({ cutOffDate }: { cutOffDate: FieldMetadata<unknown> }) {
  return (
    <PanelSection title="Statement" note={STORED_AS_DRAFT} className={FORM_GRID}>
      <TextField
        field={cutOffDate}
        label="Cut-off date"
        type="date"
        suggestsMonthEnds
        hint="The last day that the statement covers"
      />
    </PanelSection>
  );
}

/** Statements that are computed from calls, distributions and NAVs. */
export function ComputedStatements({ page, backTo, answer }: Props) {
  const { investors, total, quarterEnd } = page;
  const own = answer?.intent === 'compute' ? answer.lastResult : undefined;
  const [form, fields] = useScreenForm('compute', computeFormDescription, {
    lastResult: own,
    defaultValue: { cutOffDate: quarterEnd, whom: 'all', ...own?.initialValue },
    shouldValidate: 'onSubmit',
  });
  const initial = [fields.investors.initialValue].flat();
  return (
    <ScreenForm form={form} intent="compute" labels={LABELS}>
      <SharedFields cutOffDate={fields.cutOffDate} />
      <PanelSection title="Investors" note={formatCount(total, 'investor')} padded>
        <fieldset id={fields.whom.id} className="flex flex-wrap gap-x-6">
          <legend className="sr-only">Whom the statements are for</legend>
          {(
            [
              ['all', `All ${formatCount(total, 'investor')}`],
              ['chosen', 'Those chosen below'],
            ] as const
          ).map(([value, label]) => (
            <label key={value} className="flex min-h-8 items-center gap-2 text-sm max-sm:min-h-10">
              <input
                type="radio"
                name={fields.whom.name}
                value={value}
                defaultChecked={fields.whom.initialValue === value}
                className="size-4 accent-accent"
              />
              {label}
            </label>
          ))}
        </fieldset>
        <Problem field={fields.whom} label={LABELS.whom} verb="Choose" />
        <fieldset id={fields.investors.id} className="mt-3 border-t border-line pt-3">
          <legend className="sr-only">Investors</legend>
          <div className="grid gap-x-4 sm:grid-cols-2 lg:grid-cols-3">
            {investors.map(({ id, title }) => (
              <label key={id} className="flex min-h-8 items-center gap-2 text-sm max-sm:min-h-10">
                <input
                  type="checkbox"
                  name={fields.investors.name}
                  value={id}
                  defaultChecked={initial.includes(id)}
                  className="size-4 accent-accent"
                />
                <Name length={40}>{title}</Name>
              </label>
            ))}
          </div>
        </fieldset>
        <Problem field={fields.investors} label={LABELS.investors} verb="Choose" />
      </PanelSection>
      <FormActions submit="Create statements" submitting="Creating" cancelTo={backTo} />
    </ScreenForm>
  );
}

/** Statements that someone else has made: a PDF file for each investor. */
export function UploadedStatements({ page, backTo, answer }: Props) {
  const { investors, total, quarterEnd } = page;
  const own = answer?.intent === 'upload' ? answer.lastResult : undefined;
  const [form, fields] = useScreenForm('upload', uploadFieldsDescription, {
    lastResult: own,
    defaultValue: { cutOffDate: quarterEnd, ...own?.initialValue },
  });
  const kept = keptFilesOfFields(own?.initialValue);
  return (
    <ScreenForm form={form} intent="upload" labels={LABELS} encType="multipart/form-data">
      <SharedFields cutOffDate={fields.cutOffDate} />
      <PanelSection title="Files" note="PDF, one for each investor; an investor without a file gets no statement">
        <fieldset id={fields.files.id} className="grid gap-4 p-4 sm:grid-cols-2">
          <legend className="sr-only">Files</legend>
          <p className="text-xs text-ink-3 sm:col-span-2">PDF files of up to 100 MB each, one for each investor.</p>
          {investors.map(({ id, title }) => {
            const name = `file-${id}`;
            const index = kept.findIndex(({ field }) => field === name);
            return (
              <PlainFile
                key={id}
                name={name}
                label={title}
                accept=".pdf,application/pdf"
                kept={kept[index]}
                index={index}
              />
            );
          })}
        </fieldset>
        <div className="px-4 pb-3">
          <Problem field={fields.files} label={LABELS.files} verb="Choose" />
        </div>
        <Pagination total={total} limit={MAX_UPLOADS} noun="investors" />
      </PanelSection>
      <FormActions submit="Store statements" submitting="Storing" cancelTo={backTo} />
    </ScreenForm>
  );
}
