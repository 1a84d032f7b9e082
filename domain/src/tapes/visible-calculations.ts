import type { Actor } from '../people/actor.ts';

/** What the calculation of a note's borrowing base belongs to. */
interface CalculationOwners {
  readonly transactionId: string;
  readonly contractId: string | null;
  readonly borrowingBaseId: string | null;
}

/**
 * The calculations of a tape that the actor may see. They are stored with the tape, which is visible although a facility,
 * a contract or a borrowing base is blocked.
 */
export function visibleCalculations<Entry extends CalculationOwners>(actor: Actor, entries: readonly Entry[]): Entry[] {
  const blocked = new Set(actor.kind === 'user' ? actor.blockedDocuments : []);
  return entries.filter(
    ({ transactionId, contractId, borrowingBaseId }) =>
      ![`transactions/${transactionId}`, `contracts/${contractId}`, `borrowingBases/${borrowingBaseId}`].some((owner) =>
        blocked.has(owner),
      ),
  );
}
