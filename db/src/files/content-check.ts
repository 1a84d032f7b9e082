import { Refusal } from '@tapeline/domain/errors/refusal.ts';

/** How many first bytes are enough to tell what a file is. */
export const CONTENT_HEAD_BYTES = 4096;

export type ContentKind =
  | 'zip'
  | 'ole'
  | 'pdf'
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'mp4'
  | 'webm'
  | 'gzip'
  | '7z'
  | 'text';

const startsWith = (head: Buffer, bytes: string, at = 0): boolean =>
  head.subarray(at, at + bytes.length / 2).toString('hex') === bytes;

/** What the first bytes say the file is; null for what we do not take. An empty file is nothing. */
export function contentKind(head: Buffer): ContentKind | null {
  if (head.length === 0) return null;
  if (startsWith(head, '504b0304')) return 'zip';
  if (startsWith(head, 'd0cf11e0a1b11ae1')) return 'ole';
  if (startsWith(head, '255044462d')) return 'pdf';
  if (startsWith(head, '89504e470d0a1a0a')) return 'png';
  if (startsWith(head, 'ffd8ff')) return 'jpeg';
  if (startsWith(head, '47494638')) return 'gif';
  if (startsWith(head, '52494646') && startsWith(head, '57454250', 8)) return 'webp';
  if (startsWith(head, '66747970', 4)) return 'mp4';
  if (startsWith(head, '1a45dfa3')) return 'webm';
  if (startsWith(head, '1f8b')) return 'gzip';
  if (startsWith(head, '377abcaf271c')) return '7z';
  return isText(head) ? 'text' : null;
}

/** UTF-16 says so by its first bytes; any other text has no NUL and no control characters but white space. */
function isText(head: Buffer): boolean {
  if (startsWith(head, 'fffe') || startsWith(head, 'feff')) return true;
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x0c);
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
export const XLSX_TYPE = `${OPEN_XML}spreadsheetml.sheet`;

/** The kinds of content a media type may have; empty for a type we do not take. */
export function kindsOfType(type: string): ContentKind[] {
  const bare = (type.split(';')[0] ?? '').trim().toLowerCase();
  if (bare.startsWith(OPEN_XML)) return ['zip'];
  if (bare.startsWith('text/')) return ['text'];
  switch (bare) {
    case 'application/json':
    case 'application/xml':
    case 'application/csv':
    case 'image/svg+xml':
    case 'application/javascript':
      return ['text'];
    case 'application/pdf':
      return ['pdf'];
    case 'image/png':
      return ['png'];
    case 'image/jpeg':
      return ['jpeg'];
    case 'image/gif':
      return ['gif'];
    case 'image/webp':
      return ['webp'];
    case 'video/mp4':
    case 'video/quicktime':
      return ['mp4'];
    case 'video/webm':
      return ['webm'];
    case 'application/zip':
      return ['zip'];
    case 'application/gzip':
      return ['gzip'];
    case 'application/x-7z-compressed':
      return ['7z'];
    case 'application/msword':
    case 'application/vnd.ms-powerpoint':
      return ['ole'];
    // Browsers name .csv files so where Excel is installed.
    case 'application/vnd.ms-excel':
      return ['ole', 'text'];
    default:
      return [];
  }
}

const refuse = (message: string) => new Refusal('badRequest', message, { flags: { file: message } });

/**
 * Holds a file's first bytes against the media type it was announced as; its name counts for nothing.
 * @throws Refusal badRequest in words a person can act on
 */
export function checkContent(file: { bucket: string; type: string; head: Buffer }): ContentKind {
  const kinds = kindsOfType(file.type);
  if (kinds.length === 0) throw refuse(`Files of the type ${file.type} are not taken`);
  const kind = contentKind(file.head);
  if (kind === null) throw refuse(file.head.length === 0 ? 'The file is empty' : 'The file is of an unknown kind');
  if (file.bucket === 'loanTapes' && kind === 'ole') {
    throw refuse('The workbook is encrypted or of the old .xls kind. Save it as .xlsx without a password.');
  }
  if (!kinds.includes(kind)) throw refuse(`The file is announced as ${file.type}, and its content is not that`);
  if (file.bucket === 'loanTapes' && kind !== 'zip' && kind !== 'text') {
    throw refuse('A loan tape is an Excel workbook (.xlsx) or a .csv file');
  }
  return kind;
}
