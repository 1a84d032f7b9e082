import type { LoanTape } from '@tapeline/db/entities/tapes.ts';

/** Errored rows are read in pages: each has all its origin data beside it. */
export const ERRORED_ROWS = 25;

export const TAPES_PER_PAGE = 50;

/** What a tape is at, as a chip says it. */
export type TapeState = 'Completed' | 'Processing' | 'Failed';

/** A tape that ended without publishing has failed, whatever the two statuses of the wire say of it. */
export function tapeState(tape: Pick<LoanTape, 'schedulerStatus' | 'generationId'>): TapeState {
  if (tape.schedulerStatus === 'Processing') return 'Processing';
  return tape.generationId ? 'Completed' : 'Failed';
}

/** Who made a document, in words; null where nobody is known. */
export function makerOf(metadata: LoanTape['metadata']): string | null {
  const entity = metadata.createdBy?.entity;
  if (!entity) return null;
  return 'apiName' in entity ? entity.apiName : `${entity.firstName} ${entity.lastName}`;
}
