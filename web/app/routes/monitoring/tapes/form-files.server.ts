import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { type Bucket, MOST_TAPE_BYTES } from '@tapeline/domain/files/buckets.ts';
import { typeOfFile } from '@tapeline/domain/files/file-types.ts';
import { receiveFormFile } from '@tapeline/lake/storage/receive-form-file.ts';
import { CSRF_FIELD, csrfTokenOf, readForm } from '../../../http/csrf.server.ts';
import { SENT_CONTENT } from '../../../http/form-key.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { contentOfForm } from '../../../http/sent-once.server.ts';

/** The list that the files of a field belong to. */
const LISTS: Readonly<Record<string, 'attachments' | 'otherAttachments'>> = {
  files: 'attachments',
  otherFiles: 'otherAttachments',
};
/** Maximum size of one form: its files, and space for its fields. */
const MAX_FORM_BYTES = 50 * MOST_TAPE_BYTES + 1024 * 1024;

/**
 * Converts a multipart form with files to the same form without them. Each file is streamed to the store and becomes an
 * attachment, or is listed as refused with its reason. A form without files is returned unchanged.
 * @param to the bucket, and the directory of the files in it: tapes have none
 */
export async function storeFilesOfForm(
  screen: Screen,
  to: { bucket?: Bucket; directory?: string } = {},
): Promise<Request> {
  const { request, context, actor } = screen;
  if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')) return request;
  const stored: Record<'attachments' | 'otherAttachments', { key: string; name: string }[]> = {
    attachments: [],
    otherAttachments: [],
  };
  const refused: string[] = [];
  const files: (string | null)[][] = [];
  const form = await readForm(request, context, {
    maxBytes: MAX_FORM_BYTES,
    async onFile({ field, name, type, data }) {
      const list = Object.hasOwn(LISTS, field) ? LISTS[field] : undefined;
      if (!list) {
        for await (const _ of data);
        return;
      }
      try {
        const { key, checksum } = await receiveFormFile(context.store, context.objects, actor, {
          bucket: 'loanTapes',
          ...to,
          name,
          type: typeOfFile(name, type),
          data,
        });
        stored[list].push({ key, name });
        files.push([field, name, checksum ?? null]);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused.push(`${name}: ${error.message}`);
      }
    },
  });
  // The CSRF token was already checked. The new form gets the cookie's token, so that it is read like any other form.
  const kept = new URLSearchParams({
    [CSRF_FIELD]: await csrfTokenOf(request, context),
    [SENT_CONTENT]: contentOfForm(form, files),
  });
  for (const [name, value] of form.entries()) kept.append(name, String(value));
  for (const list of Object.values(LISTS)) {
    const held = [...kept.keys()].filter((name) => name.startsWith(`${list}[`) && name.endsWith('].key')).length;
    for (const [index, { key, name }] of stored[list].entries()) {
      kept.append(`${list}[${held + index}].key`, key);
      kept.append(`${list}[${held + index}].name`, name);
    }
  }
  for (const [index, reason] of refused.entries()) kept.append(`refused[${index}]`, reason);
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/x-www-form-urlencoded');
  headers.delete('content-length');
  return new Request(request.url, { method: 'POST', headers, body: kept });
}
