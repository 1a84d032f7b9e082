import { statfs } from 'node:fs/promises';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';

/** With less free space than this the next tape may not fit: the product reports it before a write fails. */
export const LEAST_FREE_BYTES = 500e6;

const inMB = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;

/** @throws Refusal serverError, with the free space, if the folder's disk has too little */
export async function requireFreeSpace(
  folder: string,
  ask: (folder: string) => Promise<{ bavail: number; bsize: number }> = statfs,
): Promise<void> {
  const { bavail, bsize } = await ask(folder);
  const free = bavail * bsize;
  if (free >= LEAST_FREE_BYTES) return;
  throw new Refusal(
    'serverError',
    `only ${inMB(free)} free at ${folder}, and at least ${inMB(LEAST_FREE_BYTES)} needed: free up space or enlarge the disk`,
  );
}

/** The message for users if a full disk stops their work. */
export const DISK_FULL = 'The disk or object storage is full. Free up space; processing retries for 15 minutes.';

const CODES = new Set(['ENOSPC', 'EDQUOT', 'XMinioStorageFull', 'InsufficientStorage']);
// DuckDB and PostgreSQL report it in the message only.
const WORDS = /no space left on device|disk quota exceeded/i;

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
