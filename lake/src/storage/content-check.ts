import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Bucket, typeProblem } from '@tapeline/domain/files/buckets.ts';
import { type ContentKind, kindsOfType } from '@tapeline/domain/files/file-types.ts';
import { isLendingDocument } from '@tapeline/domain/files/lending-documents.ts';
import { isText } from '@tapeline/sheets/text-bytes.ts';

/** Bytes that are enough to identify a file. */
export const CONTENT_HEAD_BYTES = 4096;

const startsWith = (head: Buffer, bytes: string, at = 0): boolean =>
  head.subarray(at, at + bytes.length / 2).toString('hex') === bytes;

/** The first entry of a zip archive, which starts with its name. */
const firstEntry = (head: Buffer): string => head.subarray(30, 30 + head.readUInt16LE(26)).toString('latin1');

/** Programs write the parts of an Office document in any order. Each is in one of these places. */
const OOXML_PART = /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/|\[trash\]\/|(?:word|xl|ppt)[\\/])/;
/** The first entry of an OpenDocument file is not compressed and holds its media type. */
const ODF_START = /^mimetypeapplication\/vnd\.oasis\.opendocument\./;

function kindOfArchive(head: Buffer): ContentKind {
  if (head.length < 30) return 'zip';
  if (OOXML_PART.test(firstEntry(head))) return 'ooxml';
  return ODF_START.test(head.subarray(30).toString('latin1')) ? 'odf' : 'zip';
}

const HEIF_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'mif1', 'msf1'];

/** The kind of file according to its first bytes; null for a kind we do not accept, and for an empty file. */
export function contentKind(head: Buffer): ContentKind | null {
  if (head.length === 0) return null;
  if (startsWith(head, '504b0304')) return kindOfArchive(head);
  if (startsWith(head, 'd0cf11e0a1b11ae1')) return 'ole';
  if (startsWith(head, '255044462d')) return 'pdf';
  if (startsWith(head, '89504e470d0a1a0a')) return 'png';
  if (startsWith(head, 'ffd8ff')) return 'jpeg';
  if (startsWith(head, '47494638')) return 'gif';
  if (startsWith(head, '52494646') && startsWith(head, '57454250', 8)) return 'webp';
  if (startsWith(head, '52494646') && startsWith(head, '41564920', 8)) return 'avi';
  if (startsWith(head, '424d') && !isText(head)) return 'bmp';
  if (startsWith(head, '49492a00') || startsWith(head, '4d4d002a')) return 'tiff';
  if (startsWith(head, '66747970', 4)) {
    return HEIF_BRANDS.includes(head.toString('latin1', 8, 12)) ? 'heif' : 'mp4';
  }
  if (startsWith(head, '1a45dfa3')) return 'webm';
  if (startsWith(head, '000001ba') || startsWith(head, '000001b3')) return 'mpeg';
  if (startsWith(head, '1f8b')) return 'gzip';
  if (startsWith(head, '377abcaf271c')) return '7z';
  if (startsWith(head, '526172211a07')) return 'rar';
  if (startsWith(head, '7573746172', 257)) return 'tar';
  return isText(head) ? 'text' : null;
}

const refuse = (message: string) => new Refusal('badRequest', message, { flags: { file: message } });

/** Buckets whose workbooks are read in full when they are used, which says better what is wrong with one. */
const READ_BUCKETS: readonly string[] = ['loanTapes', 'importerFiles'] satisfies Bucket[];
const ARCHIVES: readonly ContentKind[] = ['zip', 'ooxml', 'odf'];

/**
 * Compares a file's first bytes with its declared media type; its name is ignored.
 * @throws Refusal badRequest with a message for the user
 */
export function checkContent(file: { bucket: Bucket; key?: string; type: string; head: Buffer }): ContentKind {
  const { bucket, type } = file;
  const isTape = bucket === 'loanTapes' && !isLendingDocument({ bucket, key: file.key ?? '' });
  const problem = typeProblem({ bucket, type });
  const kinds = kindsOfType(type);
  if (problem && kinds.length === 0) throw refuse(problem);
  const kind = contentKind(file.head);
  if (kind === null) throw refuse(file.head.length === 0 ? 'The file is empty' : 'Unknown file type');
  const isRead = READ_BUCKETS.includes(bucket) && (bucket !== 'loanTapes' || isTape);
  // A workbook can be encrypted even if Excel opens it without asking for a password. The code that reads the file
  // determines whether this is the case.
  if (isTape && kind === 'ole' && kinds.some((each) => each === 'ooxml' || each === 'ole')) return kind;
  const isAllowed = kinds.includes(kind) || (isRead && kinds.includes('ooxml') && ARCHIVES.includes(kind));
  if (!isAllowed) throw refuse(`The file was declared as ${type}, but its content is not of that type`);
  if (problem) throw refuse(problem);
  return kind;
}
