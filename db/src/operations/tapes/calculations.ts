import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { calculationState } from '@tapeline/domain/tapes/calculation-state.ts';
import type { BorrowingBase } from '../../entities/lending.ts';
import type { BorrowingBaseStatus, LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { getTape } from './tapes.ts';

/** Whether a borrowing base of the tape is waiting or being calculated. */
export const isCalculating = (tape: Pick<LoanTape, 'borrowingBaseStatuses'>): boolean =>
  tape.borrowingBaseStatuses.some((entry) => ['Pending', 'Processing'].includes(calculationState(entry)));

/** Replaces the tape's calculations: one entry per note, whether it can be calculated or not. */
export async function beginCalculations(
  session: Session,
  command: { tapeId: string; entries: BorrowingBaseStatus[] },
): Promise<void> {
  await changeCalculations(session, command.tapeId, () => command.entries);
}

/** Records that the calculation for one note begins; also for a retry. */
export async function beginCalculation(
  session: Session,
  command: { tapeId: string; noteId: string; contractId: string },
): Promise<void> {
  const { noteId, contractId } = command;
  await changeCalculations(session, command.tapeId, (entries) =>
    entries.map((entry) =>
      entry.noteId === noteId
        ? { ...entry, contractId, status: 'Processing', borrowingBaseId: null, failure: null }
        : entry,
    ),
  );
}

/** Records that a note's calculation is stored. If it was requested again meanwhile, the entry keeps waiting. */
export async function completeCalculation(
  session: Session,
  command: { tapeId: string; noteId: string; contractId: string; borrowingBaseId: string },
): Promise<void> {
  const { noteId, contractId, borrowingBaseId } = command;
  await changeCalculations(session, command.tapeId, (entries) =>
    entries.map((entry) => {
      if (entry.noteId !== noteId) return entry;
      const status = calculationState(entry) === 'Pending' ? 'Pending' : 'Completed';
      return { ...entry, contractId, status, borrowingBaseId, failure: null };
    }),
  );
}

/** The tape leads to the latest version of a certificate, which another one than a calculation made. */
export const pointToBorrowingBase = (
  session: Session,
  { id, tapeId, noteId, contractId }: Pick<BorrowingBase, 'id' | 'tapeId' | 'noteId' | 'contractId'>,
): Promise<void> =>
  changeCalculations(session, tapeId, (entries) =>
    entries.map((entry) =>
      entry.noteId === noteId && entry.contractId === contractId ? { ...entry, borrowingBaseId: id } : entry,
    ),
  );

/** Records why a note was not calculated; with `noteId` null, for every note that has not been calculated yet. */
export async function endCalculations(
  session: Session,
  command: { tapeId: string; noteId: string | null; failure: string },
): Promise<void> {
  const { noteId, failure } = command;
  await changeCalculations(session, command.tapeId, (entries) =>
    entries.map((entry) => {
      const isMeant =
        noteId === null ? ['Pending', 'Processing'].includes(calculationState(entry)) : entry.noteId === noteId;
      return isMeant ? { ...entry, status: 'Pending', failure } : entry;
    }),
  );
}

/** Changes the entries under the tape's lock: notes of one tape are calculated concurrently. */
async function changeCalculations(
  session: Session,
  tapeId: string,
  change: (entries: readonly BorrowingBaseStatus[]) => BorrowingBaseStatus[],
): Promise<void> {
  await session.query('select 1 from loan_tapes where id = $1 for no key update', [tapeId]);
  const tape = await session.em.refresh(await getTape(session, tapeId));
  const rows = await session.query(
    `update loan_tapes set borrowing_base_statuses = $2::jsonb where id = $1 and status = 'Active' returning id`,
    [tapeId, JSON.stringify(change(tape?.borrowingBaseStatuses ?? []))],
  );
  if (rows.length === 0) throw new Refusal('notFound');
}
