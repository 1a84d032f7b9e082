import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Bucket, MAX_TAPE_BYTES, maxBytesOf } from '@tapeline/domain/files/buckets.ts';
import { typeOfFile } from '@tapeline/domain/files/file-types.ts';
import { LETTER_FILES } from '@tapeline/domain/investors/letter-files.ts';
import { receiveFormFile } from '@tapeline/lake/storage/receive-form-file.ts';
import { CSRF_FIELD, csrfTokenOf, readForm } from '../http/csrf.server.ts';
import type { FormFile } from '../http/form-body.server.ts';
import { SENT_CONTENT } from '../http/form-key.ts';
import type { Screen } from '../http/screen.server.ts';
import { contentOfForm } from '../http/sent-once.server.ts';

/** A file of a form that is in the store, as the form sends it back. */
type KeptFile = Readonly<Record<'field' | 'key' | 'name', string>>;
type StoredFile = KeptFile & { readonly id: string };
interface RefusedFile {
  readonly field: string;
  readonly name: string;
  readonly refusal: Refusal;
}

interface Storing {
  /** Largest form: its files, and space for its fields. */
  readonly maxBytes: number;
  /** Where a file is stored, and as what; null for a file that is not. A refusal is the reason that `write` gets. */
  readonly to: (file: Omit<FormFile, 'data'>) => { bucket: Bucket; directory?: string; type: string } | null;
  /** Writes into the form, which has no files any more, what became of them. */
  readonly write: (form: URLSearchParams, stored: readonly StoredFile[], refused: readonly RefusedFile[]) => void;
}

/**
 * Converts a multipart form with files to the same form without them. Each file is streamed to the store. A form without
 * files is returned unchanged.
 */
export async function storeFormFiles({ request, context, actor }: Screen, storing: Storing): Promise<Request> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')) return request;
  const stored: StoredFile[] = [];
  const refused: RefusedFile[] = [];
  const contents: (string | null)[][] = [];
  const form = await readForm(request, context, {
    maxBytes: storing.maxBytes,
    async onFile({ field, name, type, data }) {
      try {
        const to = storing.to({ field, name, type });
        if (!to) return;
        const { id, key, checksum } = await receiveFormFile(context.store, context.objects, actor, {
          ...to,
          name,
          data,
        });
        stored.push({ field, id, key, name });
        contents.push([field, name, checksum ?? null]);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused.push({ field, name, refusal: error });
      }
    },
  });
  // The CSRF token was already checked. The new form gets the cookie's token, so that it is read like any other form.
  const kept = new URLSearchParams({
    [CSRF_FIELD]: await csrfTokenOf(request, context),
    [SENT_CONTENT]: contentOfForm(form, contents),
  });
  for (const [name, value] of form.entries()) kept.append(name, String(value));
  storing.write(kept, stored, refused);
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/x-www-form-urlencoded');
  headers.delete('content-length');
  return new Request(request.url, { method: 'POST', headers, body: kept });
}

const MEGABYTE = 1024 * 1024;

/**
 * Stores the documents of fields named `upload`, such as `own[2].upload`. The id of a stored one is in `document` beside it,
 * in place of that of an earlier one; why it could not be stored is in `refused`.
 */
export const storeUploads = (screen: Screen, place: { bucket: Bucket; directory?: string }): Promise<Request> =>
  storeFormFiles(screen, {
    maxBytes: maxBytesOf(place) + MEGABYTE,
    to: ({ field, name, type }) => (/(^|\.)upload$/.test(field) ? { ...place, type: typeOfFile(name, type) } : null),
    write(form, stored, refused) {
      for (const { field, id } of stored) form.set(field.replace(/upload$/, 'document'), id);
      for (const { field, name, refusal } of refused) {
        form.set(field.replace(/upload$/, 'refused'), `${name}: ${refusal.message}`);
      }
    },
  });

function writeRefused(form: URLSearchParams, refused: readonly RefusedFile[]): void {
  for (const [index, { name, refusal }] of refused.entries())
    form.append(`refused[${index}]`, `${name}: ${refusal.message}`);
}

/** The list that the files of a field belong to. */
const LISTS: Readonly<Record<string, 'attachments' | 'otherAttachments'>> = {
  files: 'attachments',
  otherFiles: 'otherAttachments',
};

/**
 * Stores the files of a form as its attachments, or lists them as refused with their reasons.
 * @param to the bucket, and the directory of the files in it: tapes have none
 */
export const storeAttachments =
  (to: { bucket?: Bucket; directory?: string } = {}) =>
  (screen: Screen): Promise<Request> =>
    storeFormFiles(screen, {
      maxBytes: 50 * MAX_TAPE_BYTES + MEGABYTE,
      to: ({ field, name, type }) =>
        Object.hasOwn(LISTS, field) ? { bucket: 'loanTapes', ...to, type: typeOfFile(name, type) } : null,
      write(form, stored, refused) {
        for (const list of Object.values(LISTS)) {
          const held = [...form.keys()].filter((name) => name.startsWith(`${list}[`) && name.endsWith('].key')).length;
          for (const [index, { key, name }] of stored.filter(({ field }) => LISTS[field] === list).entries()) {
            form.append(`${list}[${held + index}].key`, key);
            form.append(`${list}[${held + index}].name`, name);
          }
        }
        writeRefused(form, refused);
      },
    });

/**
 * Stores the files of a form as entries of `files` with the name of their field, their key and their name, or lists them
 * as refused. A file that was stored before is replaced by a new one in the same field.
 */
export const storeDocuments = (
  screen: Screen,
  { bucket, typeOf, most }: { bucket: Bucket; typeOf: (name: string, type: string) => string; most: number },
): Promise<Request> =>
  storeFormFiles(screen, {
    // A file that is too large is refused at its field, and not with the whole form.
    maxBytes: (most + 1) * maxBytesOf({ bucket }) + MEGABYTE,
    to: ({ name, type }) => ({ bucket, type: typeOf(name, type) }),
    write(form, stored, refused) {
      const fields = new Set(stored.map(({ field }) => field));
      const earlier = keptFiles(form).filter(({ field }) => !fields.has(field));
      for (const name of [...form.keys()]) if (/^files\[\d+\]\./.test(name)) form.delete(name);
      for (const [index, { field, key, name: fileName }] of [...earlier, ...stored].entries()) {
        for (const [name, value] of Object.entries({ field, key, name: fileName }))
          form.append(`files[${index}].${name}`, value);
      }
      writeRefused(form, refused);
    },
  });

function keptFiles(form: URLSearchParams): KeptFile[] {
  const places = new Set([...form.keys()].flatMap((name) => /^files\[(\d{1,3})\]\.key$/.exec(name)?.[1] ?? []));
  const part = (place: string, name: string) => form.get(`files[${place}].${name}`) ?? '';
  return [...places].map((place) => ({
    field: part(place, 'field'),
    key: part(place, 'key'),
    name: part(place, 'name'),
  }));
}

/** Stores the bank letter of a request for another account, which the form then sends as `letter`. A new one replaces it. */
export const storeBankLetter = (screen: Screen): Promise<Request> =>
  storeFormFiles(screen, {
    maxBytes: maxBytesOf(LETTER_FILES) + MEGABYTE,
    to: ({ field, name, type }) => (field === 'bankLetter' ? { ...LETTER_FILES, type: typeOfFile(name, type) } : null),
    write(form, stored, refused) {
      for (const { key } of stored) form.set('letter', key);
      writeRefused(form, refused);
    },
  });

/** Files that could not be stored are reported before anything is created. */
export function requireFiles({ refused }: { refused: readonly string[] }): void {
  if (refused.length > 0) throw new Refusal('badRequest', refused.join('\n'), { flags: { files: refused.join('\n') } });
}
