import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import type { PrintedFile } from '@tapeline/workflows/preview/activities.ts';
import { type Asker, askWorkers } from './previews.server.ts';

/** Prints a document as a PDF. A worker does so, because a long document takes seconds. */
export async function printDocument(asker: Asker, document: PrintedDocument): Promise<Uint8Array<ArrayBuffer>> {
  const { base64 } = await askWorkers<PrintedDocument, PrintedFile>(asker, 'printedDocument', document);
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}

/**
 * @param name the name to save the file under, without its extension
 * @param disposition `inline` shows the file in the browser
 */
export const printedResponse = (
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  disposition: 'attachment' | 'inline' = 'attachment',
): Response =>
  new Response(bytes, {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(`${name}.pdf`)}`,
      'cache-control': 'private, no-store',
    },
  });
