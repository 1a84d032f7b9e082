import { termsInForce } from '../facilities/in-force.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import type { InterestStep } from '../interest/accrual.ts';
import { type NoteAmendment, noteVersions, stepsByDay } from './versions.ts';

/** A note with the amendments of its terms. */
export interface AmendedNote {
  /** With the terms of today. */
  readonly note: NoteWithoutContracts;
  /** None if the terms never changed. */
  readonly amendments?: readonly NoteAmendment[];
}

/** Every version of the terms of a note. */
export const versionsOf = ({ note, amendments = [] }: AmendedNote) => noteVersions(note, amendments);

/** The interest terms of each day. Empty if the terms never have any. */
export function interestSteps(amended: AmendedNote): InterestStep[] {
  const steps = stepsByDay(versionsOf(amended), (note) => termsInForce(note).interest ?? null);
  return steps.some(({ value }) => value !== null) ? steps : [];
}
