import { MAX_STATEMENT_BYTES } from '../cash/statement-limits.ts';
import { reason, type Why } from '../errors/reason.ts';
import { kindsOfType, UPLOAD_KINDS } from './file-types.ts';
import { isImageType, MAX_IMAGE_BYTES, NO_IMAGE } from './images.ts';
import { isLendingPlace } from './lending-documents.ts';

export const BUCKETS = [
  'capitalAccounts',
  'capitalCalls',
  'fundReports',
  'announcements',
  'importerFiles',
  'testFiles',
  'loanTapes',
  'publicFiles',
  'bankStatements',
] as const;
export type Bucket = (typeof BUCKETS)[number];
export const isBucket = (value: string): value is Bucket => (BUCKETS as readonly string[]).includes(value);

const MB = 1024 * 1024;

/** Largest loan tape: more than any spreadsheet needs. No other file is larger. */
export const MAX_TAPE_BYTES = 1024 * MB;
/** Largest document: a notice, statement, report, or a file of an announcement or a draw request. */
export const MAX_DOCUMENT_BYTES = 100 * MB;
/** Largest sheet for the importer. Its rows are checked in memory. */
export const MAX_IMPORT_BYTES = 20 * MB;

const MAX_BYTES: Readonly<Record<Bucket, number>> = {
  capitalAccounts: MAX_DOCUMENT_BYTES,
  capitalCalls: MAX_DOCUMENT_BYTES,
  fundReports: MAX_DOCUMENT_BYTES,
  announcements: MAX_DOCUMENT_BYTES,
  bankStatements: MAX_STATEMENT_BYTES,
  importerFiles: MAX_IMPORT_BYTES,
  testFiles: MAX_DOCUMENT_BYTES,
  loanTapes: MAX_TAPE_BYTES,
  publicFiles: MAX_IMAGE_BYTES,
};

/** A limit of at least a megabyte, in words: "100 MB". */
const inWords = (bytes: number): string => (bytes >= 1024 * MB ? `${bytes / 1024 / MB} GB` : `${bytes / MB} MB`);

/** What every form says about its files. */
export const DOCUMENT_HINT = `${UPLOAD_KINDS}. Up to ${inWords(MAX_DOCUMENT_BYTES)} each`;

interface Place {
  readonly bucket: Bucket;
  /** The folder of the file's key. */
  readonly directory?: string | null | undefined;
}

/** Most bytes of a file in a bucket. Documents of lending share the bucket of tapes. */
export const maxBytesOf = ({ bucket, directory }: Place): number =>
  isLendingPlace({ bucket, directory }) ? MAX_DOCUMENT_BYTES : MAX_BYTES[bucket];

/** Says that a file is too large. */
export const tooLarge = (place: Place): Why =>
  place.bucket === 'publicFiles' ? reason('imageTooLarge') : `A file has at most ${inWords(maxBytesOf(place))}`;

/** Why a bucket does not take a file of this type; null if it does. */
export function typeProblem({ bucket, type }: { readonly bucket: Bucket; readonly type: string }): string | null {
  if (kindsOfType(type).length === 0) return `Files of type ${type} are not accepted. Upload ${UPLOAD_KINDS}`;
  return bucket === 'publicFiles' && !isImageType(type) ? NO_IMAGE : null;
}
