import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { ASSET_IDS_AT_ONCE, removeAssetIds } from '@tapeline/db/operations/search/asset-ids.ts';
import { endCalculations, isCalculating } from '@tapeline/db/operations/tapes/calculations.ts';
import { discardErrored } from '@tapeline/db/operations/tapes/discard-errored.ts';
import {
  isRerunInProgress,
  publishedGeneration,
  unpublishedGenerations,
} from '@tapeline/db/operations/tapes/generations.ts';
import { visiblePublishedTapes } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { getTape, removeTape, requireCalculable, requireRemovable } from '@tapeline/db/operations/tapes/tapes.ts';
import { queuesWithoutWorker } from '@tapeline/db/operations/workers/heartbeats.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import type { WorkerQueue } from '@tapeline/db/worker-queues.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { CANCELLED_CALCULATION } from '@tapeline/domain/tapes/calculation-state.ts';
import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { assetIdsOnlyIn } from '@tapeline/lake/asset-ids.ts';
import { findErroredRows } from '@tapeline/lake/errored-assets.ts';
import { discardAttempt } from '@tapeline/lake/storage/attempt-objects.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import type { borrowingBases } from '@tapeline/workflows/all-workflows.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { type WorkflowHandle, WorkflowIdReusePolicy, WorkflowNotFoundError } from '@temporalio/client';
import type { RequestContext } from '../http/context.ts';
import { cancelRerun } from './rerun.server.ts';
import { shownProgress } from './shown-progress.server.ts';

/** How long the page waits for a worker's answer before it shows the progress last recorded in PostgreSQL. */
const QUERY_WITHIN_MS = 1500;

/** Kinds of work that every tape needs. */
const OF_TAPES: readonly WorkerQueue[] = ['workflows', 'io', 'compute'];

/** Whether any of these kinds of work has no live worker. */
export async function waitsForWorker(
  context: Pick<RequestContext, 'store'>,
  queues: readonly WorkerQueue[] = OF_TAPES,
): Promise<boolean> {
  const missing = await context.store.as(SYSTEM, queuesWithoutWorker);
  return queues.some((queue) => missing.includes(queue));
}

/**
 * Returns the tape's current progress from its workflow, or the latest known progress if no worker answers. Null if the
 * tape has not begun.
 */
export async function tapeProgress(context: RequestContext, tape: LoanTape): Promise<TapeProgress | null> {
  // The progress of a re-run is the recorded one, because its workflow has no stages to query.
  if (tape.schedulerStatus === 'Completed' || isRerunInProgress(tape)) return tape.progress ?? null;
  return shownProgress(tape, await answeredProgress(context, tape));
}

/** What the tape's workflow says of its progress; null if no worker answers in time. */
async function answeredProgress(context: RequestContext, tape: LoanTape): Promise<TapeProgress | null> {
  // The query would wait for a worker too.
  if (await waitsForWorker(context, ['workflows'])) return null;
  try {
    const handle = context.temporal.workflow.getHandle(
      workflowIdOf(context.environment.instanceName, WORKFLOW_IDS.tape(tape.id)),
    );
    const asked = handle.query<TapeProgress>('progress');
    // Ignore a late failure of the query: the known progress has already been shown.
    asked.catch(() => undefined);
    return await Promise.race([
      asked,
      new Promise<null>((resolve) => setTimeout(() => resolve(null), QUERY_WITHIN_MS).unref()),
    ]);
  } catch {
    return null;
  }
}

/**
 * Cancels a tape in progress, or removes one that is done. It is then no longer shown anywhere. Unpublished data is
 * deleted at once. The sweep deletes published objects two weeks later.
 * A borrower can only delete their own unpublished tapes.
 */
export async function deleteTape(
  context: RequestContext,
  actor: UserActor,
  tapeId: string,
  origin: CallOrigin = {},
): Promise<{ id: string }> {
  const tape = await context.store.as(actor, (session) => requireRemovable(session, tapeId));
  if (isRerunInProgress(tape)) await cancelRerun(context, actor, tapeId);
  // The workflow undoes its own work. It answers within seconds because its activities heartbeat.
  else if (tape.schedulerStatus === 'Processing' || isCalculating(tape)) await stopCalculations(context, tape);
  const published = await context.store.as(actor, (session) => publishedGeneration(session, tapeId));
  const removed = await context.store.as(
    actor,
    async (session) => {
      const [row] = await session.query<{ status: string }>('select status from loan_tapes where id = $1', [tapeId]);
      return row?.status === 'Removed' ? null : removeTape(session, { id: tapeId });
    },
    origin,
  );
  if (removed) {
    const attempts = await context.store.as(SYSTEM, (session) => unpublishedGenerations(session, tapeId));
    for (const attempt of attempts) await discardAttempt(context.objects, attempt);
    await forgetAssets(context, actor, tape, published?.manifest?.assets ?? []).catch((error) =>
      context.log.error({ err: error, tapeId }, 'the assets of a removed tape are still found by the search'),
    );
  }
  return { id: tapeId };
}

/** The search no longer finds assets that were only on this tape. The parts of a removed tape stay for two weeks. */
async function forgetAssets(
  context: RequestContext,
  actor: UserActor,
  { companyId }: LoanTape,
  parts: readonly string[],
): Promise<void> {
  const left = await context.store.as(actor, (session) => visiblePublishedTapes(session, { companyId }));
  const others = left.flatMap(({ manifest }) => manifest.assets);
  const [paths, otherPaths] = [await localPaths(context.objects, parts), await localPaths(context.objects, others)];
  await assetIdsOnlyIn(context.lake, { paths, others: otherPaths, atOnce: ASSET_IDS_AT_ONCE }, (ids) =>
    context.store.as(SYSTEM, (session) => removeAssetIds(session, { companyId, ids })),
  );
}

/**
 * Undoes a tape's processing. Deletes everything that it wrote. If borrowing bases are being calculated or corrected rows
 * are being re-run, cancels only that and leaves the tape unchanged.
 * @param command.removePublished also removes a published tape with its assets and borrowing bases, even while a
 *   calculation or a re-run is in progress
 * @throws Refusal notFound; forbidden for a borrower, or badRequest, if the tape is published and is not to be removed
 */
export async function endProcess(
  context: RequestContext,
  actor: UserActor,
  command: { tapeId: string; removePublished: boolean },
  origin: CallOrigin = {},
): Promise<{ id: string }> {
  const { tapeId, removePublished } = command;
  const tape = await context.store.as(actor, (session) => getTape(session, tapeId));
  if (isRerunInProgress(tape) && !removePublished) {
    await cancelRerun(context, actor, tapeId);
    return { id: tapeId };
  }
  if (isCalculating(tape) && !removePublished) {
    await cancelBorrowingBases(context, actor, tapeId, origin);
    return { id: tapeId };
  }
  if (tape.generationId && !removePublished) {
    await context.store.as(actor, (session) => requireRemovable(session, tapeId));
    throw new Refusal(
      'badRequest',
      'This tape is published. Send removePublished: true to remove it with its assets and borrowing bases',
      { flags: { removePublished: 'must be true to remove a published tape' } },
    );
  }
  return deleteTape(context, actor, tapeId, origin);
}

/**
 * Discards errored rows of a published tape. Null discards all that are left.
 * @returns the resulting tape, and the sheet rows that were discarded
 * @throws Refusal as `discardErrored`
 */
export function discardErroredRows(
  context: RequestContext,
  actor: UserActor,
  command: { tapeId: string; rows: readonly number[] | null },
  origin: CallOrigin = {},
): Promise<{ tape: LoanTape; rows: number[] }> {
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

/**
 * Starts the borrowing bases of a published tape, one for each note with a contract that applies.
 * @throws Refusal notFound; forbidden for a borrower; badRequest if the tape is not published
 */
export async function startBorrowingBases(context: RequestContext, actor: UserActor, tapeId: string) {
  await context.store.as(actor, (session) => requireCalculable(session, tapeId));
  const { instanceName } = context.environment;
  const workflowId = WORKFLOW_IDS.borrowingBases(tapeId);
  // If a calculation is running, the signal makes it read the notes again, so notes added in the meantime are included.
  await context.temporal.workflow.signalWithStart<typeof borrowingBases>('borrowingBases', {
    taskQueue: taskQueuesOf(instanceName).workflows,
    workflowId: workflowIdOf(instanceName, workflowId),
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    signal: 'calculateAgain',
    args: [{ tapeId }],
  });
  return { loanTapeId: tapeId, workflowId };
}

/** How long a cancellation waits for running work to stop. */
const CANCELLED_WITHIN_MS = 20_000;

/**
 * Cancels the borrowing bases of a published tape that are not calculated yet. The tape and the finished calculations
 * are kept.
 * @throws Refusal notFound; badRequest if none is being calculated; forbidden for a borrower
 */
export async function cancelBorrowingBases(
  context: RequestContext,
  actor: UserActor,
  tapeId: string,
  origin: CallOrigin = {},
): Promise<void> {
  const tape = await context.store.as(actor, (session) => getTape(session, tapeId));
  if (actor.type === 'company') throw new Refusal('forbidden', 'Only the tape’s manager can cancel a calculation');
  if (!isCalculating(tape)) throw new Refusal('badRequest', 'No borrowing base is being calculated for this tape');
  // Recorded first, so that it shows at once, even if no workflow is running to record it.
  const ended = { tapeId, noteId: null, failure: CANCELLED_CALCULATION };
  await context.store.as(actor, (session) => endCalculations(session, ended), origin);
  await stopCalculations(context, tape);
}

/** Signals every workflow that may be calculating borrowing bases of the tape, and waits for them to end. */
async function stopCalculations(context: RequestContext, tape: LoanTape): Promise<void> {
  const { instanceName } = context.environment;
  const ids = [
    WORKFLOW_IDS.borrowingBases(tape.id),
    ...(tape.schedulerStatus === 'Processing' ? [tape.workflowId ?? WORKFLOW_IDS.tape(tape.id)] : []),
  ];
  await Promise.all(
    ids.map((id) => cancelWorkflow(context.temporal.workflow.getHandle(workflowIdOf(instanceName, id)))),
  );
}

async function cancelWorkflow(handle: WorkflowHandle): Promise<void> {
  try {
    await handle.signal('cancel');
    const late = new Promise((resolve) => setTimeout(resolve, CANCELLED_WITHIN_MS).unref());
    await Promise.race([handle.result(), late]);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
