export const TAPE_STAGES = ['read', 'transform', 'finalize', 'publish', 'borrowingBase'] as const;
export type TapeStage = (typeof TAPE_STAGES)[number];
export type TapeEnd = 'done' | 'failed' | 'cancelled';

export const isEnd = (stage: TapeStage | TapeEnd): stage is TapeEnd =>
  !(TAPE_STAGES as readonly string[]).includes(stage);

/**
 * What the page shows while a tape is in progress and afterwards. Rows are data rows of the sheet; times are epoch
 * milliseconds.
 */
export interface TapeProgress {
  stage: TapeStage | TapeEnd;
  rowsRead: number;
  /** Share of the sheet that has been read, 0 to 1; unknown if omitted. */
  readShare?: number;
  rowsTransformed: number;
  rowsErrored: number;
  batches: number;
  batchesTransformed: number;
  /** 0 to 100 over the whole job. */
  percent: number;
  startedAt: number;
  /** When each stage was reached, and when the job ended. */
  reachedAt: Partial<Record<TapeStage | TapeEnd, number>>;
  failure: string | null;
  notice: string | null;
  /** Set while rows of the published tape are re-run: corrected ones, or all of them with another mapping version. */
  rerun?: RerunProgress;
}

export interface RerunProgress {
  /** Number of corrected rows; null until the file that contains them is read, and if all rows are re-run. */
  rows: number | null;
  /** Name of the person who started it. */
  by: string | null;
  /** Epoch milliseconds. */
  startedAt: number;
  /** The version of the mapping that all rows are re-run with; omitted for corrected rows. */
  mappingVersion?: number;
}

/** The one that is further on: of a later job, or of the same job with more work done; the second if they are equal. */
export function laterProgress(first: TapeProgress | null, second: TapeProgress | null): TapeProgress | null {
  if (!first || !second) return first ?? second;
  const done = ({ startedAt, percent, rowsTransformed, rowsRead }: TapeProgress) => [
    startedAt,
    percent,
    rowsTransformed,
    rowsRead,
  ];
  const ahead = done(first);
  for (const [at, value] of done(second).entries()) {
    const difference = value - (ahead[at] ?? 0);
    if (difference !== 0) return difference > 0 ? second : first;
  }
  return second;
}

/** Below this percentage the estimate is too unstable. */
const LEAST_PERCENT = 10;

/** Estimated milliseconds left. Null if there is too little data for an estimate. */
export function timeLeftMs(progress: TapeProgress | null, now: number): number | null {
  if (!progress || progress.percent < LEAST_PERCENT || progress.percent >= 100) return null;
  if (progress.stage === 'failed' || progress.stage === 'cancelled') return null;
  const elapsedMs = Math.max(0, now - progress.startedAt);
  return (elapsedMs * (100 - progress.percent)) / progress.percent;
}
