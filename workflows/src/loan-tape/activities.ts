import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import type { SheetFacts } from '@tapeline/domain/tapes/sheet-facts.ts';

/**
 * Activities of the loan-tape workflow. Messages contain references (ids, object keys, counts), never rows.
 * Every activity is idempotent: it can run twice with the same input and leaves the same result.
 */

/** One attempt to process a tape. Its objects have their own key prefix, and only the latest attempt can publish. */
export interface TapeAttempt {
  tapeId: string;
  generationId: string;
  /** Checked at publication, so that a worker that was presumed dead and returns cannot publish. */
  fencingToken: number;
  /** Key prefix in object storage of everything that the attempt writes. */
  objectPrefix: string;
}

/** What is known of a tape once it has begun. */
export interface BegunTape {
  attempt: TapeAttempt;
  calculateBB: boolean;
}

/** The state of a tape's job, as one run of the workflow or an activity passes it on. */
export interface CarriedState {
  readonly staged: readonly StagedBatch[];
  readonly transformed: readonly TransformedBatch[];
  readonly read: ReadResult | null;
  readonly progress: TapeProgress;
}

/** A tape that was processed in one activity. */
export interface ProcessedTape {
  begun: BegunTape;
  state: CarriedState;
  /** Null if its parts are not transformed yet, or it must wait for an earlier tape of the company. */
  published: PublishedTape | null;
  /** Whether its job has ended, as `completeTape` would end it. Not present if more is to be done. */
  isEnded?: boolean;
}

/** About 100,000 rows of the sheet, staged as one columnar part. */
export interface StagedBatch {
  index: number;
  key: string;
  rows: number;
  firstRow: number;
  /** Share of the sheet read by then, 0 to 1. Not present for tapes that were started by an earlier version. */
  readShare?: number;
}

export interface ReadResult {
  batches: StagedBatch[];
  dataRows: number;
  blankRows: number;
  /** Present if something was found. Not present for tapes that were started by an earlier version. */
  sheet?: SheetFacts;
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
   * Begins a new attempt at the tape. Every earlier attempt loses its right to publish. Finds the header row and stores
   * what the batches need to know about the sheet next to them. Refuses a sheet that cannot be mapped.
   */
  beginTape(input: { tapeId: string }): Promise<BegunTape>;
  /**
   * Reads the sheet as a stream into staged parts. Signals `batchStaged` for each part, sends heartbeats, and resumes
   * at the last part that is already staged. Does not signal the first `known` batches again.
   */
  readTape(input: TapeAttempt & { known?: number }): Promise<ReadResult>;
  /** Stores the progress in the database, so that it can be shown when no worker is running. */
  recordProgress(input: { tapeId: string; progress: TapeProgress }): Promise<void>;
  /** Removes what is staged for an attempt once it is published. For tapes that were started by an earlier version. */
  discardStaged(input: TapeAttempt): Promise<void>;
  /**
   * Company tapes with an earlier cut-off date that are not finalized yet. For tapes that were started by an earlier
   * version.
   */
  earlierTapesInProgress(input: { tapeId: string }): Promise<{ tapeIds: string[] }>;
  /** Ends a failed tape: removes everything that its attempts stored, then sets it to Pending with the reason. */
  failTape(input: { tapeId: string; failure: string; progress: TapeProgress }): Promise<void>;
  /** Removes a cancelled tape and everything that it wrote to storage and the database. */
  removeTape(input: { tapeId: string; progress?: TapeProgress }): Promise<void>;
  /**
   * Ends the tape's job: sets its schedulerStatus to Completed, makes its assets searchable, and removes what was staged
   * for the attempt. Does nothing if the tape was removed in the meantime.
   */
  completeTape(input: { tapeId: string; progress: TapeProgress; attempt?: TapeAttempt }): Promise<void>;
  /** The company's notes with the contract that applies at the tape's cut-off date; a notice if the company has no note. */
  notesToCompute(input: { tapeId: string }): Promise<{ notes: NoteToCompute[]; notice: string | null }>;
  /** Records why a note was not calculated; with `noteId` null, for every note that is not calculated yet. */
  endCalculations(input: { tapeId: string; noteId: string | null; failure: string }): Promise<void>;
}

export interface TapeComputeActivities {
  /**
   * Does for a small tape what `beginTape`, `readTape`, `transformBatch`, `publishTape` and, if no borrowing base follows,
   * `completeTape` do for a large one; of one with many parts, only the first two. If it is repeated after the tape was published, it returns what was published.
   */
  processTape(input: { tapeId: string; progress: TapeProgress }): Promise<ProcessedTape>;
  /** Transforms staged rows to an assets part and an errored part, with the mapping compiled to SQL. */
  transformBatch(input: TapeAttempt & { batch: StagedBatch }): Promise<TransformedBatch>;
  /**
   * Finalizes the tape: checks Unique over all batches and Consistent against the earlier tape, computes statistics,
   * and makes the tape visible in one atomic step. Then signals the company's next tape.
   * @returns null, without having done anything, if earlier tapes of the company are not finalized yet
   */
  publishTape(
    input: TapeAttempt & { read: ReadResult; transformed: TransformedBatch[] },
  ): Promise<PublishedTape | null>;
  /** The same, although earlier tapes may not be finalized. For tapes that were started by an earlier version. */
  finalizeTape(input: TapeAttempt & { read: ReadResult; transformed: TransformedBatch[] }): Promise<PublishedTape>;
  calculateBorrowingBase(input: { tapeId: string; note: NoteToCompute }): Promise<BorrowingBaseMade>;
}
