import { unstable_parseMultipartFormData } from '@remix-run/node';
import { receiveFormFile } from '@tapeline/db/files/receive-form-file.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { MAX_UPLOAD_BYTES } from '../api/files.ts';
import { CSRF_FIELD, csrfTokenMatches } from '../csrf.server.ts';
import { answerError } from '../errors.server.ts';
import type { Screen } from '../screen.server.ts';
import { typeOfFile } from './upload-form.schema.ts';

/** Longest text of one field; files have a limit of their own. */
const MAX_TEXT_BYTES = 64 * 1024;
const FILES_FIELD = 'files';

async function readText(screen: Screen, data: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of data) {
    size += part.length;
    if (size > MAX_TEXT_BYTES) throw answerError(screen.context, 'badRequest', 'A field of the form is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * The form of a browser that sends its files with it, as the same form without them: each file is streamed to the store and stands as an
 * attachment, or with its reason among the refused. A form without files is given back as it is.
 */
export async function storeFilesOfForm(screen: Screen): Promise<Request> {
  const { request, context, actor } = screen;
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) return request;
  const kept = new URLSearchParams();
  const stored: { key: string; name: string }[] = [];
  const refused: string[] = [];
  let isOurs = false;
  await unstable_parseMultipartFormData(request, async ({ name, filename, contentType, data }) => {
    if (filename === undefined) {
      const text = await readText(screen, data);
      // The token stands first in every form: no file is taken before it was seen.
      if (name === CSRF_FIELD) isOurs = csrfTokenMatches(request.headers.get('cookie'), text);
      kept.append(name, text);
      return null;
    }
    if (!isOurs)
      throw answerError(context, 'forbidden', 'This form is too old to be sent. Reload the page and send it again.');
    if (name !== FILES_FIELD || filename === '') {
      for await (const _ of data);
      return null;
    }
    const file = { bucket: 'loanTapes' as const, name: filename, type: typeOfFile(filename, contentType), data };
    try {
      const { key } = await receiveFormFile(context.store, context.objects, actor, {
        ...file,
        maxBytes: MAX_UPLOAD_BYTES,
      });
      stored.push({ key, name: filename });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push(`${filename}: ${error.message}`);
    }
    return null;
  });
  const held = [...kept.keys()].filter((name) => /^attachments\[\d+\]\.key$/.test(name)).length;
  stored.forEach(({ key, name }, index) => {
    kept.append(`attachments[${held + index}].key`, key);
    kept.append(`attachments[${held + index}].name`, name);
  });
  for (const [index, reason] of refused.entries()) kept.append(`refused[${index}]`, reason);
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/x-www-form-urlencoded');
  headers.delete('content-length');
  return new Request(request.url, { method: 'POST', headers, body: kept });
}
