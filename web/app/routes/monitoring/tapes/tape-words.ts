import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import type { MappingChoice } from '@tapeline/db/operations/mappings/mappings.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';

/** Page size for errored rows. Pages are small because each row includes all its origin data. */
export const ERRORED_ROWS = 25;

export const TAPES_PER_PAGE = 50;

/** The tape's state as its chip shows it. */
export type TapeState = 'Completed' | 'Processing' | 'Failed' | 'Question';

/**
 * A tape with an open question waits for a person. Another one that ended without publishing has failed, regardless of
 * the two statuses in the API.
 */
export function tapeState(tape: Pick<LoanTape, 'schedulerStatus' | 'generationId' | 'questions'>): TapeState {
  if (tape.schedulerStatus === 'Processing') return 'Processing';
  if (tape.questions.length > 0) return 'Question';
  return tape.generationId ? 'Completed' : 'Failed';
}

/** A mapping version in a list to choose from: "Version 3 of 12 Nov 2026, sheet Loans". */
export const versionChoice = ({
  version,
  savedAt,
  sheet,
}: Pick<MappingChoice, 'version' | 'savedAt' | 'sheet'>): string =>
  `Version ${version} of ${formatCalendarDate(savedAt.slice(0, 10))}, sheet ${sheet}`;
