import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { RerunProgress } from '@tapeline/domain/tapes/progress.ts';
import { SCHEDULER_TRANSITIONS } from '@tapeline/domain/tapes/states.ts';
import type { AssetStatistics, TapeCounts } from '@tapeline/domain/tapes/tape.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { LoanTape } from '../../entities/tapes.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import {
  type Attempt,
  isRerunInProgress,
  lockTape,
  newAttempt,
  publishedGeneration,
  publishGeneration,
} from './generations.ts';
import { getTape } from './tapes.ts';

/** A re-run's right to publish. It is valid until another re-run begins, this one ends, or the tape is removed. */
export interface RerunAttempt extends Attempt {
  tapeId: string;
  /** The published generation that it starts from. */
  baseGenerationId: string;
}

/**
 * Object key of a re-run's corrections as they were sent (JSON, `RowCorrection[]`), stored until the re-run has ended.
 */
export const rerunRequestKey = (attempt: Pick<Attempt, 'objectPrefix'>): string =>
  `${attempt.objectPrefix}request.json`;

/**
 * Returns which of the sheet rows are in the errored parts with these object keys; all their rows if `rows` is null.
 */
export type FindErrored = (parts: readonly string[], rows: readonly number[] | null) => Promise<readonly number[]>;

/** @throws Refusal badRequest (flag on `field`) if a row is not an errored row, or was discarded */
export async function requireErroredRows(
  manifest: GenerationManifest,
  rows: readonly number[],
  findErrored: FindErrored,
  field = 'rows',
): Promise<void> {
  const { errored: parts, discarded = [] } = manifest;
  const left = new Set(discarded === 'all' ? [] : await findErrored(parts, rows));
  const gone: ReadonlySet<number> = new Set(discarded === 'all' ? [] : discarded);
  const wrong = rows.filter((row) => !left.has(row) || gone.has(row));
  if (wrong.length === 0) return;
  throw new Refusal('badRequest', `Not errored rows of this tape: ${wrong.slice(0, 10).join(', ')}`, {
    flags: { [field]: 'includes rows that are not errored' },
  });
}

/**
 * Starts a re-run of corrected rows on a published tape. Its assets stay visible meanwhile; no other re-run or discard
 * is possible until it has ended.
 * @param command.rows the sheet rows that are corrected; null if they are in a file that a worker will read
 * @param command.on the generation that the corrections were made on; null for the published one, whatever it is
 * @throws Refusal notFound; forbidden for a borrower, who can only propose; badRequest if the tape is being processed,
 *   is not published or has been published again since, or a row is not errored
 */
export async function beginRerun(
  session: Session,
  command: {
    tapeId: string;
    rows: readonly number[] | null;
    on: string | null;
    by: string | null;
    findErrored: FindErrored;
  },
): Promise<RerunAttempt> {
  requirePermission(session, 'assets/write');
  const { tape, base, counts } = await lockPublished(
    session,
    command.tapeId,
    'Borrowers can only propose corrections to a published tape, for the manager to accept',
  );
  if (command.on !== null && command.on !== base.id) {
    throw new Refusal('badRequest', 'Rows of this tape have been reprocessed. Review the current errored rows');
  }
  if (counts.errored === 0) throw new Refusal('badRequest', 'The tape has no errored rows');
  if (command.rows !== null) {
    await requireErroredRows(base.manifest, command.rows, command.findErrored, 'assets');
  }
  return beginOn(session, { tape, base }, { rows: command.rows?.length ?? null, by: command.by });
}

const WAIT = 'wait until this is complete, or cancel it';

/** Why nothing else can change the rows of a tape meanwhile. */
export const rerunInProgress = (): Refusal =>
  new Refusal('badRequest', `Rows of this tape are being reprocessed: ${WAIT}`);

/** A published tape, locked, and what is published of it. */
export interface LockedTape {
  readonly tape: LoanTape;
  readonly base: { readonly id: string; readonly manifest: GenerationManifest };
  readonly counts: TapeCounts;
}

/**
 * Locks a tape that can be re-run.
 * @param forBorrowers why a borrower cannot
 * @throws Refusal notFound; forbidden for a borrower; badRequest if the tape is being processed or is not published
 */
export async function lockPublished(session: Session, tapeId: string, forBorrowers: string): Promise<LockedTape> {
  const tape = await lockTape(session, tapeId);
  refuseBorrower(session, forBorrowers);
  const base = await publishedGeneration(session, tape.id);
  if (!base?.manifest || !tape.counts) {
    throw new Refusal('badRequest', 'The tape is not published yet: wait until processing is complete');
  }
  if (tape.schedulerStatus === 'Processing') {
    throw isRerunInProgress(tape)
      ? rerunInProgress()
      : new Refusal('badRequest', `The tape is being processed: ${WAIT}`);
  }
  return { tape, base: { id: base.id, manifest: base.manifest }, counts: tape.counts };
}

/** Starts a re-run of a locked tape. */
export async function beginOn(
  session: Session,
  { tape, base }: Pick<LockedTape, 'tape' | 'base'>,
  progress: Omit<RerunProgress, 'startedAt'>,
): Promise<RerunAttempt> {
  const id = newId(session.now);
  SCHEDULER_TRANSITIONS.require(tape.schedulerStatus, 'Processing');
  tape.schedulerStatus = 'Processing';
  tape.workflowId = WORKFLOW_IDS.rerun(tape.id, id);
  if (tape.progress) tape.progress = { ...tape.progress, rerun: { ...progress, startedAt: session.now.getTime() } };
  tape.metadata = changedMetadata(session, tape.metadata);
  return { ...(await newAttempt(session, tape, id)), tapeId: tape.id, baseGenerationId: base.id };
}

/**
 * Makes the re-run's generation visible, in one step with counts and statistics: rows that became assets are no longer
 * errored rows. Idempotent.
 * @throws Refusal badRequest if another attempt has taken over the tape (another re-run, a zombie writer); notFound if
 *   the tape was removed
 */
export async function publishRerun(
  session: Session,
  command: {
    attempt: RerunAttempt;
    manifest: Omit<GenerationManifest, 'discarded'>;
    /** Sheet rows that were reprocessed. */
    rows: readonly number[];
    /** Number of rows that became assets. */
    made: number;
    statistics: AssetStatistics;
  },
): Promise<LoanTape> {
  const { attempt, manifest, rows, made, statistics } = command;
  return publishOn(session, attempt, ({ base, counts }) => {
    const { discarded } = base.manifest;
    return {
      manifest: { ...manifest, ...(discarded === undefined ? {} : { discarded }) },
      counts: { ...counts, assets: counts.assets + made, errored: counts.errored - made },
      statistics,
      rows,
    };
  });
}

/** What a re-run publishes. */
type Next = Omit<Parameters<typeof publishGeneration>[1], keyof Attempt | 'tapeId' | 'by'>;

/**
 * Makes the generation of a re-run visible. Idempotent.
 * @param next what is published, beside what is published now
 * @throws Refusal as `publishRerun`
 */
export async function publishOn(
  session: Session,
  attempt: RerunAttempt,
  next: (published: LockedTape) => Next,
): Promise<LoanTape> {
  const tape = await lockTape(session, attempt.tapeId);
  if (tape.generationId === attempt.generationId) return tape;
  const base = await publishedGeneration(session, tape.id);
  if (!base?.manifest || !tape.counts || base.id !== attempt.baseGenerationId) {
    throw new Refusal('badRequest', 'The tape has been republished');
  }
  return publishGeneration(session, {
    ...attempt,
    ...next({ tape, base: { id: base.id, manifest: base.manifest }, counts: tape.counts }),
    // The change is attributed to the person who started the re-run: a worker only carries it out.
    by: tape.metadata.changedBy,
  });
}

/**
 * Ends a re-run. What it published stays. If it published nothing, it never can afterwards, and the tape shows the
 * reason. Does nothing if another attempt has taken over the tape, or the tape was removed.
 * @returns whether the re-run was published
 */
export async function endRerun(
  session: Session,
  command: { attempt: Pick<RerunAttempt, 'tapeId' | 'generationId' | 'fencingToken'>; failure: string | null },
): Promise<boolean> {
  const { attempt, failure } = command;
  const tape = await lockTape(session, attempt.tapeId);
  const isPublished = tape.generationId === attempt.generationId;
  if (tape.fence !== attempt.fencingToken) return isPublished;
  leaveWork(tape, isPublished, failure);
  await session.em.flush();
  return isPublished;
}

/**
 * The workflow of a tape's current re-run, to be cancelled.
 * @throws Refusal notFound; forbidden for a borrower; badRequest if there is no re-run
 */
export async function rerunToCancel(session: Session, tapeId: string): Promise<string> {
  requirePermission(session, 'assets/write');
  const tape = await getTape(session, tapeId);
  refuseBorrower(session, 'Only the manager can cancel reprocessing');
  if (!isRerunInProgress(tape) || !tape.workflowId) {
    throw new Refusal('badRequest', 'No rows of this tape are being reprocessed');
  }
  return tape.workflowId;
}

/** Ends the current re-run of a tape whose workflow no longer exists. */
export async function endStrandedRerun(session: Session, command: { tapeId: string; failure: string }): Promise<void> {
  const tape = await lockTape(session, command.tapeId);
  if (!isRerunInProgress(tape)) return;
  leaveWork(tape, tape.workflowId === WORKFLOW_IDS.rerun(tape.id, tape.generationId ?? ''), command.failure);
  await session.em.flush();
}

function leaveWork(tape: LoanTape, isPublished: boolean, failure: string | null): void {
  tape.schedulerStatus = SCHEDULER_TRANSITIONS.enter(tape.schedulerStatus, 'Completed');
  if (tape.progress) {
    const { rerun: _, ...progress } = tape.progress;
    tape.progress = progress;
  }
  if (isPublished) return;
  tape.fence += 1;
  tape.failure = failure;
}
