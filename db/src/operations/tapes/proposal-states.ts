import { PROPOSAL_TRANSITIONS } from '@tapeline/domain/tapes/states.ts';
import { CorrectionProposal, type LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { closeProposals } from '../outbox/tape-mails.ts';

/**
 * Serializes proposing, withdrawing, deciding and publishing on a tape. A borrower cannot lock the row of a published
 * tape, so this is a separate lock. Callers that also lock the row must lock the row first.
 */
export async function lockProposals(session: Session, tapeId: string): Promise<void> {
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`proposals/${tapeId}`]);
}

const openProposals = (session: Session, tapeId: string): Promise<CorrectionProposal[]> =>
  session.em.find(CorrectionProposal, { tapeId, status: 'Proposed' }, { refresh: true });

/**
 * When a generation is published, the proposal it was made from is Accepted, and other open proposals with reprocessed
 * rows are Outdated. Proposals for other rows stay open: their rows are the same errored rows in the new generation, and
 * accepting them checks unique values against all its assets.
 * @param rows sheet rows that were reprocessed; null for every row of the tape
 */
export async function resolveProposals(
  session: Session,
  tape: Pick<LoanTape, 'id'>,
  { generationId, rows }: { generationId: string; rows: readonly number[] | null },
): Promise<void> {
  await lockProposals(session, tape.id);
  const reprocessed = rows === null ? null : new Set(rows);
  const done: CorrectionProposal[] = [];
  for (const proposal of await openProposals(session, tape.id)) {
    const isAccepted = proposal.acceptingGenerationId === generationId;
    if (!isAccepted && reprocessed && !proposal.rowNumbers.some((row) => reprocessed.has(row))) continue;
    proposal.status = PROPOSAL_TRANSITIONS.enter(proposal.status, isAccepted ? 'Accepted' : 'Outdated');
    proposal.metadata = changedMetadata(session, proposal.metadata);
    done.push(proposal);
  }
  await session.em.flush();
  await closeProposals(session, done);
}

/**
 * Outdates open proposals whose rows are no longer errored rows of the tape.
 * @param rows null for every row of the tape
 */
export async function outdateProposals(
  session: Session,
  tapeId: string,
  rows: readonly number[] | null,
): Promise<void> {
  await lockProposals(session, tapeId);
  const gone = rows === null ? null : new Set(rows);
  const done: CorrectionProposal[] = [];
  for (const proposal of await openProposals(session, tapeId)) {
    if (gone && !proposal.rowNumbers.some((row) => gone.has(row))) continue;
    proposal.status = PROPOSAL_TRANSITIONS.enter(proposal.status, 'Outdated');
    proposal.metadata = changedMetadata(session, proposal.metadata);
    done.push(proposal);
  }
  await session.em.flush();
  await closeProposals(session, done);
}
