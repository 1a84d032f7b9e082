import type { FieldMetadata } from '@conform-to/react';
import { DOCUMENT_HINT } from '@tapeline/domain/files/buckets.ts';
import { CircleAlert, CircleCheck, FileSpreadsheet, FileUp, X } from 'lucide-react';
import { type DragEvent, type RefObject, useState } from 'react';
import { classNames } from '../../../../components/class-names.ts';
import { formatBytes } from '../../../../components/figures/format.ts';
import { Button, IconButton } from '../../../../components/forms/button.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { TAPE_FILE_TYPES } from '../upload-form.schema.ts';
import type { UploadEntry, useFileUploads } from '../use-file-uploads.ts';

// biome-ignore lint/suspicious/noExplicitAny: fields of any schema; only names and errors are used
type AnyField = FieldMetadata<any, any, any>;

function EntryState({ entry }: { entry: UploadEntry }) {
  const percent = Math.round(entry.fraction * 100);
  switch (entry.state) {
    case 'stored':
      return (
        <span className="flex items-center gap-1 text-xs text-good">
          <CircleCheck aria-hidden="true" size={14} /> Uploaded
        </span>
      );
    case 'refused':
    case 'interrupted':
      return (
        <span className="flex items-center gap-1 text-xs text-danger">
          <CircleAlert aria-hidden="true" size={14} className="flex-none" /> {entry.problem}
        </span>
      );
    default:
      return (
        <span className="flex items-center gap-2 text-xs text-ink-3">
          <span
            role="progressbar"
            aria-label={`Upload of ${entry.name}`}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
            className="h-1.5 w-24 overflow-hidden rounded-full bg-line"
          >
            <span className="block h-full rounded-full bg-chart-1" style={{ width: `${percent}%` }} />
          </span>
          <span className="figures w-9 text-right">{percent}%</span>
        </span>
      );
  }
}

/** A list of files on a form. */
interface FileList {
  /** Name of the list in the form. */
  readonly name: string;
  /** Name of the input that sends the files with the form, without JavaScript. */
  readonly input: string;
  readonly label: string;
  readonly hint: string;
  /** What the file picker offers; everything if omitted. */
  readonly accept?: string;
}

export const TAPE_FILES: FileList = {
  name: 'attachments',
  input: 'files',
  label: 'Files',
  hint: 'Each file becomes a separate tape.',
  accept: TAPE_FILE_TYPES,
};

export const OTHER_FILES: FileList = {
  name: 'otherAttachments',
  input: 'otherFiles',
  label: 'Other documents',
  hint: `Kept with the tape, not read. ${DOCUMENT_HINT}.`,
};

/**
 * Selects files with the picker or by drag and drop. With JavaScript each file is uploaded at once and shows its
 * progress. Without it, files are sent with the form.
 */
export function FilesField({
  field,
  refused,
  input,
  uploads,
  missing,
  list,
}: {
  field: AnyField;
  /** Files of a form without JavaScript that were refused. */
  refused?: AnyField;
  input: RefObject<HTMLInputElement>;
  uploads: ReturnType<typeof useFileUploads>;
  /** Names of files whose upload was interrupted, so that the form was not sent. */
  missing: readonly string[];
  list: FileList;
}) {
  const hydrated = useHydrated();
  const [isOver, setOver] = useState(false);
  const problems = [
    ...[...(field.errors ?? []), ...(refused?.errors ?? [])].map(String),
    ...missing.map((name) => `${name} was not uploaded. Try again, or remove it from the list.`),
  ];
  const drop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    uploads.add(event.dataTransfer.files);
  };
  const stored = uploads.entries.filter(({ key }) => key);
  return (
    <div>
      <label htmlFor={field.id} className="mb-1 block text-xs font-medium text-ink-2">
        {list.label}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the input inside is the control */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classNames(
          'relative flex flex-col items-center rounded-md border border-dashed px-3 py-5 text-sm text-ink-2',
          isOver
            ? 'border-accent bg-accent-soft'
            : problems.length > 0
              ? 'border-danger bg-canvas'
              : 'border-field-line bg-canvas',
        )}
      >
        <FileUp aria-hidden="true" size={18} strokeWidth={1.75} className="mb-2 text-ink-3" />
        <input
          ref={input}
          id={field.id}
          type="file"
          name={hydrated ? undefined : list.input}
          accept={list.accept}
          multiple
          aria-describedby={`${field.id}-hint${problems.length > 0 ? ` ${field.errorId}` : ''}`}
          aria-invalid={problems.length > 0 ? true : undefined}
          onChange={(event) => {
            uploads.add(event.target.files ?? []);
            // Allows the same file to be selected again after it was removed from the list.
            event.target.value = '';
          }}
          className="max-w-full text-sm file:mr-3 file:h-8 file:rounded-md file:border file:border-solid file:border-line-strong file:bg-paper file:px-3 file:text-sm file:font-medium file:text-ink"
        />
        <p id={`${field.id}-hint`} className="mt-2 text-xs text-ink-3">
          {hydrated ? 'Or drop files here. ' : ''}
          {list.hint}
        </p>
      </div>
      {problems.length > 0 ? (
        <p id={field.errorId} role="alert" className="mt-1.5 text-xs break-words whitespace-pre-line text-danger">
          {problems.join('\n')}
        </p>
      ) : null}
      {uploads.entries.length > 0 ? (
        <ul
          aria-label={`Selected ${list.label.toLowerCase()}`}
          aria-live="polite"
          className="mt-2 divide-y divide-line rounded-md border border-line"
        >
          {uploads.entries.map((entry) => (
            <li key={entry.id} className="flex min-h-9 flex-wrap items-center gap-x-2.5 gap-y-1 px-3 py-1 text-sm">
              <FileSpreadsheet aria-hidden="true" size={15} strokeWidth={1.75} className="flex-none text-ink-3" />
              <span className="min-w-0 flex-1 break-words">
                {entry.name}
                {entry.size === null ? null : (
                  <span className="ml-2 text-xs text-ink-3">{formatBytes(entry.size)}</span>
                )}
              </span>
              <EntryState entry={entry} />
              {entry.state === 'interrupted' ? (
                <Button className="h-7" onClick={() => uploads.again(entry.id)} aria-label={`Try ${entry.name} again`}>
                  Try again
                </Button>
              ) : null}
              {hydrated ? (
                <IconButton
                  icon={X}
                  label={`Remove ${entry.name} from the list`}
                  className="size-6"
                  onClick={() => uploads.remove(entry.id)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {stored.map((entry, index) => (
        <span key={entry.id}>
          <input type="hidden" name={`${list.name}[${index}].key`} value={entry.key ?? ''} />
          <input type="hidden" name={`${list.name}[${index}].name`} value={entry.name} />
        </span>
      ))}
    </div>
  );
}
