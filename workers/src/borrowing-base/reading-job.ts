import type { ReadingPlan, ReadingTargets, ReadRows } from './tape-reading.ts';

/** A tape that two threads read at the same time. */
export interface ReadingJob {
  readonly id: number;
  readonly plan: ReadingPlan;
  readonly targets: ReadingTargets;
  /** Shared memory: at NEXT the next row group to read, at STATE whether the helping thread takes part. */
  readonly shared: Int32Array;
}

export type ReadingAnswer =
  /** Null if the files must be read by SQL. If the thread was left out, nobody waits for its answer. */
  { readonly id: number; readonly read: ReadRows | null } | { readonly id: number; readonly error: unknown };

export const [NEXT, STATE] = [0, 1];
export const [WAITING, STARTED, LEFT_OUT] = [0, 1, 2];
