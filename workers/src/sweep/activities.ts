import { dirname } from 'node:path';
import { listUnwatchedDraws } from '@tapeline/db/operations/draws/watched-draws.ts';
import { completeTape, failTape } from '@tapeline/db/operations/tapes/generations.ts';
import { endStrandedRerun, isRerunInProgress } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { getTape, listTapesInProgress } from '@tapeline/db/operations/tapes/tapes.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { removeStaleFolders } from '@tapeline/lake/storage/process-folder.ts';
import { sweepObjects } from '@tapeline/lake/storage/sweep.ts';
import type { drawRequest } from '@tapeline/workflows/all-workflows.ts';
import type { DrawCheckCommand } from '@tapeline/workflows/draw/activities.ts';
import { drawSignalOf } from '@tapeline/workflows/draw/signal.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { SweepActivities, SweptStorage } from '@tapeline/workflows/sweep/activities.ts';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkerContext } from '../context.ts';
import { removeStoredPreviews } from '../preview/by-reference.ts';

const SWEEPER = systemActor('Sweeper');
/** Draw requests that are read at a time. */
const DRAWS_AT_ONCE = 200;
const STRANDED = 'Processing ended before it was complete. Partial results were removed. Try again.';

/** Removes what killed and superseded work left behind. Each activity may run at any time, alongside any other work. */
export function createSweepActivities(context: WorkerContext): SweepActivities {
  return {
    sweepStorage: () => sweepStorage(context),
    findStrandedTapes: async () => ({ tapeIds: await strandedTapes(context) }),
    endStrandedTapes: ({ tapeIds }) => endStrandedTapes(context, tapeIds),
    restartUnwatchedDraws: ({ graceMs }) => restartUnwatchedDraws(context, graceMs),
  };
}

async function sweepStorage(context: WorkerContext): Promise<SweptStorage> {
  const objects = await sweepObjects(context);
  const previews = await removeStoredPreviews(context, Date.now());
  const scratch = await removeStaleFolders(dirname(context.scratchFolder), context.scratchFolder);
  const swept = {
    recorded: objects.recorded.length,
    trashed: objects.trashed.length,
    deleted: objects.deleted.length,
    putBack: objects.putBack.length,
    unknown: objects.unknown.objects,
    generations: objects.generations,
    uploads: objects.uploads,
    previews,
    scratchFolders: scratch.length,
  };
  context.log.info(swept, 'swept');
  return swept;
}

async function strandedTapes(context: WorkerContext): Promise<string[]> {
  const tapes = await context.store.as(SWEEPER, (session) => listTapesInProgress(session));
  const stranded: string[] = [];
  for (const { id, workflowId } of tapes) {
    if (!(await isWorkedAt(context, workflowId ?? WORKFLOW_IDS.tape(id)))) stranded.push(id);
  }
  return stranded;
}

async function isWorkedAt(context: WorkerContext, workflowId: string): Promise<boolean> {
  try {
    const { status } = await context.temporal.workflow.getHandle(workflowIdOf(context.instance, workflowId)).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

async function endStrandedTapes(context: WorkerContext, tapeIds: readonly string[]): Promise<{ tapeIds: string[] }> {
  const still = new Set(await strandedTapes(context));
  const ended = tapeIds.filter((tapeId) => still.has(tapeId));
  for (const tapeId of ended) {
    await context.store.as(SWEEPER, async (session) => {
      const tape = await getTape(session, tapeId);
      if (isRerunInProgress(tape)) await endStrandedRerun(session, { tapeId, failure: STRANDED });
      else if (tape.generationId) await completeTape(session, { tapeId });
      else await failTape(session, { tapeId, failure: STRANDED });
    });
    context.log.warn({ tapeId }, 'a tape without a running workflow was ended');
  }
  return { tapeIds: ended };
}

async function restartUnwatchedDraws(context: WorkerContext, graceMs: number): Promise<{ drawIds: string[] }> {
  const before = new Date(Date.now() - graceMs);
  const drawIds: string[] = [];
  let page: Awaited<ReturnType<typeof listUnwatchedDraws>> = [];
  do {
    const after = page.at(-1)?.id ?? null;
    page = await context.store.as(SWEEPER, (session) =>
      listUnwatchedDraws(session, { before, after, limit: DRAWS_AT_ONCE }),
    );
    for (const { id: drawId, version } of page) {
      await context.temporal.workflow.signalWithStart<typeof drawRequest, [DrawCheckCommand]>(
        'drawRequest',
        drawSignalOf(context.instance, { drawId, version, stage: 'change' }),
      );
      drawIds.push(drawId);
    }
  } while (page.length === DRAWS_AT_ONCE);
  if (drawIds.length > 0) context.log.warn({ drawIds }, 'the checks of draw requests were restarted');
  return { drawIds };
}
