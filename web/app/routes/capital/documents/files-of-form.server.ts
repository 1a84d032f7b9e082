import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Bucket, mostBytesOf } from '@tapeline/domain/files/buckets.ts';
import { receiveFormFile } from '@tapeline/lake/storage/receive-form-file.ts';
import { CSRF_FIELD, csrfTokenOf, readForm } from '../../../http/csrf.server.ts';
import { SENT_CONTENT } from '../../../http/form-key.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { contentOfForm } from '../../../http/sent-once.server.ts';
import { MOST_UPLOADS } from './document-form.ts';

/**
 * Converts a multipart form with files to the same form without them. Each file is streamed to the store, and becomes an
 * entry of `files` with the name of its field, its key and its name; or of `refused`, with its reason.
 */
export async function storeDocuments(
  screen: Screen,
  {
    bucket,
    typeOf,
    mostFiles = MOST_UPLOADS,
  }: { bucket: Bucket; typeOf: (name: string, type: string) => string; mostFiles?: number },
): Promise<Request> {
  const { request, context, actor } = screen;
  if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')) return request;
  const stored: Record<'field' | 'key' | 'name', string>[] = [];
  const refused: string[] = [];
  const files: (string | null)[][] = [];
  const form = await readForm(request, context, {
    // A file that is too large is refused at its field, and not with the whole form.
    maxBytes: (mostFiles + 1) * mostBytesOf({ bucket }) + 1024 * 1024,
    async onFile({ field, name, type, data }) {
      try {
        const file = { bucket, name, type: typeOf(name, type), data };
        const { key, checksum } = await receiveFormFile(context.store, context.objects, actor, file);
        stored.push({ field, key, name });
        files.push([field, name, checksum ?? null]);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused.push(`${name}: ${error.message}`);
      }
    },
  });
  // The token was checked. The new form gets the cookie's token, so that it is read like any other form.
  const kept = new URLSearchParams({
    [CSRF_FIELD]: await csrfTokenOf(request, context),
    [SENT_CONTENT]: contentOfForm(form, files),
  });
  for (const [name, value] of form.entries()) kept.append(name, String(value));
  // A file that was stored before is replaced by a new one in the same field.
  const fields = new Set(stored.map(({ field }) => field));
  const earlier = keptFiles(kept).filter(({ field }) => !fields.has(field));
  for (const name of [...kept.keys()]) if (/^files\[\d+\]\./.test(name)) kept.delete(name);
  for (const [place, file] of [...earlier, ...stored].entries()) {
    for (const [name, value] of Object.entries(file)) kept.append(`files[${place}].${name}`, value);
  }
  for (const [place, reason] of refused.entries()) kept.append(`refused[${place}]`, reason);
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/x-www-form-urlencoded');
  headers.delete('content-length');
  return new Request(request.url, { method: 'POST', headers, body: kept });
}

function keptFiles(form: URLSearchParams): Record<'field' | 'key' | 'name', string>[] {
  const places = new Set([...form.keys()].flatMap((name) => /^files\[(\d{1,3})\]\.key$/.exec(name)?.[1] ?? []));
  const part = (place: string, name: string) => form.get(`files[${place}].${name}`) ?? '';
  return [...places].map((place) => ({
    field: part(place, 'field'),
    key: part(place, 'key'),
    name: part(place, 'name'),
  }));
}

/** Files that could not be stored are reported before anything is created. */
export function requireFiles({ refused }: { refused: readonly string[] }): void {
  if (refused.length > 0) throw new Refusal('badRequest', refused.join('\n'), { flags: { files: refused.join('\n') } });
}
