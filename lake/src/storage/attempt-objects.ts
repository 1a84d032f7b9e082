import { Readable } from 'node:stream';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { deletePrefix, type ObjectStore } from './object-store.ts';

/** Where one attempt at a tape writes. */
export interface AttemptObjects {
  readonly objectPrefix: string;
}

/** Prefixes of objects that only processing needs, not readers of the published tape. */
export const workingPrefixes = ({ objectPrefix }: AttemptObjects): string[] => [
  `${objectPrefix}staged/`,
  `${objectPrefix}candidate/`,
  // Comparisons of certificates are calculated again when somebody opens them.
  `${objectPrefix}compared/`,
];

const offeredKey = ({ objectPrefix }: AttemptObjects): string => `${objectPrefix}offered.json`;

/**
 * Whether the attempt was offered for publishing and not rejected: some state of the database may have published it.
 */
export const wasOffered = async (objects: ObjectStore, attempt: AttemptObjects): Promise<boolean> =>
  (await objects.head(offeredKey(attempt))) !== null;

/**
 * Publishes an attempt, and marks it as offered in the storage beforehand. A database restored from an earlier dump
 * does not know what was published since; the mark records it. If publishing is rejected, the mark is removed.
 */
export async function publishOffered<T>(
  objects: ObjectStore,
  attempt: AttemptObjects,
  publish: () => Promise<T>,
): Promise<T> {
  const content = JSON.stringify({ at: new Date().toISOString() });
  await objects.putStream(offeredKey(attempt), Readable.from([content]), { type: 'application/json' });
  try {
    return await publish();
  } catch (error) {
    if (isRefusal(error)) await objects.delete(offeredKey(attempt));
    throw error;
  }
}

/**
 * Deletes what an attempt stored that ended without being published. If it was ever offered for publishing, only the
 * working parts are deleted at once; the rest is left to the sweep, which waits.
 */
export async function discardAttempt(objects: ObjectStore, attempt: AttemptObjects): Promise<void> {
  if (await wasOffered(objects, attempt)) {
    for (const prefix of workingPrefixes(attempt)) await deletePrefix(objects, prefix);
  } else await deletePrefix(objects, attempt.objectPrefix);
}
