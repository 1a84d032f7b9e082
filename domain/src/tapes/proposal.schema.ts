import { z } from 'zod';
import { Refusal } from '../errors/refusal.ts';
import type { CorrectionRecord, RowCorrection } from './corrections.schema.ts';

/** A borrower's correction of a published tape. It changes nothing until a user of the manager accepts it. */
export const PROPOSAL_STATUSES = ['Proposed', 'Accepted', 'Declined', 'Withdrawn', 'Outdated'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** Maximum number of rows that one proposal corrects. */
export const MAX_PROPOSED_ROWS = 1000;
/** Maximum size of a proposal's rows as JSON, in characters, so that it fits into one message to a workflow. */
export const MAX_PROPOSED_CHARACTERS = 1_000_000;
/** Maximum number of open proposals per tape. */
export const MAX_OPEN_PROPOSALS = 50;
/** Maximum length of a row's reasons that a proposal keeps, in characters. */
export const MAX_REASON_CHARACTERS = 2000;

export const proposalTooLarge = (): Refusal =>
  new Refusal(
    'badRequest',
    `A proposal takes at most ${MAX_PROPOSED_ROWS} rows and ${MAX_PROPOSED_CHARACTERS} characters. Correct the tape itself and upload it again.`,
  );

/** A row of a proposal: the corrected cells, and why the row failed at the time of the proposal. */
export interface ProposedRow {
  /** 1-based row number of the sheet. */
  readonly row: number;
  readonly cells: CorrectionRecord['cells'];
  readonly reasons: string;
}

/** The corrections that a proposal asks to re-run. */
export const correctionsOf = (rows: readonly ProposedRow[]): RowCorrection[] =>
  rows.map(({ row, cells }) => ({
    row,
    cells: Object.fromEntries(Object.entries(cells).map(([header, { after }]) => [header, after])),
  }));

export const declineSchema = z.object({
  reason: z
    .string('Enter a reason')
    .trim()
    .min(1, { error: 'Enter a reason' })
    .max(1000, { error: 'At most 1,000 characters' }),
});
