import type { RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import type { TapeAttempt } from '../loan-tape/activities.ts';
import type { PreviewedRerun } from './preview.ts';

/** A re-run of corrected rows: an attempt at the tape's next generation. */
export interface RerunAttempt extends TapeAttempt {
  /** The published generation whose errored rows are corrected. */
  baseGenerationId: string;
}

/** Where the corrections of a re-run stand: in an object of its own, or in a registered file that a person sent back. */
export type StoredCorrections = { key: string } | { fileId: string };

export interface RerunCommand {
  attempt: RerunAttempt;
  corrections: StoredCorrections;
  /** Name of the person who corrected, null where unknown. */
  by: string | null;
  /** ISO instant of the correction. */
  at: string;
}

export interface RerunResult {
  rows: number;
  /** Rows that became assets. */
  assets: number;
  errored: number;
}

export interface CorrectionComputeActivities {
  /**
   * Maps the corrected rows by the very mapping of the tape, settles them against the published assets, and publishes the
   * next generation in one step. Running it again publishes nothing twice.
   */
  rerunRows(input: RerunCommand): Promise<RerunResult>;
}

export interface CorrectionIoActivities {
  /**
   * Ends a re-run: the tape is out of work, and what a re-run that published nothing has stored is gone. Answers whether it
   * was published.
   */
  endRerun(input: { attempt: RerunAttempt; failure: string | null }): Promise<{ published: boolean }>;
  /** Whether borrowing bases are to be calculated after a re-run: the upload asked for them. */
  rerunFollowUp(input: { tapeId: string }): Promise<{ calculateBB: boolean }>;
  /** What corrections would come to, by the path of the re-run itself; nothing is stored. */
  previewRerun(input: PreviewRerunInput): Promise<PreviewedRerun>;
}

export interface PreviewRerunInput {
  tapeId: string;
  corrections: { rows: RowCorrection[] } | { fileId: string };
  /** How many rows to show at most, in row order. */
  shownRows: number;
}
