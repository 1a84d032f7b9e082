export const TAPE_STAGES = ['read', 'transform', 'settle', 'publish', 'borrowingBase'] as const;
export type TapeStage = (typeof TAPE_STAGES)[number];
/** How a tape job ends. */
export type TapeEnd = 'done' | 'failed' | 'cancelled';

/** What the page shows while a tape is in work, and after. Rows are data rows of the sheet; times are epoch milliseconds. */
export interface TapeProgress {
  stage: TapeStage | TapeEnd;
  rowsRead: number;
  /** How much of the sheet is read, 0 to 1; not known where left out. */
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
  /** While corrected rows of the published tape are run again. */
  rerun?: RerunProgress;
}

export interface RerunProgress {
  /** Corrected rows; null while they still stand in a file that nobody has read. */
  rows: number | null;
  /** Name of the person who corrected them. */
  by: string | null;
  /** Epoch milliseconds. */
  startedAt: number;
}
