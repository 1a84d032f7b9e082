import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { deletePrefix, localPaths } from '@tapeline/db/files/object-store.ts';
import { findErroredRows } from '@tapeline/db/lake/errored-assets.ts';
import { discardErrored } from '@tapeline/db/operations/tapes/discard-errored.ts';
import { isRerunInHand } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { getTape, removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import type { CallOrigin } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import type { borrowingBases } from '@tapeline/workflows/all-workflows.ts';
import { loanTapeWorkflowId, TASK_QUEUES } from '@tapeline/workflows/queues.ts';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy, WorkflowNotFoundError } from '@temporalio/client';
import type { RequestContext } from '../context.ts';
import { cancelRerun } from './rerun.server.ts';

/** How long the page waits for a worker's answer before it shows what PostgreSQL last heard. */
const QUERY_WITHIN_MS = 1500;

/** The tape's progress as its workflow tells it now; as last recorded where no worker answers. Null: not begun. */
export async function tapeProgress(context: RequestContext, tape: LoanTape): Promise<TapeProgress | null> {
  const recorded = tape.progress ?? null;
  // A re-run of some rows is told by what is recorded: its workflow has no stages to ask for.
  if (tape.schedulerStatus === 'Completed' || isRerunInHand(tape)) return recorded;
  try {
    const handle = context.temporal.workflow.getHandle(loanTapeWorkflowId(tape.id));
    const asked = handle.query<TapeProgress>('progress');
    // A late failure of the query is nobody's business: the recorded progress was shown.
    asked.catch(() => undefined);
    return await Promise.race([
      asked,
      new Promise<TapeProgress | null>((resolve) => setTimeout(() => resolve(recorded), QUERY_WITHIN_MS).unref()),
    ]);
  } catch {
    return recorded;
  }
}

/**
 * Cancels a tape in work, or removes one that is done: everything that it wrote goes, in storage and database.
 * A borrower may only do it to their own unpublished tapes.
 */
export async function deleteTape(
  context: RequestContext,
  actor: UserActor,
  tapeId: string,
  origin: CallOrigin = {},
): Promise<{ id: string }> {
  const tape = await context.store.as(actor, (session) => getTape(session, tapeId));
  const onlyUnpublished = actor.type === 'company';
  if (onlyUnpublished && tape.generationId) {
    throw new Refusal('badRequest', 'This tape is published: only its manager can remove it');
  }
  if (isRerunInHand(tape)) {
    await cancelRerun(context, actor, tapeId);
  } else if (tape.schedulerStatus === 'Processing') {
    const handle = context.temporal.workflow.getHandle(loanTapeWorkflowId(tapeId));
    try {
      await handle.signal('cancel');
      // The workflow undoes its own work; it answers within seconds, since its activities heartbeat.
      await Promise.race([handle.result(), new Promise((resolve) => setTimeout(resolve, 20_000).unref())]);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
  const removed = await context.store.as(
    actor,
    async (session) => {
      const [row] = await session.query<{ status: string }>('select status from loan_tapes where id = $1', [tapeId]);
      return row?.status === 'Removed' ? null : removeTape(session, { id: tapeId, onlyUnpublished });
    },
    origin,
  );
  if (removed) await deletePrefix(context.objects, removed.objectPrefix);
  return { id: tapeId };
}

/**
 * Takes a tape's process back: everything that it wrote goes, the published assets and borrowing bases too. A re-run of
 * corrected rows in hand is cancelled instead and leaves the tape as it was.
 * @param command.removePublished false keeps a published tape (whoever means to cancel may come too late); true removes
 *   it even while a re-run is in hand
 * @throws Refusal notFound; badRequest where a published tape is to be kept
 */
export async function endProcess(
  context: RequestContext,
  actor: UserActor,
  command: { tapeId: string; removePublished?: boolean | undefined },
  origin: CallOrigin = {},
): Promise<{ id: string }> {
  const { tapeId, removePublished } = command;
  const tape = await context.store.as(actor, (session) => getTape(session, tapeId));
  if (isRerunInHand(tape) && !removePublished) {
    await cancelRerun(context, actor, tapeId);
    return { id: tapeId };
  }
  if (tape.generationId && removePublished === false) {
    throw new Refusal(
      'badRequest',
      'Nothing is in work for this tape: its assets are published. Leave removePublished out to remove it with them',
      { flags: { removePublished: 'keeps a published tape' } },
    );
  }
  return deleteTape(context, actor, tapeId, origin);
}

/**
 * Discards errored rows of a published tape; null for all that are left. Answers the tape as it is then.
 * @throws Refusal as `discardErrored`
 */
export function discardErroredRows(
  context: RequestContext,
  actor: UserActor,
  command: { tapeId: string; rows: readonly number[] | null },
  origin: CallOrigin = {},
): Promise<LoanTape> {
  return context.store.as(
    actor,
    (session) =>
      discardErrored(session, {
        ...command,
        findErrored: async (parts, rows) =>
          findErroredRows(context.lake, await localPaths(context.objects, parts), rows),
      }),
    origin,
  );
}

/** Starts the borrowing bases of a published tape, one for each note with a contract that applies. */
export async function startBorrowingBases(context: RequestContext, actor: UserActor, tapeId: string) {
  const tape = await context.store.as(actor, (session) => getTape(session, tapeId));
  if (!tape.generationId)
    throw new Refusal('badRequest', 'The tape has no published assets yet; wait until it is processed');
  const workflowId = `borrowing-bases/${tapeId}`;
  await context.temporal.workflow.start<typeof borrowingBases>('borrowingBases', {
    taskQueue: TASK_QUEUES.workflows,
    workflowId,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    args: [{ tapeId }],
  });
  return { loanTapeId: tapeId, workflowId };
}
