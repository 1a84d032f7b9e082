import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type {
  TrancheApproval,
  TransactionNote,
  TransactionTranche,
} from '@tapeline/domain/facilities/transaction.schema.ts';
import { type Actor, can, isOutsider } from '@tapeline/domain/people/actor.ts';
import type { StoredNote } from '../../entities/lending.ts';
import type { Session } from '../../store.ts';

/** Whether the actor can approve the move into a discretionary tranche: a user of the manager, or an admin. */
export const mayApproveTranches = (actor: Actor): boolean =>
  actor.kind === 'user' && !isOutsider(actor.type) && can(actor, 'transactions/write');

/** @throws Refusal badRequest with a flag at the tranche if the approval is missing, or the actor cannot give it */
function approvalOf(
  { actor, now }: Session,
  tranche: TransactionTranche,
  stored: TransactionTranche | undefined,
  path: string,
): TrancheApproval | null {
  const kept = stored?.approval ?? null;
  const isDiscretionary = tranche.isDiscretional || stored?.isDiscretional;
  if (!tranche.sequenceActivated || !isDiscretionary || (stored?.sequenceActivated && kept)) return kept;
  const refuse = (message: string): never => {
    throw new Refusal('badRequest', message, {
      flags: { [`${path}.sequenceActivated`]: 'needs the manager’s approval' },
    });
  };
  if (!mayApproveTranches(actor) || actor.kind !== 'user')
    return refuse(`${tranche.title} is discretionary: a user of the manager has to approve the move into it`);
  if (!tranche.approve)
    return refuse(`${tranche.title} is discretionary: approve the move into it explicitly (approve: true)`);
  const { userId, firstName, lastName } = actor;
  return {
    user: { id: userId, firstName, lastName },
    approvedAt: now.toISOString(),
    condition: tranche.condition ?? null,
  };
}

/**
 * The notes with the approvals of their discretionary tranches. Moving into one needs `approve: true` by a user of the
 * manager. A tranche is known by its note and sequence; whoever returns to a tranche needs a new approval.
 * @throws Refusal badRequest with a flag at the first tranche that lacks its approval
 */
export function withApprovals<Note extends TransactionNote & { id: string }>(
  session: Session,
  notes: readonly Note[],
  stored: readonly StoredNote[] = [],
): Note[] {
  return notes.map((note, index) => {
    const before = stored.find(({ id }) => id === note.id)?.tranches ?? [];
    return {
      ...note,
      tranches: note.tranches.map((tranche, place) => {
        const { approve: _, approval: __, ...rest } = tranche;
        const same = before.find(({ sequence }) => sequence === tranche.sequence);
        const approval = approvalOf(session, tranche, same, `notes.${index}.tranches.${place}`);
        return approval ? { ...rest, approval } : rest;
      }),
    };
  });
}
