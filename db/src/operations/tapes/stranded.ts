import type { LoanTape } from '../../entities/tapes.ts';
import { IS_CALCULATING } from '../../migrations/20-tapes.ts';
import type { Session } from '../../store.ts';
import { endCalculations, isCalculating } from './calculations.ts';
import { completeTape, failTape, isRerunInProgress, lockTape } from './generations.ts';
import { endStrandedRerun } from './rerun-errored.ts';

/** A tape that a workflow should be working at, as it was when it was listed. */
export interface WorkedTape {
  readonly id: string;
  readonly isProcessing: boolean;
  readonly workflowId: string | null;
  readonly fence: number;
  /** As text, to compare. */
  readonly calculations: string;
}

const COLUMNS = `id, scheduler_status = 'Processing' as "isProcessing", workflow_id as "workflowId", fence,
  borrowing_base_statuses::text as calculations`;

/**
 * A page of the tapes that are processed or calculated, by id. Those that somebody changed after `before` are left out:
 * their workflow may be about to start. Called as the program.
 */
export const listWorkedTapes = (
  session: Session,
  command: { before: Date; after: string | null; limit: number },
): Promise<WorkedTape[]> =>
  session.query(
    `select ${COLUMNS} from loan_tapes
     where status = 'Active' and (scheduler_status = 'Processing' or ${IS_CALCULATING})
       and coalesce(metadata #>> '{changedBy,timestamp}', metadata ->> 'iat')::timestamptz <= $1
       and ($2::text is null or id > $2) order by id limit $3`,
    [command.before, command.after, command.limit],
  );

/**
 * Ends the work at a tape that no workflow is working at, so that it can be started again. What was published stays.
 * Called as the program.
 * @param command.listed the tape as it was before its workflows were looked for
 * @returns false if it has changed since then, or was removed
 */
export async function endStrandedTape(
  session: Session,
  command: { listed: WorkedTape; failure: string; calculationFailure: string },
): Promise<boolean> {
  const { listed, failure, calculationFailure } = command;
  const { id: tapeId } = listed;
  const [now] = await session.query<WorkedTape>(
    `select ${COLUMNS} from loan_tapes where id = $1 and status = 'Active' for no key update`,
    [tapeId],
  );
  if (!now || (Object.keys(listed) as (keyof WorkedTape)[]).some((key) => now[key] !== listed[key])) return false;
  const tape = await lockTape(session, tapeId);
  if (listed.isProcessing) await endProcessing(session, tape, failure);
  if (isCalculating(tape)) await endCalculations(session, { tapeId, noteId: null, failure: calculationFailure });
  return true;
}

/** Ends the processing or re-run of a tape. A published tape stays published. */
export async function endProcessing(session: Session, tape: LoanTape, failure: string): Promise<void> {
  const { id: tapeId } = tape;
  if (isRerunInProgress(tape)) await endStrandedRerun(session, { tapeId, failure });
  else if (tape.generationId) await completeTape(session, { tapeId });
  else await failTape(session, { tapeId, failure });
}
