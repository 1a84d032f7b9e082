import { XLSX_TYPE } from '@tapeline/domain/files/file-types.ts';
import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import type { PrintedFile } from '@tapeline/workflows/preview/activities.ts';
import { type Asker, askWorkers } from './previews.server.ts';

/** Prints a document as a PDF. A worker does so, because a long document takes seconds. */
export async function printDocument(asker: Asker, document: PrintedDocument): Promise<Uint8Array<ArrayBuffer>> {
  const { base64 } = await askWorkers<PrintedDocument, PrintedFile>(asker, 'printedDocument', document);
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}

const fileResponse = (bytes: Uint8Array<ArrayBuffer>, name: string, type: string, disposition = 'attachment') =>
  new Response(bytes, {
    headers: {
      'content-type': type,
      'content-length': String(bytes.length),
      'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': 'private, no-store',
    },
  });

/**
 * @param name the name to save the file under, without its extension
 * @param disposition `inline` shows the file in the browser
 */
export const printedResponse = (
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  disposition: 'attachment' | 'inline' = 'attachment',
): Response => fileResponse(bytes, `${name}.pdf`, 'application/pdf', disposition);

/** An Excel workbook. @param name the name to save the file under, without its extension */
export const workbookResponse = (bytes: Buffer, name: string): Response =>
  fileResponse(Uint8Array.from(bytes), `${name}.xlsx`, XLSX_TYPE);
