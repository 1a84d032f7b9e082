import { DOCUMENT_HINT } from '@tapeline/domain/files/buckets.ts';
import { UPLOAD_EXTENSIONS } from '@tapeline/domain/files/file-types.ts';

/**
 * A file of a form, which an action stores before it reads the rest. What is stored is sent back by its id or
 * key, so that it stays.
 * @param name of the upload
 * @param stored where the stored file is sent back, and its id or key; empty if there is none
 */
export function StoredFileField({
  name,
  label,
  stored,
  isRequired = false,
}: {
  name: string;
  label: string;
  stored: { readonly name: string; readonly value: string };
  isRequired?: boolean;
}) {
  const id = `${name}-file`;
  return (
    <div className="min-w-0">
      {stored.value ? <input type="hidden" name={stored.name} value={stored.value} /> : null}
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
        {label} {isRequired ? null : <span className="font-normal text-ink-3">(optional)</span>}
      </label>
      <input
        id={id}
        type="file"
        name={name}
        required={isRequired && !stored.value}
        accept={UPLOAD_EXTENSIONS}
        aria-describedby={`${id}-hint`}
        className="min-w-0 max-w-full text-sm file:mr-2 file:h-8 file:rounded-md file:border file:border-line-strong file:bg-paper file:px-2.5 file:text-ink max-sm:file:h-10"
      />
      <p id={`${id}-hint`} className="mt-1 text-xs text-ink-3">
        {stored.value ? 'It has a file. A new one replaces it.' : DOCUMENT_HINT}
      </p>
    </div>
  );
}
