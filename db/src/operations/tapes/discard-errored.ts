import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { lockTape, publishedGeneration } from './generations.ts';
import { type FindErrored, isRerunInHand, requireErroredRows } from './rerun-errored.ts';
import { getTape } from './tapes.ts';

export interface ErroredToDiscard {
  tapeId: string;
  /** Sheet rows; null for every errored row that is left. */
  rows: readonly number[] | null;
  findErrored: FindErrored;
}

/**
 * Gives errored rows of a published tape up, all that are named or none: they leave the errored list and count as
 * discarded from then on, in one step with the tape's counts.
 * @throws Refusal notFound; forbidden for a borrower; badRequest while corrected rows are run again, and (flag on `rows`)
 *   for a row that is not an errored one
 */
export async function discardErrored(session: Session, command: ErroredToDiscard): Promise<LoanTape> {
  const { actor } = session;
  // Published figures are the manager's; and a tape out of sight is not there before it is forbidden.
  await getTape(session, command.tapeId);
  if (actor.kind === 'user' && actor.type === 'company') {
    throw new Refusal('forbidden', 'Only the manager discards rows of a published tape');
  }
  const tape = await lockTape(session, command.tapeId);
  const generation = await publishedGeneration(session, tape.id);
  if (!generation?.manifest || !tape.counts) {
    throw new Refusal('badRequest', 'The tape is not published yet: wait until it is processed');
  }
  if (isRerunInHand(tape)) {
    throw new Refusal(
      'badRequest',
      'Corrected rows of this tape are being run again: wait until that is done, or cancel it',
    );
  }
  const { discarded: before = [] } = generation.manifest;
  const rows = command.rows === null ? null : [...new Set(command.rows)];
  if (rows) await requireErroredRows(generation.manifest, rows, command.findErrored);
  const count = rows ? rows.length : tape.counts.errored;
  if (count === 0) return tape;
  generation.manifest = {
    ...generation.manifest,
    discarded: rows && before !== 'all' ? [...before, ...rows].sort((a, b) => a - b) : 'all',
  };
  tape.counts = {
    ...tape.counts,
    errored: tape.counts.errored - count,
    discarded: tape.counts.discarded + count,
  };
  tape.metadata = changedMetadata(session, tape.metadata);
  await session.em.flush();
  return tape;
}
