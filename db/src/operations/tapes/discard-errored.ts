import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { refuseBorrower } from '../permission.ts';
import { isRerunInProgress, lockTape, publishedGeneration } from './generations.ts';
import { outdateProposals } from './proposal-states.ts';
import { type FindErrored, requireErroredRows, rerunInProgress } from './rerun-errored.ts';
import { getTape } from './tapes.ts';

export interface ErroredToDiscard {
  tapeId: string;
  /** Sheet rows; null for all remaining errored rows. */
  rows: readonly number[] | null;
  findErrored: FindErrored;
}

/**
 * Discards errored rows of a published tape, either all of the named rows or none. They are removed from the errored
 * list and counted as discarded, in one step with the tape's counts.
 * @returns the updated tape, and the sheet rows that were discarded, ascending
 * @throws Refusal notFound; forbidden for a borrower; badRequest while rows are being reprocessed, and (flag
 *   on `rows`) for a row that is not errored
 */
export async function discardErrored(
  session: Session,
  command: ErroredToDiscard,
): Promise<{ tape: LoanTape; rows: number[] }> {
  // Only the manager can change published figures. A tape that the caller cannot see is not found rather than
  // forbidden.
  await getTape(session, command.tapeId);
  refuseBorrower(session, 'Only the manager can discard rows of a published tape');
  const tape = await lockTape(session, command.tapeId);
  const generation = await publishedGeneration(session, tape.id);
  if (!generation?.manifest || !tape.counts) {
    throw new Refusal('badRequest', 'The tape is not published yet: wait until processing is complete');
  }
  if (isRerunInProgress(tape)) throw rerunInProgress();
  const { discarded: before = [] } = generation.manifest;
  const named = command.rows === null ? null : [...new Set(command.rows)].sort((a, b) => a - b);
  if (named) await requireErroredRows(generation.manifest, named, command.findErrored);
  const rows = named ?? (await rowsLeft(generation.manifest, command.findErrored));
  if (rows.length === 0) return { tape, rows };
  generation.manifest = {
    ...generation.manifest,
    discarded: named && before !== 'all' ? [...before, ...rows].sort((a, b) => a - b) : 'all',
  };
  tape.counts = {
    ...tape.counts,
    errored: tape.counts.errored - rows.length,
    discarded: tape.counts.discarded + rows.length,
  };
  tape.metadata = changedMetadata(session, tape.metadata);
  await session.em.flush();
  await outdateProposals(session, tape.id, named);
  return { tape, rows };
}

/** The errored rows that have not been discarded yet, ascending. */
async function rowsLeft({ errored, discarded = [] }: GenerationManifest, findErrored: FindErrored): Promise<number[]> {
  if (discarded === 'all') return [];
  const gone = new Set(discarded);
  return (await findErrored(errored, null)).filter((row) => !gone.has(row));
}
