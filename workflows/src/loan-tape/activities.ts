import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';

/**
 * What the loan-tape workflow asks of the workers. References travel (ids, object keys, counts), never rows.
 * Every activity may run twice with the same input and leaves the same result.
 */

/** One attempt at a tape: its objects lie under a key prefix of its own, and only the latest one may publish. */
export interface TapeAttempt {
  tapeId: string;
  generationId: string;
  /** Checked when it publishes: a worker that was thought dead and comes back publishes nothing. */
  fencingToken: number;
  /** Where everything it writes lies in object storage. */
  objectPrefix: string;
}

/** About 100,000 rows of the sheet, staged as one columnar part. */
export interface StagedBatch {
  index: number;
  key: string;
  rows: number;
  firstRow: number;
  /** How much of the sheet was read by then, 0 to 1; tapes begun by an earlier version do not say. */
  readShare?: number;
}

export interface ReadResult {
  batches: StagedBatch[];
  dataRows: number;
  blankRows: number;
}

export interface TransformedBatch {
  index: number;
  assetsKey: string;
  erroredKey: string;
  assets: number;
  errored: number;
}

export interface PublishedTape {
  generationId: string;
  assets: number;
  errored: number;
}

/** One note of the company to compute a borrowing base for. */
export interface NoteToCompute {
  transactionId: string;
  noteId: string;
  contractId: string;
}

export interface BorrowingBaseMade {
  borrowingBaseId: string;
  noteId: string;
}

export interface TapeIoActivities {
  /**
   * Takes the tape in hand: a new attempt begins, and every earlier one loses its right to publish. Finds the header row
   * and keeps what the batches need to know of the sheet beside them; refuses what cannot be mapped.
   */
  beginTape(input: { tapeId: string }): Promise<{ attempt: TapeAttempt; calculateBB: boolean }>;
  /**
   * Reads the sheet as a stream into staged parts; signals `batchStaged` for each; heartbeats; resumes past staged parts.
   * Of the first `known` batches the workflow need not be told again.
   */
  readTape(input: TapeAttempt & { known?: number }): Promise<ReadResult>;
  /** Keeps the progress in the database, so that it shows with no worker up. */
  recordProgress(input: { tapeId: string; progress: TapeProgress }): Promise<void>;
  /** Removes what is staged for an attempt once it is published. */
  discardStaged(input: TapeAttempt): Promise<void>;
  /** Company tapes with an earlier cut-off date that are still to settle: this one settles after them. */
  earlierTapesInWork(input: { tapeId: string }): Promise<{ tapeIds: string[] }>;
  /** Ends a failed tape: nothing of its attempts stays stored, and at last it is Pending with the reason in words. */
  failTape(input: { tapeId: string; failure: string; progress: TapeProgress }): Promise<void>;
  /** Undoes a cancelled tape: everything it wrote, in storage and database. */
  removeTape(input: { tapeId: string }): Promise<void>;
  /** Ends the tape's job: its schedulerStatus is Completed. Quietly where the tape was removed meanwhile. */
  completeTape(input: { tapeId: string; progress: TapeProgress }): Promise<void>;
  /** The company's notes with the contract that applies at the tape's cut-off date; a notice where there is none. */
  notesToCompute(input: { tapeId: string }): Promise<{ notes: NoteToCompute[]; notice: string | null }>;
}

export interface TapeComputeActivities {
  /** Staged rows to an assets part and an errored part, by the mapping compiled to SQL. */
  transformBatch(input: TapeAttempt & { batch: StagedBatch }): Promise<TransformedBatch>;
  /** Unique over all batches, Consistent against the earlier tape, statistics, and one atomic step that makes it visible. */
  settleTape(input: TapeAttempt & { read: ReadResult; transformed: TransformedBatch[] }): Promise<PublishedTape>;
  calculateBorrowingBase(input: { tapeId: string; note: NoteToCompute }): Promise<BorrowingBaseMade>;
}
