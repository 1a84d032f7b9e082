import { defineTransitions } from '../documents/transitions.ts';
import type { ProposalStatus } from './proposal.schema.ts';
import type { ProcessStatus, SchedulerStatus } from './tape.schema.ts';

export type TapeStatus = 'Active' | 'Removed';

/** A removed tape stays for its history. */
export const TAPE_TRANSITIONS = defineTransitions<TapeStatus>('a tape', { Active: ['Removed'], Removed: [] });

/** A borrowing base is removed with its tape. */
export const BORROWING_BASE_TRANSITIONS = defineTransitions<'Active' | 'Disabled' | 'Removed'>('a borrowing base', {
  Active: ['Disabled', 'Removed'],
  // Superseded by a later calculation of the same tape and contract.
  Disabled: ['Removed'],
  Removed: [],
});

export type GenerationStatus = 'Staging' | 'Published' | 'Superseded';

/** An attempt to process a tape. At most one is Published; the next one supersedes it. */
export const GENERATION_TRANSITIONS = defineTransitions<GenerationStatus>('an attempt', {
  Staging: ['Published'],
  Published: ['Superseded'],
  Superseded: [],
});

/** The job of a tape. It starts again when a failed tape is retried or corrected rows are re-run. */
export const SCHEDULER_TRANSITIONS = defineTransitions<SchedulerStatus>('the job of a tape', {
  Processing: ['Completed'],
  Completed: ['Processing'],
});

/** The assets of a tape. A failed attempt leaves them Pending, or Completed if an earlier attempt was published. */
export const PROCESS_TRANSITIONS = defineTransitions<ProcessStatus>('the assets of a tape', {
  Pending: ['Processing'],
  Processing: ['Completed', 'Pending'],
  Completed: ['Processing'],
});

/**
 * Accepted: its rows were published. Declined: the manager gave a reason. Withdrawn: the borrower took it back.
 * Outdated: some of its rows were reprocessed or discarded, or the tape was removed, so the proposal can no longer be
 * accepted as it was reviewed.
 */
export const PROPOSAL_TRANSITIONS = defineTransitions<ProposalStatus>('a proposal', {
  Proposed: ['Accepted', 'Declined', 'Withdrawn', 'Outdated'],
  Accepted: [],
  Declined: [],
  Withdrawn: [],
  Outdated: [],
});
