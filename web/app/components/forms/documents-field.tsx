import type { FieldMetadata } from '@conform-to/react';
import { DOCUMENT_HINT } from '@tapeline/domain/files/buckets.ts';
import { UPLOAD_EXTENSIONS } from '@tapeline/domain/files/file-types.ts';
import { FileField } from './fields.tsx';

/** A document that an earlier attempt to submit the form has stored. */
export interface KeptFile {
  readonly key: string;
  readonly name: string;
}

/** The documents that an earlier attempt stored, from the values that the action returned. */
export function keptFiles(initialValue: unknown): KeptFile[] {
  const { attachments } = (initialValue ?? {}) as { attachments?: unknown };
  if (!Array.isArray(attachments)) return [];
  return attachments.flatMap((one: { key?: unknown; name?: unknown }) =>
    typeof one?.key === 'string' ? [{ key: one.key, name: String(one.name ?? one.key) }] : [],
  );
}

/** Documents to upload, with those that an earlier attempt stored, which the form sends as `attachments`. */
export function DocumentsField({
  field,
  label,
  most,
  kept,
}: {
  field: FieldMetadata<unknown>;
  label: string;
  most: number;
  kept: readonly KeptFile[];
}) {
  return (
    <>
      <FileField
        // Empty again once its files are stored, so that they are not sent twice.
        key={`files-${kept.length}`}
        field={field}
        label={label}
        hint={`At most ${most} files: ${DOCUMENT_HINT}`}
        accept={UPLOAD_EXTENSIONS}
        multiple
      />
      {kept.map((file, at) => (
        <p key={file.key} className="text-sm text-ink-2">
          {file.name}
          <input type="hidden" name={`attachments[${at}].key`} value={file.key} />
          <input type="hidden" name={`attachments[${at}].name`} value={file.name} />
        </p>
      ))}
    </>
  );
}
