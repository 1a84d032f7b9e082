import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import type { LoanTape } from '../../entities/tapes.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { type Attempt, lockTape, newAttempt, publishedGeneration, publishGeneration } from './generations.ts';
import { tapeWorkflowId } from './tapes.ts';

/** A re-run's right to publish: it lasts until another begins, or this one is ended, or the tape is removed. */
export interface RerunAttempt extends Attempt {
  tapeId: string;
  /** The published generation whose errored rows are corrected. */
  baseGenerationId: string;
}

/** The workflow of one re-run; ids of workflows are business ids. */
export const rerunWorkflowId = (tapeId: string, generationId: string): string =>
  `${tapeWorkflowId(tapeId)}/rerun/${generationId}`;

/** Where the corrections of a re-run stand as they were sent, until it has ended (JSON, `RowCorrection[]`). */
export const rerunRequestKey = (attempt: Pick<Attempt, 'objectPrefix'>): string =>
  `${attempt.objectPrefix}request.json`;

/** Whether corrected rows of the tape are being run again, by the workflow that the tape names. */
export const isRerunInHand = (tape: Pick<LoanTape, 'id' | 'schedulerStatus' | 'workflowId'>): boolean =>
  tape.schedulerStatus === 'Processing' && (tape.workflowId ?? '').startsWith(rerunWorkflowId(tape.id, ''));

/** Which of the sheet rows stand in the errored parts with these object keys. */
export type FindErrored = (parts: readonly string[], rows: readonly number[]) => Promise<readonly number[]>;

/** @throws Refusal badRequest (flag on `field`) where a row is not an errored one, or was discarded */
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
  throw new Refusal('badRequest', `No errored rows of this tape: ${wrong.slice(0, 10).join(', ')}`, {
    flags: { [field]: 'names rows that are not errored' },
  });
}

/**
 * Takes a published tape in hand for a re-run of corrected rows. Its assets stay visible meanwhile; nobody else re-runs
 * or discards until it has ended.
 * @param command.rows the sheet rows that are corrected; null where they stand in a file that a worker is to read
 * @param command.on the generation that the corrections were made on; null for the published one, whatever it is
 * @throws Refusal notFound; badRequest where the tape is in work, not published, published anew since, or a row is not errored
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
  const tape = await lockTape(session, command.tapeId);
  const base = await publishedGeneration(session, tape.id);
  if (!base?.manifest || !tape.counts) {
    throw new Refusal('badRequest', 'The tape is not published yet: wait until it is processed');
  }
  if (tape.schedulerStatus === 'Processing') {
    const what = isRerunInHand(tape) ? 'Corrected rows of this tape are being run again' : 'The tape is in work';
    throw new Refusal('badRequest', `${what}: wait until that is done, or cancel it`);
  }
  if (command.on !== null && command.on !== base.id) {
    throw new Refusal('badRequest', 'Rows of this tape were run again meanwhile: look at what is errored now');
  }
  if (tape.counts.errored === 0) throw new Refusal('badRequest', 'The tape has no errored rows');
  if (command.rows !== null) {
    await requireErroredRows(base.manifest, command.rows, command.findErrored, 'assets');
  }
  const id = newId(session.now);
  tape.schedulerStatus = 'Processing';
  tape.workflowId = rerunWorkflowId(tape.id, id);
  if (tape.progress) {
    const rerun = { rows: command.rows?.length ?? null, by: command.by, startedAt: session.now.getTime() };
    tape.progress = { ...tape.progress, rerun };
  }
  tape.metadata = changedMetadata(session, tape.metadata);
  return { ...(await newAttempt(session, tape, id)), tapeId: tape.id, baseGenerationId: base.id };
}

/**
 * Makes the re-run's generation the visible one, in one step with counts and statistics: rows that became assets leave
 * the errored ones. Doing it again changes nothing.
 * @throws Refusal badRequest where the tape was taken over meanwhile (another re-run, a zombie writer); notFound where it
 *   was removed
 */
export async function publishRerun(
  session: Session,
  command: {
    attempt: RerunAttempt;
    manifest: Omit<GenerationManifest, 'discarded'>;
    /** Rows that became assets. */
    made: number;
    statistics: AssetStatistics;
  },
): Promise<LoanTape> {
  const { attempt, manifest, made, statistics } = command;
  const tape = await lockTape(session, attempt.tapeId);
  if (tape.generationId === attempt.generationId) return tape;
  const base = await publishedGeneration(session, tape.id);
  if (!base?.manifest || !tape.counts || base.id !== attempt.baseGenerationId) {
    throw new Refusal('badRequest', 'The tape was published anew meanwhile');
  }
  const { discarded } = base.manifest;
  return publishGeneration(session, {
    ...attempt,
    manifest: { ...manifest, ...(discarded === undefined ? {} : { discarded }) },
    counts: { ...tape.counts, assets: tape.counts.assets + made, errored: tape.counts.errored - made },
    statistics,
  });
}

/**
 * Ends a re-run. What it published stays; where it published nothing it never can any more, and the tape says why.
 * Answers whether it was published. Quiet where another attempt has taken the tape, or it was removed.
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

/** Ends the re-run in hand of a tape whose workflow is gone. */
export async function endStrandedRerun(session: Session, command: { tapeId: string; failure: string }): Promise<void> {
  const tape = await lockTape(session, command.tapeId);
  if (!isRerunInHand(tape)) return;
  leaveWork(tape, tape.workflowId === rerunWorkflowId(tape.id, tape.generationId ?? ''), command.failure);
  await session.em.flush();
}

function leaveWork(tape: LoanTape, isPublished: boolean, failure: string | null): void {
  tape.schedulerStatus = 'Completed';
  if (tape.progress) {
    const { rerun: _, ...progress } = tape.progress;
    tape.progress = progress;
  }
  if (isPublished) return;
  tape.fence += 1;
  tape.failure = failure;
}
