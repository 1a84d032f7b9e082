import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { lockTape, publishedGeneration } from './generations.ts';
import { getTape } from './tapes.ts';

export interface ErroredToDiscard {
  tapeId: string;
  /** Sheet rows; null for every errored row that is left. */
  rows: readonly number[] | null;
  /** Which of the sheet rows stand in the errored parts with these object keys. */
  findErrored: (parts: readonly string[], rows: readonly number[]) => Promise<readonly number[]>;
}

/**
 * Gives errored rows of a published tape up, all that are named or none: they leave the errored list and count as
 * discarded from then on, in one step with the tape's counts.
 * @throws Refusal notFound; forbidden for a borrower; badRequest (flag on `rows`) for a row that is not an errored one
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
  const { errored: parts, discarded: before = [] } = generation.manifest;
  const rows = command.rows === null ? null : [...new Set(command.rows)];
  if (rows) {
    const left = before === 'all' ? [] : await command.findErrored(parts, rows);
    const gone: ReadonlySet<number> = new Set(before === 'all' ? [] : before);
    const wrong = rows.filter((row) => !left.includes(row) || gone.has(row));
    if (wrong.length > 0) {
      throw new Refusal('badRequest', `No errored rows of this tape: ${wrong.slice(0, 10).join(', ')}`, {
        flags: { rows: 'names rows that are not errored' },
      });
    }
  }
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
