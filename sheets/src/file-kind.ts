import { open } from 'node:fs/promises';
import { refuseSheet } from './limits.ts';
import { isText } from './text-bytes.ts';
import { guessUtf16 } from './text-encoding.ts';

/** First bytes that no text file has: zip archives (.xlsx) and OLE2 containers (.xls, encrypted workbooks). */
const WORKBOOK_STARTS = [Buffer.from('PK'), Buffer.from('d0cf11e0a1b11ae1', 'hex')];
const START_BYTES = 4096;

/** Other kinds of files that are mistaken for spreadsheets, by the beginning of their content. */
const OTHER_KINDS: readonly { readonly pattern: RegExp; readonly is: string; readonly next: string }[] = [
  { pattern: /^%PDF-/, is: 'a PDF document', next: 'Request the data as an Excel workbook or a .csv file' },
  {
    pattern: /^\{\\rtf/,
    is: 'a text document in RTF',
    next: 'Copy the table into a sheet, save it as .xlsx or .csv and open that file',
  },
  {
    pattern:
      /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<\?mso-application[^>]*>|<(?:\w+:)?Workbook\b[^>]*urn:schemas-microsoft-com:office:spreadsheet)/i,
    is: 'an XML spreadsheet of Excel 2003',
    next: 'Open it in Excel, save it as .xlsx and open that file',
  },
  {
    pattern:
      /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|meta|body|title|style|table|tr|div|center|font|script)\b/i,
    is: 'an HTML page, despite its file name',
    next: 'Open it in Excel, save it as .xlsx and open that file',
  },
  { pattern: /^<\?xml\s/, is: 'an XML file', next: 'Save the data as .xlsx or .csv and open that file' },
  {
    pattern: /^MIME-Version:/i,
    is: 'a web archive (.mht)',
    next: 'Open it in Excel, save it as .xlsx and open that file',
  },
  {
    // "[Loan ID],[Balance]" is a header, and "{" may begin a text
    pattern:
      /^(?:\{\s*(?:\}|"(?:[^"\\]|\\.)*"\s*:)|\[\s*(?:\]\s*$|[{[]|"(?:[^"\\]|\\.)*"\s*[,\]]\s*(?:["\d{[-]|$)|-?\d+(?:\.\d+)?\s*,))/,
    is: 'a JSON file',
    next: 'Save the data as .xlsx or .csv and open that file',
  },
  { pattern: /^PAR1/, is: 'a Parquet file', next: 'Save the data as .xlsx or .csv and open that file' },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is how such files begin
  { pattern: /^\x1f\x8b/, is: 'a gzip-compressed file', next: 'Unpack it and open the .xlsx or .csv file in it' },
  {
    pattern: /^7z\xbc\xaf|^Rar!/,
    is: 'a compressed archive',
    next: 'Unpack it and open the .xlsx or .csv file in it',
  },
  {
    pattern: /^(?:\x89PNG|\xff\xd8\xff|GIF8)/,
    is: 'an image',
    next: 'Request the data as an Excel workbook or a .csv file',
  },
];

/**
 * Whether a file is to be read as CSV. The content decides: it is text if it does not begin like a workbook and has no
 * control characters except those that old programs leave in texts. An empty file is left to the workbook reader, which
 * reports it.
 * @throws SheetError that names the kind of file, if it is neither
 */
export async function isCsvFile(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const start = Buffer.alloc(START_BYTES);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    const bytes = start.subarray(0, bytesRead);
    if (bytesRead === 0 || WORKBOOK_STARTS.some((signature) => bytes.subarray(0, signature.length).equals(signature))) {
      return false;
    }
    const { text, isUtf16 } = textOf(bytes);
    const other = OTHER_KINDS.find(({ pattern }) => pattern.test(text));
    if (other !== undefined) {
      throw refuseSheet(`This is ${other.is}. ${other.next}.`);
    }
    return isUtf16 || isText(bytes);
  } finally {
    await file.close();
  }
}

/** The start of a file as text, to be matched: one character for each byte, or for each two bytes in UTF-16. */
function textOf(bytes: Buffer): { text: string; isUtf16: boolean } {
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const utf16 = isMarked ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : guessUtf16(bytes);
  if (utf16 !== undefined) {
    return { text: new TextDecoder(utf16).decode(bytes).trimStart(), isUtf16: true };
  }
  return {
    text: bytes
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
      .trimStart(),
    isUtf16: false,
  };
}
