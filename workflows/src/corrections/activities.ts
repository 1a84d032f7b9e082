import type { RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import type { TapeAttempt } from '../loan-tape/activities.ts';
import type { Answer, Question } from '../preview/references.ts';
import type { PreviewedRerun, ReviewedProposal } from './preview.ts';

/** A re-run of corrected rows: an attempt to create the tape's next generation. */
export interface RerunAttempt extends TapeAttempt {
  /** The published generation whose errored rows are corrected. */
  baseGenerationId: string;
}

/** The location of a re-run's corrections: a separate object, a correction file, or a borrower's proposal. */
export type StoredCorrections = { key: string } | { fileId: string } | { proposalId: string };

export interface RerunCommand {
  attempt: RerunAttempt;
  corrections: StoredCorrections;
  /** Name of the person who made the corrections; null if unknown. */
  by: string | null;
  /** Name of the manager's user who accepted a borrower's correction; omitted for other corrections. */
  acceptedBy?: string | null;
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
   * Maps the corrected rows with the tape's own mapping, checks them against the published assets, and publishes the
   * next generation in one step. Idempotent: running it again does not publish twice.
   */
  rerunRows(input: RerunCommand): Promise<RerunResult>;
}

export interface CorrectionIoActivities {
  /**
   * Ends a re-run: the tape is no longer in progress, and if nothing was published, the re-run's stored objects are
   * removed.
   * @returns whether the re-run was published
   */
  endRerun(input: { attempt: RerunAttempt; failure: string | null }): Promise<{ published: boolean }>;
  /**
   * Whether to calculate borrowing bases after a re-run: if the upload requested them, or if a proposal was accepted on
   * a tape that has some, because the review has shown them to the user who accepted it.
   */
  rerunFollowUp(input: { tapeId: string; isProposal?: boolean }): Promise<{ calculateBB: boolean }>;
}

export interface CorrectionPreviewActivities {
  /** Previews the result of corrections with the code of the re-run. Stores nothing. */
  previewRerun(input: Question<PreviewRerunInput>): Promise<Answer<PreviewedRerun>>;
  /** Returns the corrections in a file, if they are few enough for a proposal. */
  readCorrections(input: Question<{ tapeId: string; fileId: string }>): Promise<Answer<RowCorrection[]>>;
  /** Previews the result of an open proposal, with borrowing bases, with the code of the re-run. Stores nothing. */
  reviewProposal(input: Question<{ proposalId: string }>): Promise<Answer<ReviewedProposal>>;
}

export interface PreviewRerunInput {
  tapeId: string;
  corrections: { rows: RowCorrection[] } | { fileId: string };
  /** Maximum number of rows to show, in row order. */
  shownRows: number;
}
