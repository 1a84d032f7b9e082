/** The borrowing-base calculation of one note, as stored on a tape. */
export interface NoteCalculation {
  status: 'Pending' | 'Processing' | 'Completed';
  /** Why the calculation failed; null if it did not. */
  failure: string | null;
}

/** The state as shown on screens. A failed calculation is sent as `Pending` with a `failure`, and shown as Failed. */
export const calculationState = ({ status, failure }: NoteCalculation): NoteCalculation['status'] | 'Failed' =>
  failure === null ? status : 'Failed';

/** The failure of a calculation that a user cancelled. */
export const CANCELLED_CALCULATION =
  'The calculation was cancelled. Calculate the borrowing base again when you need it.';
