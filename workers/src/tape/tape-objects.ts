import { workingPrefixes } from '@tapeline/lake/storage/attempt-objects.ts';
import { deletePrefix, objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { TapeAttempt } from '@tapeline/workflows/loan-tape/activities.ts';
import type { WorkerContext } from '../context.ts';

export const uploadKey = (file: { bucket: string; key: string }): string => objectKey(file.bucket, file.key);

const numbered = (index: number): string => String(index).padStart(5, '0');

export const tapeKeys = (attempt: Pick<TapeAttempt, 'objectPrefix'>) => ({
  staged: (index: number) => `${attempt.objectPrefix}staged/${numbered(index)}.batch`,
  candidateAssets: (index: number) => `${attempt.objectPrefix}candidate/assets-${numbered(index)}.parquet`,
  candidateErrored: (index: number) => `${attempt.objectPrefix}candidate/errored-${numbered(index)}.parquet`,
  assets: `${attempt.objectPrefix}assets.parquet`,
  errored: `${attempt.objectPrefix}errored.parquet`,
});

/** Removes the objects of an attempt that nobody needs once it is published. */
export async function discardStaged(context: Pick<WorkerContext, 'objects'>, attempt: TapeAttempt): Promise<void> {
  for (const prefix of workingPrefixes(attempt)) await deletePrefix(context.objects, prefix);
}
