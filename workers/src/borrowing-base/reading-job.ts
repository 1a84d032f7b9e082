import type { ReadingPlan, ReadingTargets, ReadRows } from './asset-reader.ts';

/** A tape that two threads read at the same time. */
export interface ReadingJob {
  readonly kind: 'rows';
  readonly plan: ReadingPlan;
  readonly targets: ReadingTargets;
  /** Shared memory: at NEXT the next row group to read, at STATE whether the helping thread takes part. */
  readonly shared: Int32Array;
}

/** Texts of a column at tape positions, as `readTextLabels` reads them. */
export interface TextsJob {
  readonly kind: 'texts';
  readonly files: readonly string[];
  readonly column: string;
  readonly positions: readonly number[];
  /** Number of assets of the tape. */
  readonly length: number;
}

/** What the second thread is asked to do. */
export type ThreadJob = ReadingJob | TextsJob;

/** Null if only SQL can read the files. If the thread was left out of reading rows, nobody waits for its answer. */
export type ThreadResult<Job extends ThreadJob> =
  | (Job extends ReadingJob ? ReadRows : ReadonlyMap<number, string | null>)
  | null;

/** An error as a thread sends it. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
}

export type ThreadAnswer =
  | { readonly id: number; readonly result: ThreadResult<ThreadJob> }
  | { readonly id: number; readonly error: SentError };

export const [NEXT, STATE] = [0, 1];
export const [WAITING, STARTED, LEFT_OUT] = [0, 1, 2];
