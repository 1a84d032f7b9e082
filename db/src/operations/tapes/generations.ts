import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { type AssetStatistics, countsAddUp, type TapeCounts } from '@tapeline/domain/tapes/tape.schema.ts';
import { LoanTape, TapeGeneration } from '../../entities/tapes.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { generationPrefix } from './tapes.ts';

/** One attempt's right to publish: it lasts until the next attempt begins, or the tape is removed. */
export interface Attempt {
  generationId: string;
  fencingToken: number;
  /** Where the attempt writes its objects. */
  objectPrefix: string;
}

/** The tape, nobody else's to change until the transaction ends. @throws Refusal notFound */
export async function lockTape(session: Session, tapeId: string): Promise<LoanTape> {
  await session.query('select 1 from loan_tapes where id = $1 for update', [tapeId]);
  const tape = await session.em.findOne(LoanTape, { id: tapeId, status: 'Active' }, { refresh: true });
  if (!tape) throw new Refusal('notFound', 'The tape is gone');
  return tape;
}

/** Begins an attempt at the tape's assets; every earlier attempt loses its right to publish. */
export async function beginGeneration(session: Session, command: { tapeId: string }): Promise<Attempt> {
  const tape = await lockTape(session, command.tapeId);
  tape.processStatus = 'Processing';
  return newAttempt(session, tape);
}

/**
 * The next attempt at a tape that is locked; what else of the tape was changed is written with it.
 * @param id of the generation, where the tape must name it already
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

/** Notes how far the processing is; not a change that history keeps. False where the tape is gone. */
export async function updateProgress(
  session: Session,
  command: { tapeId: string; progress: TapeProgress },
): Promise<boolean> {
  const rows = await session.query(
    `update loan_tapes set progress = $2::jsonb where id = $1 and status = 'Active' returning id`,
    [command.tapeId, JSON.stringify(command.progress)],
  );
  return rows.length > 0;
}

/**
 * Makes a generation the visible one, in one step with its counts and statistics. Doing it again changes nothing.
 * @throws Refusal badRequest where a later attempt has begun (a zombie writer), or the counts do not add up
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
  },
): Promise<LoanTape> {
  if (!countsAddUp(command.counts)) {
    throw new Refusal('badRequest', 'The counts do not add up: assets + errored + discarded must be the data rows');
  }
  const tape = await lockTape(session, command.tapeId);
  if (tape.generationId === command.generationId) return tape;
  const generation = await session.em.findOne(TapeGeneration, { id: command.generationId, tapeId: tape.id });
  if (!generation || generation.fencingToken !== command.fencingToken || tape.fence !== command.fencingToken) {
    throw new Refusal('badRequest', 'A later attempt has taken this tape over');
  }
  if (tape.generationId) {
    await session.query(`update tape_generations set status = 'Superseded' where id = $1`, [tape.generationId]);
  }
  generation.status = 'Published';
  generation.manifest = command.manifest;
  generation.publishedAt = session.now;
  tape.generationId = generation.id;
  tape.publishedAt = session.now;
  tape.counts = command.counts;
  tape.statistics = command.statistics;
  tape.processStatus = 'Completed';
  tape.failure = null;
  tape.metadata = changedMetadata(session, tape.metadata);
  await session.em.flush();
  return tape;
}

/** Ends the tape's job: it stays as published, or as Pending with what went wrong. */
export async function completeTape(session: Session, command: { tapeId: string }): Promise<void> {
  const tape = await lockTape(session, command.tapeId);
  tape.schedulerStatus = 'Completed';
  await session.em.flush();
}

/** Ends the job with a fault: nothing of it shows, the tape is Pending again and says why. */
export async function failTape(session: Session, command: { tapeId: string; failure: string }): Promise<void> {
  const tape = await lockTape(session, command.tapeId);
  tape.failure = command.failure;
  tape.schedulerStatus = 'Completed';
  // A published tape stays published: only the attempt failed.
  tape.processStatus = tape.generationId ? 'Completed' : 'Pending';
  tape.fence += 1;
  tape.metadata = changedMetadata(session, tape.metadata);
  await session.em.flush();
}

/** Sets a failed tape to work again. @throws Refusal badRequest where it is in work or published */
export async function restartTape(session: Session, command: { tapeId: string }): Promise<LoanTape> {
  const tape = await lockTape(session, command.tapeId);
  if (tape.schedulerStatus === 'Processing') throw new Refusal('badRequest', 'The tape is being processed already');
  if (tape.generationId) throw new Refusal('badRequest', 'The tape is published already');
  tape.schedulerStatus = 'Processing';
  tape.failure = null;
  tape.progress = null;
  await session.em.flush();
  return tape;
}

/** The published generation of a tape; null until there is one. */
export async function publishedGeneration(session: Session, tapeId: string): Promise<TapeGeneration | null> {
  return session.em.findOne(TapeGeneration, { tapeId, status: 'Published' });
}

/** Attempts at a tape that nothing shows of: neither published now nor, where the tape was removed, ever again. */
export async function unpublishedGenerations(
  session: Session,
  tapeId: string,
): Promise<{ generationId: string; objectPrefix: string }[]> {
  const rows = await session.query<{ id: string }>(
    `select id from tape_generations where tape_id = $1 and status <> 'Published' order by id`,
    [tapeId],
  );
  return rows.map(({ id }) => ({ generationId: id, objectPrefix: generationPrefix(tapeId, id) }));
}

/**
 * Of these attempts, those whose objects are needed: published, or the current one of a tape in work. `settled`: the
 * tape's job is over, so that what only processing needed is not. For the sweeper, as the system.
 */
export async function neededGenerations(
  session: Session,
  generationIds: readonly string[],
): Promise<{ generationId: string; settled: boolean }[]> {
  const rows = await session.query<{ id: string; settled: boolean }>(
    `select g.id, t.scheduler_status = 'Completed' as settled
     from tape_generations g join loan_tapes t on t.id = g.tape_id
     where g.id = any($1) and t.status = 'Active' and (g.status = 'Published'
       or g.status = 'Staging' and g.fencing_token = t.fence and t.scheduler_status = 'Processing')`,
    [generationIds],
  );
  return rows.map(({ id, settled }) => ({ generationId: id, settled }));
}

/** Attempts whose objects nobody needs: neither published nor the tape's current one. For the sweeper, as the system. */
export async function listOrphanGenerations(
  session: Session,
  command: { olderThan: Date },
): Promise<{ tapeId: string; generationId: string; objectPrefix: string }[]> {
  const rows = await session.query<{ tape_id: string; id: string }>(
    `select g.tape_id, g.id from tape_generations g join loan_tapes t on t.id = g.tape_id
     where g.created_at < $1 and g.status <> 'Published'
       and (g.fencing_token < t.fence or t.status = 'Removed') order by g.id`,
    [command.olderThan],
  );
  return rows.map((row) => ({
    tapeId: row.tape_id,
    generationId: row.id,
    objectPrefix: generationPrefix(row.tape_id, row.id),
  }));
}

/** Forgets an attempt once its objects are deleted. */
export async function forgetGeneration(session: Session, command: { generationId: string }): Promise<void> {
  await session.query(`delete from tape_generations where id = $1 and status <> 'Published'`, [command.generationId]);
}
