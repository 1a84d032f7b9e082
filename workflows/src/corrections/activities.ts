import type { RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import type { TapeAttempt } from '../loan-tape/activities.ts';
import type { Answer, Question } from '../preview/references.ts';
import type { PreviewedRerun, ReviewedProposal, ReviewedRemap } from './preview.ts';

/** A re-run of rows of a published tape: an attempt to create its next generation. */
export interface RerunAttempt extends TapeAttempt {
  /** The published generation that it starts from. */
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

/** A re-run of all rows of the stored file with another version of the mapping. */
export interface RemapCommand {
  attempt: RerunAttempt;
  mappingId: string;
}

export interface CorrectionComputeActivities {
  /**
   * Maps the corrected rows with the tape's own mapping, checks them against the published assets, and publishes the
   * next generation in one step. Idempotent: running it again does not publish twice.
   */
  rerunRows(input: RerunCommand): Promise<RerunResult>;
  /**
   * Maps the stored file of the tape with another version of the mapping, with the corrections of its cells so far, and
   * publishes the next generation in one step. Idempotent.
   */
  remapRows(input: RemapCommand): Promise<RerunResult>;
}

export interface CorrectionIoActivities {
  /**
   * Ends a re-run: the tape is no longer in progress, and if nothing was published, the re-run's stored objects are
   * removed.
   * @returns whether the re-run was published
   */
  endRerun(input: { attempt: RerunAttempt; failure: string | null }): Promise<{ published: boolean }>;
  /**
   * Whether to calculate borrowing bases after a re-run: if the upload requested them, or if the tape has some and a
   * review has shown them to the user who decided.
   */
  rerunFollowUp(input: { tapeId: string; isReviewed?: boolean }): Promise<{ calculateBB: boolean }>;
}

export interface CorrectionPreviewActivities {
  /** Previews the result of corrections with the code of the re-run. Stores nothing. */
  previewRerun(input: Question<PreviewRerunInput>): Promise<Answer<PreviewedRerun>>;
  /** Returns the corrections in a file, if they are few enough for a proposal. */
  readCorrections(input: Question<{ tapeId: string; fileId: string }>): Promise<Answer<RowCorrection[]>>;
  /** Previews the result of an open proposal, with borrowing bases, with the code of the re-run. Stores nothing. */
  reviewProposal(input: Question<{ proposalId: string }>): Promise<Answer<ReviewedProposal>>;
}

/** Reads a whole file, as a check does. */
export interface RemapReviewActivities {
  /** Previews the result of another version of the mapping, with borrowing bases. Stores nothing. */
  reviewRemap(input: Question<RemapInput>): Promise<Answer<ReviewedRemap>>;
}

export interface RemapInput {
  tapeId: string;
  mappingId: string;
}

export interface PreviewRerunInput {
  tapeId: string;
  corrections: { rows: RowCorrection[] } | { fileId: string };
  /** Maximum number of rows to show, in row order. */
  shownRows: number;
}
