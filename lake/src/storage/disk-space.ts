import { statfs } from 'node:fs/promises';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';

/** With less free space than this the next tape may not fit: the product reports it before a write fails. */
export const LEAST_FREE_BYTES = 500e6;

const inMB = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;

/** What `statfs` reports about a disk. Some file systems have no fixed number of files and report 0. */
interface DiskSpace {
  readonly bavail: number;
  readonly bsize: number;
  readonly files?: number;
  readonly ffree?: number;
}

/** With fewer free file entries than this, new files may fail although there is space. */
const LEAST_FREE_FILES = 1_000;

/** @throws Refusal serverError, with the free space, if the folder's disk has too little */
export async function requireFreeSpace(
  folder: string,
  { reserve = LEAST_FREE_BYTES, ask = statfs }: { reserve?: number; ask?: (folder: string) => Promise<DiskSpace> } = {},
): Promise<void> {
  const { bavail, bsize, files = 0, ffree = 0 } = await ask(folder);
  const free = bavail * bsize;
  if (free < reserve) {
    throw new Refusal(
      'serverError',
      `only ${inMB(free)} free at ${folder}, and at least ${inMB(reserve)} needed: free up space or enlarge the disk`,
    );
  }
  if (files > 0 && ffree < LEAST_FREE_FILES) {
    throw new Refusal('serverError', `the disk of ${folder} can hold only ${ffree} more files: remove some`);
  }
}

/** The message for users if a full disk stops their work. */
export const DISK_FULL = 'The disk or object storage is full. Free up space; processing retries for 15 minutes.';

const CODES = new Set(['ENOSPC', 'EDQUOT', 'XMinioStorageFull', 'InsufficientStorage']);
// DuckDB and PostgreSQL report it in the message only.
const WORDS = /no space left on device|disk quota exceeded/i;
/** Answers of object storage, which is full for every machine. */
const REMOTE = new Set(['XMinioStorageFull', 'InsufficientStorage']);

/** Whether the error, or one of its causes, is a full disk or full object storage. */
export function isDiskFull(error: unknown): boolean {
  for (let depth = 0; error && depth < 10; depth += 1) {
    const { code, name, message, cause, $metadata } = error as Error & {
      code?: string;
      $metadata?: { httpStatusCode?: number };
    };
    if (CODES.has(code ?? '') || CODES.has(name) || $metadata?.httpStatusCode === 507 || WORDS.test(message ?? '')) {
      return true;
    }
    error = cause;
  }
  return false;
}

/** Whether it is the disk of this machine that is full, so that other machines may have space. */
export function isOwnDiskFull(error: unknown): boolean {
  for (let depth = 0, at = error; at && depth < 10; depth += 1) {
    const { code, name, cause, $metadata } = at as Error & {
      code?: string;
      $metadata?: { httpStatusCode?: number };
    };
    if (REMOTE.has(code ?? '') || REMOTE.has(name) || $metadata) return false;
    at = cause;
  }
  return isDiskFull(error);
}
