import { isDrawFile } from '@tapeline/domain/draws/attachments.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { isImageType, NO_IMAGE } from '@tapeline/domain/files/images.ts';
import { isText } from '@tapeline/sheets/text-bytes.ts';

/** Bytes that are enough to identify a file. */
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

/** The kind of file according to its first bytes; null for a kind we do not accept, and for an empty file. */
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

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
export const XLSX_TYPE = `${OPEN_XML}spreadsheetml.sheet`;

/** The kinds of content that a media type allows; empty for a type we do not accept. */
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
    // Browsers report this type for .csv files if Excel is installed.
    case 'application/vnd.ms-excel':
      return ['ole', 'text'];
    default:
      return [];
  }
}

const refuse = (message: string) => new Refusal('badRequest', message, { flags: { file: message } });

/**
 * Compares a file's first bytes with its declared media type; its name is ignored.
 * @throws Refusal badRequest with a message for the user
 */
export function checkContent(file: { bucket: string; key?: string; type: string; head: Buffer }): ContentKind {
  const isTape = file.bucket === 'loanTapes' && !isDrawFile({ bucket: file.bucket, key: file.key ?? '' });
  const kinds = kindsOfType(file.type);
  if (kinds.length === 0) throw refuse(`Files of type ${file.type} are not accepted`);
  const kind = contentKind(file.head);
  if (kind === null) throw refuse(file.head.length === 0 ? 'The file is empty' : 'Unknown file type');
  // A workbook can be encrypted even if Excel opens it without asking for a password. The code that reads the file
  // determines whether this is the case.
  if (isTape && kind === 'ole' && kinds.some((each) => each === 'zip' || each === 'ole')) return kind;
  if (!kinds.includes(kind)) throw refuse(`The file was declared as ${file.type}, but its content is not of that type`);
  if (isTape && kind !== 'zip' && kind !== 'text') {
    throw refuse('A loan tape must be an Excel workbook (.xlsx) or a .csv file');
  }
  if (file.bucket === 'publicFiles' && !isImageType(file.type)) throw refuse(NO_IMAGE);
  return kind;
}
