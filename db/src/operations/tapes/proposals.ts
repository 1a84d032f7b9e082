import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { MAX_OPEN_PROPOSALS } from '@tapeline/domain/tapes/proposal.schema.ts';
import { proposedRows } from '@tapeline/domain/tapes/proposed-rows.ts';
import { PROPOSAL_TRANSITIONS } from '@tapeline/domain/tapes/states.ts';
import type { ErroredRow } from '@tapeline/domain/tapes/tape.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { CorrectionProposal, LoanTape } from '../../entities/tapes.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { getMapping } from '../mappings/mappings.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { closeProposals, mailProposal } from '../outbox/tape-mails.ts';
import { isBorrower, refuseBorrower, requirePermission } from '../permission.ts';
import { isRerunInProgress, lockTape, publishedGeneration } from './generations.ts';
import { lockProposals } from './proposal-states.ts';
import { beginRerun, type FindErrored, type RerunAttempt } from './rerun-errored.ts';
import { getTape } from './tapes.ts';

export const PROPOSALS = listOf(
  'correctionProposals',
  { loanTape: 't.tape_id', company: 't.company_id' },
  {
    aliases: { loanTapeId: 'loanTape' },
  },
);

/** Reads the errored rows with these numbers from the parts with these object keys. */
export type ReadErrored = (parts: readonly string[], rows: readonly number[]) => Promise<readonly ErroredRow[]>;

export const listProposals = (session: ReadSession, query: unknown = {}): Promise<Page<CorrectionProposal>> =>
  listDocuments(session, PROPOSALS, query);

/** A proposal that the actor can see, with its rows. @throws Refusal notFound */
export async function getProposal(session: Session, id: string): Promise<CorrectionProposal> {
  const proposal = await getDocument(session, PROPOSALS, id);
  await session.em.populate(proposal, ['correctedRows']);
  return proposal;
}

/** Whether the tape's current re-run is the one that publishes the proposal. */
export const isBeingAccepted = (
  tape: Pick<LoanTape, 'id' | 'schedulerStatus' | 'workflowId'>,
  proposal: Pick<CorrectionProposal, 'acceptingGenerationId'>,
): boolean =>
  isRerunInProgress(tape) && tape.workflowId === WORKFLOW_IDS.rerun(tape.id, proposal.acceptingGenerationId ?? '');

/**
 * Proposes a borrower's corrections to cells of errored rows of a published tape to the manager. The tape does not
 * change.
 * @param command.on the generation that the corrections were made on; null for the published one
 * @throws Refusal notFound; forbidden for anyone but a borrower; badRequest with flags for a cell that did not cause
 *   its row's errors, for a row of another open proposal, if nothing changes, or if the tape was published again in the
 *   meantime
 */
export async function proposeCorrections(
  session: Session,
  command: {
    tapeId: string;
    corrections: readonly RowCorrection[];
    on: string | null;
    comment?: string | undefined;
    readErrored: ReadErrored;
  },
): Promise<CorrectionProposal> {
  requirePermission(session, 'assets/write');
  const tape = await getTape(session, command.tapeId);
  if (!isBorrower(session)) {
    throw new Refusal('forbidden', 'Only a borrower can propose corrections. Correct the rows and reprocess them');
  }
  const generation = await publishedGeneration(session, tape.id);
  if (!generation?.manifest) {
    throw new Refusal('badRequest', 'The tape is not published yet: wait until processing is complete');
  }
  const { plan, errored } = await erroredToPropose(session, tape, generation, command);
  const rows = proposedRows(command.corrections, errored, plan);
  await lockProposals(session, tape.id);
  if (command.on !== null && command.on !== generation.id) throw changedMeanwhile();
  await requireUnchanged(
    session,
    tape.id,
    generation.id,
    rows.map(({ row }) => row),
  );
  const proposal = session.em.create(CorrectionProposal, {
    id: newId(session.now),
    managerId: tape.managerId,
    companyId: tape.companyId,
    tapeId: tape.id,
    generationId: generation.id,
    rowNumbers: rows.map(({ row }) => row),
    correctedRows: rows,
    comment: command.comment?.trim() || null,
    metadata: createdMetadata(session, { loanTapeId: tape.id }),
  });
  await session.em.flush();
  await mailProposal(session, proposal, tape);
  return proposal;
}

const changedMeanwhile = () =>
  new Refusal('badRequest', 'The errored rows of this tape have changed. Open them from the tape again.');

/** Read before the lock is taken, because the rows may have to be fetched from object storage. */
async function erroredToPropose(
  session: Session,
  tape: LoanTape,
  generation: NonNullable<Awaited<ReturnType<typeof publishedGeneration>>>,
  { corrections, readErrored }: { corrections: readonly RowCorrection[]; readErrored: ReadErrored },
) {
  const { rules, loanTapeSheetName, primaryCurrency } = await getMapping(session, tape.mappingId);
  const { errored: parts = [], discarded = [] } = generation.manifest ?? {};
  const gone: ReadonlySet<number> = new Set(discarded === 'all' ? [] : discarded);
  const numbers = [...new Set(corrections.map(({ row }) => row))];
  const found = discarded === 'all' ? [] : await readErrored(parts, numbers);
  return {
    plan: planMapping(parseMapping({ rules, loanTapeSheetName, primaryCurrency })),
    errored: found.filter(({ row }) => !gone.has(row)),
  };
}

/** What was read before the lock must still be valid, and no row can be in two open proposals. */
async function requireUnchanged(
  session: Session,
  tapeId: string,
  generationId: string,
  rows: readonly number[],
): Promise<void> {
  const [now] = await session.query<{ generation_id: string | null; discarded: number[] | 'all' | null }>(
    `select t.generation_id, g.manifest -> 'discarded' as discarded
     from loan_tapes t left join tape_generations g on g.id = t.generation_id where t.id = $1 and t.status = 'Active'`,
    [tapeId],
  );
  const gone = now?.discarded === 'all' || rows.some((row) => (now?.discarded ?? []).includes(row as never));
  if (now?.generation_id !== generationId || gone) throw changedMeanwhile();
  const open = await session.em.find(CorrectionProposal, { tapeId, status: 'Proposed' });
  const wanted = new Set(rows);
  const taken = open.find(({ rowNumbers }) => rowNumbers.some((row) => wanted.has(row)));
  if (taken) {
    throw new Refusal(
      'badRequest',
      `Row ${taken.rowNumbers.find((row) => wanted.has(row))} is in proposal ${taken.code}, which is awaiting the manager’s decision: withdraw that proposal first`,
    );
  }
  if (open.length >= MAX_OPEN_PROPOSALS) {
    throw new Refusal(
      'badRequest',
      `A tape has at most ${MAX_OPEN_PROPOSALS} open proposals: wait for the manager’s decision, or withdraw some`,
    );
  }
}

/**
 * Accepts a proposal: its rows are reprocessed and published. The proposal becomes Accepted in the same transaction as
 * that publication. Until then it stays Proposed, also if the re-run fails or is cancelled.
 * @throws Refusal notFound; forbidden for a borrower; badRequest if it is decided, or the tape is being processed or
 *   has changed
 */
export async function acceptProposal(
  session: Session,
  command: { id: string; findErrored: FindErrored },
): Promise<{ proposal: CorrectionProposal; attempt: RerunAttempt }> {
  const { proposal } = await proposalToDecide(session, command.id);
  PROPOSAL_TRANSITIONS.require(proposal.status, 'Accepted');
  const by = nameOf(session);
  const attempt = await beginRerun(session, {
    tapeId: proposal.tapeId,
    rows: proposal.rowNumbers,
    // An open proposal is about rows that are still errored, also if others were published since.
    on: null,
    by,
    findErrored: command.findErrored,
  });
  await storeChange(session, proposal, {
    acceptingGenerationId: attempt.generationId,
    decidedBy: by,
    decidedAt: session.now,
  });
  return { proposal, attempt };
}

/** Declines a proposal, with a reason. @throws Refusal as `acceptProposal` */
export async function declineProposal(
  session: Session,
  command: { id: string; reason: string },
): Promise<CorrectionProposal> {
  const { proposal, tape } = await proposalToDecide(session, command.id);
  PROPOSAL_TRANSITIONS.require(proposal.status, 'Declined');
  requireNotBeingAccepted(tape, proposal);
  await storeChange(session, proposal, {
    status: 'Declined',
    declineReason: command.reason,
    decidedBy: nameOf(session),
    decidedAt: session.now,
  });
  await closeProposals(session, [proposal]);
  return proposal;
}

/**
 * Withdraws a proposal.
 * @throws Refusal notFound; forbidden for anyone but the borrower; badRequest if it is decided
 */
export async function withdrawProposal(session: Session, command: { id: string }): Promise<CorrectionProposal> {
  requirePermission(session, 'assets/write');
  const found = await getProposal(session, command.id);
  if (!isBorrower(session)) {
    throw new Refusal('forbidden', 'Only the borrower can withdraw a proposal. Decline it instead');
  }
  await lockProposals(session, found.tapeId);
  const proposal = await refreshed(session, found.id);
  PROPOSAL_TRANSITIONS.require(proposal.status, 'Withdrawn');
  requireNotBeingAccepted(await getTape(session, proposal.tapeId), proposal);
  await storeChange(session, proposal, { status: 'Withdrawn', decidedBy: null, decidedAt: null });
  await closeProposals(session, [proposal]);
  return proposal;
}

/** A proposal of a locked tape, for a user of the manager. */
async function proposalToDecide(
  session: Session,
  id: string,
): Promise<{ proposal: CorrectionProposal; tape: LoanTape }> {
  requirePermission(session, 'assets/write');
  const found = await getProposal(session, id);
  refuseBorrower(session, 'Only the manager can decide on proposals. You can withdraw yours');
  // The tape of a decided or outdated proposal can have been removed; the refusal must then name the proposal's state.
  if (found.status !== 'Proposed') {
    return { proposal: found, tape: await session.em.findOneOrFail(LoanTape, { id: found.tapeId }) };
  }
  const tape = await lockTape(session, found.tapeId);
  await lockProposals(session, tape.id);
  return { proposal: await refreshed(session, id), tape };
}

const refreshed = (session: Session, id: string): Promise<CorrectionProposal> =>
  session.em.findOneOrFail(CorrectionProposal, { id }, { refresh: true });

function requireNotBeingAccepted(tape: LoanTape, proposal: CorrectionProposal): void {
  if (!isBeingAccepted(tape, proposal)) return;
  throw new Refusal(
    'badRequest',
    `${proposal.decidedBy ?? 'The manager'} has accepted this proposal, and its rows are being reprocessed`,
  );
}

const nameOf = ({ actor }: Session): string =>
  actor.kind === 'system' ? actor.name : `${actor.firstName} ${actor.lastName}`.trim() || actor.email.slice(0, 100);
