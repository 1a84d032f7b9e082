import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { readLineSheet } from '@tapeline/lake/imports/read-line-sheet.ts';
import { CSRF_FIELD, csrfTokenOf, readForm } from '../../../../http/csrf.server.ts';
import { SENT_CONTENT } from '../../../../http/form-key.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { contentOfForm } from '../../../../http/sent-once.server.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** The bytes of a file that is not larger than allowed. It is read to its end, because the rest of the form follows. */
async function bytesOf(data: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of data) {
    size += part.length;
    if (size <= MAX_BYTES) parts.push(part);
  }
  if (size > MAX_BYTES) throw new Refusal('badRequest', 'A workbook has at most 4 MB');
  return Buffer.concat(parts);
}

/**
 * Converts the form to the same one with the rows of its workbook as text. The workbook itself is not kept: what the borrower
 * certifies are the lines.
 */
export async function readWorkbookLines({ request, context }: Screen): Promise<Request> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')) return request;
  let rows: string[][] | null = null;
  let refused: string | null = null;
  const form = await readForm(request, context, {
    maxBytes: MAX_BYTES + 1024 * 1024,
    async onFile({ name, data }) {
      try {
        const bytes = await bytesOf(data);
        if (bytes.length > 0) rows = await readLineSheet(bytes, name);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused = error.message;
      }
    },
  });
  const kept = new URLSearchParams({ [CSRF_FIELD]: await csrfTokenOf(request, context) });
  for (const [name, value] of form.entries()) kept.append(name, String(value));
  const read: string[][] | null = rows;
  if (read !== null) kept.set('pasted', (read as string[][]).map((cells) => cells.join('\t')).join('\n'));
  if (refused !== null) kept.set('refused', refused);
  kept.set(SENT_CONTENT, contentOfForm(form, [[kept.get('pasted')]]));
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/x-www-form-urlencoded');
  headers.delete('content-length');
  return new Request(request.url, { method: 'POST', headers, body: kept });
}
