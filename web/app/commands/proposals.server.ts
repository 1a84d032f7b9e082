import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { CorrectionProposal, LoanTape } from '@tapeline/db/entities/tapes.ts';
import { getStoredFile, removeFile } from '@tapeline/db/operations/files/files.ts';
import { getMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import {
  acceptProposal,
  getProposal,
  isBeingAccepted,
  proposeCorrections,
  type ReadErrored,
} from '@tapeline/db/operations/tapes/proposals.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { readErroredRows } from '@tapeline/lake/errored-assets.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import type { ReviewedProposal } from '@tapeline/workflows/corrections/preview.ts';
import type { RequestContext } from '../http/context.ts';
import { type Asker, askWorkers } from './previews.server.ts';
import { findErroredIn, type GivenCorrections, handOver, type RerunStarted } from './rerun.server.ts';
import { type VisibleNote, visibleNotes } from './reviewed-notes.server.ts';

/** Whether the actor's corrections of a published tape become proposals. */
export const proposes = (actor: UserActor): boolean => actor.type === 'company';

const readErroredIn =
  (context: RequestContext): ReadErrored =>
  async (parts, rows) =>
    readErroredRows(context.lake, await localPaths(context.objects, parts), rows);

/**
 * Proposes a borrower's corrections to the manager. If the corrections came in a file, the file is then deleted: the
 * proposal keeps its cells.
 * @throws Refusal as `proposeCorrections`, and for a file that does not contain corrections
 */
export async function propose(
  context: RequestContext,
  actor: UserActor,
  command: { tapeId: string; corrections: GivenCorrections; on: string | null; comment?: string | undefined },
  origin: CallOrigin = {},
): Promise<CorrectionProposal> {
  const { tapeId, corrections, on, comment } = command;
  const fileId = 'fileId' in corrections ? corrections.fileId : null;
  const file = await context.store.as(
    actor,
    async (session) => {
      await getTape(session, tapeId);
      return fileId === null ? null : getStoredFile(session, fileId);
    },
    { isPreparation: true },
  );
  const rows =
    'rows' in corrections ? corrections.rows : await correctionsOfFile({ context, actor }, tapeId, corrections.fileId);
  const proposal = await context.store.as(
    actor,
    async (session) => {
      const made = await proposeCorrections(session, {
        tapeId,
        corrections: rows,
        on,
        comment,
        readErrored: readErroredIn(context),
      });
      if (file) await removeFile(session, file);
      return made;
    },
    origin,
  );
  return proposal;
}

/**
 * Reads the corrections from a file.
 * @throws Refusal badRequest if the file does not contain corrections, or too many for a proposal
 */
export const correctionsOfFile = (asker: Asker, tapeId: string, fileId: string): Promise<RowCorrection[]> =>
  askWorkers<{ tapeId: string; fileId: string }, RowCorrection[]>(asker, 'correctionsOfFile', { tapeId, fileId });

/** Returns the plan of the mapping that made a tape visible to the actor. */
export async function mappingPlan(context: RequestContext, actor: UserActor, tapeId: string) {
  const { rules, loanTapeSheetName, primaryCurrency } = await context.store.as(actor, async (session) =>
    getMapping(session, (await getTape(session, tapeId)).mappingId),
  );
  return planMapping(parseMapping({ rules, loanTapeSheetName, primaryCurrency }));
}

/**
 * Returns the effect that an open proposal would have, on the notes whose borrowing bases the actor can see.
 * @throws Refusal notFound; forbidden for a borrower; badRequest if it is already decided
 */
export async function reviewProposal(
  context: RequestContext,
  actor: UserActor,
  proposalId: string,
): Promise<Omit<ReviewedProposal, 'notes'> & { notes: VisibleNote[] }> {
  const { id } = await context.store.as(actor, (session) => getProposal(session, proposalId));
  if (proposes(actor)) throw new Refusal('forbidden', 'Only the manager can review proposals');
  const asker = { context, actor };
  const question = { proposalId: id };
  const review = await askWorkers<typeof question, ReviewedProposal>(asker, 'proposalReview', question);
  return { ...review, notes: await visibleNotes(context, actor, review.notes) };
}

/**
 * Accepts a proposal and runs its rows again.
 * @throws Refusal as `acceptProposal`
 */
export async function accept(
  context: RequestContext,
  actor: UserActor,
  proposalId: string,
  origin: CallOrigin = {},
): Promise<RerunStarted> {
  const now = new Date();
  const { proposal, attempt } = await context.store.as(
    actor,
    (session) => acceptProposal(session, { id: proposalId, findErrored: findErroredIn(context) }),
    { ...origin, now },
  );
  return handOver(context, actor, 'rerunErrored', attempt, async () => ({
    corrections: { proposalId: proposal.id },
    by: makerOf(proposal.metadata),
    acceptedBy: proposal.decidedBy,
    at: now.toISOString(),
  }));
}

/** A proposal for display, without its rows. The decision is shown once it is in effect. */
export function proposalFacts(proposal: CorrectionProposal, tape: LoanTape | null) {
  const { id, code, status, tapeId, rowNumbers, comment, declineReason } = proposal;
  const beingAccepted = tape !== null && status === 'Proposed' && isBeingAccepted(tape, proposal);
  const isDecided = status === 'Accepted' || status === 'Declined';
  return {
    id,
    code,
    status,
    tapeId,
    rowNumbers,
    comment: comment ?? null,
    proposedBy: makerOf(proposal.metadata),
    proposedAt: proposal.metadata.iat,
    /** Accepted, but its rows are still being run again. */
    beingAccepted,
    decidedBy: isDecided || beingAccepted ? (proposal.decidedBy ?? null) : null,
    decidedAt: isDecided || beingAccepted ? (proposal.decidedAt?.toISOString() ?? null) : null,
    declineReason: declineReason ?? null,
  };
}
export type ProposalFacts = ReturnType<typeof proposalFacts>;
