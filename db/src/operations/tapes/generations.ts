import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import { TAPE_STAGES, type TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { GENERATION_TRANSITIONS, PROCESS_TRANSITIONS, SCHEDULER_TRANSITIONS } from '@tapeline/domain/tapes/states.ts';
import { type AssetStatistics, countsAddUp, type TapeCounts } from '@tapeline/domain/tapes/tape.schema.ts';
import type { ChangesQuestion } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { LoanTape, TapeGeneration } from '../../entities/tapes.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { changedMetadata, recordAs, storeChange } from '../metadata.ts';
import { completeAction } from '../notifications/notifications.ts';
import { completeFailedTape, mailFailedTape } from '../outbox/tape-mails.ts';
import { isKeptGeneration } from './kept-generations.ts';
import { changesDoubt, poolDoubt } from './pool-doubts.ts';
import { resolveProposals } from './proposal-states.ts';
import { generationPrefix, supersedePublished } from './tapes.ts';

/** One attempt's right to publish. It is valid until the next attempt begins, or the tape is removed. */
export interface Attempt {
  generationId: string;
  fencingToken: number;
  /** The prefix of the objects that the attempt writes. */
  objectPrefix: string;
}

/**
 * The tape, locked until the transaction ends. The lock allows inserts that refer to the tape: a borrower who proposes
 * holds the lock of the proposals meanwhile, which whoever publishes waits for.
 * @throws Refusal notFound
 */
export async function lockTape(session: Session, tapeId: string): Promise<LoanTape> {
  await session.query('select 1 from loan_tapes where id = $1 for no key update', [tapeId]);
  const tape = await session.em.findOne(LoanTape, { id: tapeId, status: 'Active' }, { refresh: true });
  if (!tape) throw new Refusal('notFound', 'The tape no longer exists');
  return tape;
}

/** Begins a processing attempt for the tape; every earlier attempt loses its right to publish. */
export const beginGeneration = async (session: Session, command: { tapeId: string }): Promise<Attempt> =>
  beginLocked(session, await lockTape(session, command.tapeId));

/**
 * The same for a tape that is to be published for the first time. A worker that was presumed dead may come back when
 * another has published it.
 * @returns null if it is published
 */
export async function beginFirstGeneration(session: Session, command: { tapeId: string }): Promise<Attempt | null> {
  const tape = await lockTape(session, command.tapeId);
  return tape.generationId === null ? beginLocked(session, tape) : null;
}

function beginLocked(session: Session, tape: LoanTape): Promise<Attempt> {
  tape.processStatus = PROCESS_TRANSITIONS.enter(tape.processStatus, 'Processing');
  return newAttempt(session, tape);
}

/**
 * Creates the next attempt for a locked tape; other pending changes to the tape are written with it.
 * @param id of the generation, if the tape must already refer to it
 */
export async function newAttempt(session: Session, tape: LoanTape, id = newId(session.now)): Promise<Attempt> {
  tape.fence += 1;
  tape.failure = null;
  session.em.create(TapeGeneration, {
    id,
    managerId: tape.managerId,
    companyId: tape.companyId,
    tapeId: tape.id,
    fencingToken: tape.fence,
    createdAt: session.now,
  });
  await session.em.flush();
  return { generationId: id, fencingToken: tape.fence, objectPrefix: generationPrefix(tape.id, id) };
}

/** The order in which a job reaches its stages. A job that has ended reaches none any more. */
const STAGE_ORDER = [...TAPE_STAGES, 'ended'];

const stageRank = (progress: string) =>
  `coalesce(array_position($3::text[], ${progress} ->> 'stage'), cardinality($3::text[]))`;

/**
 * Records the processing progress, which is not a change for the history. Records of one job can arrive out of order,
 * for example from a worker that was believed dead: one that is behind what is recorded changes nothing, so that
 * progress never runs backwards. A job that started later replaces an earlier one. A re-run keeps the progress of the
 * job that published the tape, with its own.
 * @returns whether it was recorded
 */
export async function updateProgress(
  session: Session,
  command: { tapeId: string; progress: TapeProgress },
): Promise<boolean> {
  const number = (progress: string, name: string) => `(${progress} ->> '${name}')::numeric`;
  const isNotLess = ['rowsRead', 'rowsTransformed', 'percent']
    .map((name) => `${number('$2::jsonb', name)} >= ${number('progress', name)}`)
    .join(' and ');
  const rows = await session.query(
    `update loan_tapes set progress = $2::jsonb where id = $1 and status = 'Active' and (
       progress is null
       or ${number('$2::jsonb', 'startedAt')} > ${number('progress', 'startedAt')}
       or (${number('$2::jsonb', 'startedAt')} = ${number('progress', 'startedAt')} and progress -> 'rerun' is null
         and ${stageRank('$2::jsonb')} >= ${stageRank('progress')} and ${isNotLess}))
     returning id`,
    [command.tapeId, JSON.stringify(command.progress), STAGE_ORDER],
  );
  return rows.length > 0;
}

/**
 * Makes a generation visible, in one step with its counts and statistics. A tape whose pool is in doubt, and that asks
 * then, gets an open question instead, and is not published. Idempotent.
 * @throws Refusal badRequest if a later attempt has begun (a zombie writer), or the counts do not add up
 */
export async function publishGeneration(
  session: Session,
  command: {
    tapeId: string;
    generationId: string;
    fencingToken: number;
    manifest: GenerationManifest;
    counts: TapeCounts;
    statistics: AssetStatistics;
    /** What is to be asked about changes since the previous tape. */
    changes?: ChangesQuestion | null;
    /** Sheet rows that were reprocessed; all rows of the tape if omitted. */
    rows?: readonly number[];
    /** The version of a mapping that made it, if it is not the tape's; the tape has it from then on. */
    mapping?: { readonly id: string; readonly version: number };
    /** The person on whose behalf it is published; defaults to the actor. */
    by?: ChangedBy | undefined;
  },
): Promise<LoanTape> {
  if (!countsAddUp(command.counts)) {
    throw new Refusal('badRequest', 'The counts do not add up: assets + errored + discarded must be the data rows');
  }
  const tape = await lockTape(session, command.tapeId);
  if (tape.generationId === command.generationId) return tape;
  const generation = await session.em.findOne(TapeGeneration, { id: command.generationId, tapeId: tape.id });
  if (!generation || generation.fencingToken !== command.fencingToken || tape.fence !== command.fencingToken) {
    throw new Refusal('badRequest', 'A later attempt is processing this tape');
  }
  if (tape.questions.length > 0) return tape;
  const doubts = [await poolDoubt(session, tape, command), changesDoubt(tape, command.changes ?? null)].filter(
    (doubt) => doubt !== null,
  );
  const [first] = doubts;
  if (first && tape.onDoubt === 'ask') {
    // One at a time: the pool may be wrong, and then so is what changed.
    tape.questions = [first];
    await session.em.flush();
    return tape;
  }
  tape.settledQuestions = [...tape.settledQuestions, ...doubts.map((doubt) => ({ ...doubt, answer: null }))];
  await supersedePublished(session, tape.id);
  GENERATION_TRANSITIONS.require(generation.status, 'Published');
  generation.status = 'Published';
  generation.manifest = command.manifest;
  generation.publishedAt = session.now;
  if (command.mapping) {
    tape.mappingId = command.mapping.id;
    tape.mappingVersion = command.mapping.version;
  }
  if (tape.generationId) tape.restatements += 1;
  tape.generationId = generation.id;
  tape.publishedAt = session.now;
  tape.counts = command.counts;
  tape.statistics = command.statistics;
  tape.processStatus = PROCESS_TRANSITIONS.enter(tape.processStatus, 'Completed');
  tape.failure = null;
  tape.metadata = changedMetadata(session, tape.metadata);
  if (command.by) tape.metadata.changedBy = await recordAs(session, command.by);
  await session.em.flush();
  const late = { resource: 'companies', documentIds: [tape.companyId], kinds: ['tapeLate'] as const };
  await completeAction(session, late);
  await completeFailedTape(session, tape.id);
  await resolveProposals(session, tape, { generationId: generation.id, rows: command.rows ?? null });
  return tape;
}

/** Whether corrected rows of the tape are being reprocessed, by the workflow that the tape names. */
export const isRerunInProgress = (tape: Pick<LoanTape, 'id' | 'schedulerStatus' | 'workflowId'>): boolean =>
  tape.schedulerStatus === 'Processing' && (tape.workflowId ?? '').startsWith(WORKFLOW_IDS.rerun(tape.id, ''));

/** Ends the tape's job: the tape stays published, or Pending with the failure. Idempotent. */
export async function completeTape(session: Session, command: { tapeId: string }): Promise<void> {
  const tape = await lockTape(session, command.tapeId);
  // A worker that repeats this after another was killed may be too late: rows of the tape are reprocessed by now.
  if (isRerunInProgress(tape)) return;
  tape.schedulerStatus = SCHEDULER_TRANSITIONS.enter(tape.schedulerStatus, 'Completed');
  await session.em.flush();
}

/** Ends the tape's job with its last progress. Idempotent. */
export async function recordEnd(session: Session, command: { tapeId: string; progress: TapeProgress }): Promise<void> {
  await updateProgress(session, command);
  await completeTape(session, command);
}

/**
 * Ends the job with a failure: nothing of it becomes visible, and the tape is Pending again and shows the failure. A tape
 * with an open question shows that instead.
 */
export async function failTape(session: Session, command: { tapeId: string; failure: string }): Promise<LoanTape> {
  const tape = await lockTape(session, command.tapeId);
  const wasProcessing = tape.schedulerStatus === 'Processing';
  const isAsked = tape.questions.length > 0;
  tape.failure = isAsked ? null : command.failure;
  if (isAsked) tape.progress = null;
  tape.schedulerStatus = SCHEDULER_TRANSITIONS.enter(tape.schedulerStatus, 'Completed');
  // A published tape stays published: only the attempt failed.
  tape.processStatus = PROCESS_TRANSITIONS.enter(tape.processStatus, tape.generationId ? 'Completed' : 'Pending');
  tape.fence += 1;
  tape.metadata = changedMetadata(session, tape.metadata);
  await session.em.flush();
  // A repeated activity has already sent the mail.
  if (wasProcessing && !isAsked) await mailFailedTape(session, tape, command.failure);
  return tape;
}

/** Restarts the processing of a failed tape. @throws Refusal badRequest if it is being processed or is published */
export async function restartTape(session: Session, command: { tapeId: string }): Promise<LoanTape> {
  const tape = await lockTape(session, command.tapeId);
  SCHEDULER_TRANSITIONS.require(tape.schedulerStatus, 'Processing', 'it is already being processed');
  if (tape.generationId) throw new Refusal('badRequest', 'The tape is already published');
  if (tape.questions.length > 0) throw new Refusal('badRequest', 'Answer the open questions of the tape first');
  await storeChange(session, tape, { schedulerStatus: 'Processing', failure: null, progress: null });
  await completeFailedTape(session, tape.id);
  return tape;
}

/** The published generation of a tape; null until there is one. */
export async function publishedGeneration(session: Session, tapeId: string): Promise<TapeGeneration | null> {
  return session.em.findOne(TapeGeneration, { tapeId, status: 'Published' });
}

/** Attempts at a tape that were never published. */
export async function unpublishedGenerations(
  session: Session,
  tapeId: string,
): Promise<{ generationId: string; objectPrefix: string }[]> {
  const rows = await session.query<{ id: string }>(
    `select id from tape_generations where tape_id = $1 and status = 'Staging' order by id`,
    [tapeId],
  );
  return rows.map(({ id }) => ({ generationId: id, objectPrefix: generationPrefix(tapeId, id) }));
}

/**
 * What the objects of an attempt are needed for: its processing, readers (see `isKeptGeneration`) without processing in progress,
 * or nothing: a later publication replaced it or, as far as this database knows, it was never published.
 */
export type GenerationUse = 'inWork' | 'kept' | 'replaced' | 'neverPublished';

/**
 * What these attempts are needed for, by id; attempts that are not in the database are omitted. Called by the sweeper,
 * as the system actor.
 */
export async function generationUses(
  session: Session,
  generationIds: readonly string[],
): Promise<Map<string, GenerationUse>> {
  const rows = await session.query<{ id: string; use: GenerationUse }>(
    `select g.id, case
         when g.status = 'Published' and t.status = 'Active' and t.scheduler_status <> 'Completed' then 'inWork'
         when ${isKeptGeneration('g', 't')} then 'kept'
         when g.status <> 'Staging' then 'replaced'
         when t.status = 'Active' and g.fencing_token = t.fence and t.scheduler_status = 'Processing' then 'inWork'
         else 'neverPublished' end as use
     from tape_generations g join loan_tapes t on t.id = g.tape_id where g.id = any($1)`,
    [generationIds],
  );
  return new Map(rows.map(({ id, use }) => [id, use]));
}

/** Attempts that are neither kept nor the tape's current one. Called by the sweeper, as the system actor. */
export async function listOrphanGenerations(
  session: Session,
  command: { olderThan: Date },
): Promise<{ tapeId: string; generationId: string; objectPrefix: string }[]> {
  const rows = await session.query<{ tape_id: string; id: string }>(
    `select g.tape_id, g.id from tape_generations g join loan_tapes t on t.id = g.tape_id
     where g.created_at < $1 and g.status <> 'Published' and not ${isKeptGeneration('g', 't')}
       and (g.fencing_token < t.fence or t.status = 'Removed') order by g.id`,
    [command.olderThan],
  );
  return rows.map((row) => ({
    tapeId: row.tape_id,
    generationId: row.id,
    objectPrefix: generationPrefix(row.tape_id, row.id),
  }));
}

/** Deletes the record of an attempt once its objects are deleted. One that is kept stays. */
export async function forgetGeneration(session: Session, command: { generationId: string }): Promise<void> {
  await session.query(
    `delete from tape_generations g using loan_tapes t
     where g.id = $1 and t.id = g.tape_id and g.status <> 'Published' and not ${isKeptGeneration('g', 't')}`,
    [command.generationId],
  );
}

/** After a restore without the objects of replaced generations: none is kept. Called as the system actor. */
export async function giveUpReplaced(session: Session): Promise<void> {
  await session.query(
    `update tape_generations set manifest = manifest || '{"swept": true}' where status = 'Superseded'`,
  );
}
