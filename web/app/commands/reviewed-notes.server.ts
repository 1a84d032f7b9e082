import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import type { ReviewedNote } from '@tapeline/workflows/corrections/preview.ts';
import type { RequestContext } from '../http/context.ts';

/** A note as shown: its contract only decides who sees it. */
export type VisibleNote = Omit<ReviewedNote, 'contractId'>;

/** Those of the notes whose facility, contract and borrowing bases the actor can see. */
export async function visibleNotes(
  context: Pick<RequestContext, 'store'>,
  actor: UserActor,
  notes: readonly ReviewedNote[],
): Promise<VisibleNote[]> {
  if (!can(actor, 'borrowingBase/read') || !can(actor, 'transactions/read')) return [];
  const rows = await context.store.as(actor, (session) =>
    session.query<{ id: string }>(
      'select id from transactions where id = any ($1) union all select id from contracts where id = any ($2)',
      [notes.map(({ transactionId }) => transactionId), notes.flatMap(({ contractId }) => contractId ?? [])],
    ),
  );
  const seen = new Set(rows.map(({ id }) => id));
  const isSeen = ({ transactionId, contractId }: ReviewedNote) =>
    seen.has(transactionId) && (contractId === null || seen.has(contractId));
  return notes.filter(isSeen).map(({ contractId: _, ...note }) => note);
}
