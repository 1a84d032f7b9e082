import { open } from 'node:fs/promises';

/** Bytes no text file starts with: zip archives (.xlsx) and OLE2 containers (.xls, encrypted workbooks). */
const WORKBOOK_STARTS = [Buffer.from('PK'), Buffer.from('d0cf11e0a1b11ae1', 'hex')];

/**
 * Whether a file is to be read as CSV. Its content decides: what starts as no workbook and holds no control characters
 * is text. An empty file is left to the workbook reader, which says so.
 */
export async function isCsvFile(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const start = Buffer.alloc(4096);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    const bytes = start.subarray(0, bytesRead);
    if (bytesRead === 0 || WORKBOOK_STARTS.some((signature) => bytes.subarray(0, signature.length).equals(signature))) {
      return false;
    }
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return isUtf16 || !bytes.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12);
  } finally {
    await file.close();
  }
}
