import { dirname } from 'node:path';
import { deletePrefix, objectKey } from '@tapeline/db/files/object-store.ts';
import { forgetAbandonedUpload } from '@tapeline/db/operations/files/files.ts';
import {
  completeTape,
  failTape,
  forgetGeneration,
  listOrphanGenerations,
  neededGenerations,
} from '@tapeline/db/operations/tapes/generations.ts';
import { endStrandedRerun, isRerunInHand } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { getTape, listTapesInWork } from '@tapeline/db/operations/tapes/tapes.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { loanTapeWorkflowId } from '@tapeline/workflows/queues.ts';
import type { SweepActivities, SweptStorage } from '@tapeline/workflows/sweep/activities.ts';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkerContext } from '../context.ts';
import { removeStaleScratch } from '../scratch.ts';
import { workingPrefixes } from '../tape/tape-objects.ts';

const SWEEPER = systemActor('Sweeper');
const STRANDED = 'The processing ended before it was done. Nothing half done was kept; try again.';

/** Clears away what killed and overtaken work left. Each may run at any time, beside any work. */
export function createSweepActivities(context: WorkerContext): SweepActivities {
  return {
    sweepStorage: () => sweepStorage(context),
    findStrandedTapes: async () => ({ tapeIds: await strandedTapes(context) }),
    endStrandedTapes: ({ tapeIds }) => endStrandedTapes(context, tapeIds),
  };
}

/** `lake/<tape>/<attempt>/`, of every object that processing writes. */
const ATTEMPT = /^(?<objectPrefix>lake\/[0-9a-f]{24}\/(?<generationId>[0-9a-f]{24})\/)/;
const LOOK_UP = 500;
/** A signed address takes an upload for minutes only: after a day nobody sends or confirms it any more. */
const ABANDONED_MS = 24 * 3_600_000;

async function sweepStorage(context: WorkerContext): Promise<SweptStorage> {
  const { store, objects } = context;
  // Listed before the database is asked: an attempt is registered before it writes, so what is unknown there is nobody's.
  const stored = new Map<string, string>();
  for await (const { key } of objects.list('lake/')) {
    const { objectPrefix, generationId } = ATTEMPT.exec(key)?.groups ?? {};
    if (objectPrefix && generationId) stored.set(generationId, objectPrefix);
  }
  let deleted = 0;
  const ids = [...stored.keys()];
  for (let from = 0; from < ids.length; from += LOOK_UP) {
    const some = ids.slice(from, from + LOOK_UP);
    const needed = await store.as(SWEEPER, (session) => neededGenerations(session, some));
    const settledById = new Map(needed.map(({ generationId, settled }) => [generationId, settled]));
    for (const id of some) {
      const objectPrefix = stored.get(id) as string;
      const settled = settledById.get(id);
      if (settled === undefined) deleted += await deletePrefix(objects, objectPrefix);
      else if (settled)
        for (const prefix of workingPrefixes({ objectPrefix })) deleted += await deletePrefix(objects, prefix);
    }
  }
  const orphans = await store.as(SWEEPER, async (session) => {
    const found = await listOrphanGenerations(session, { olderThan: session.now });
    for (const orphan of found) await forgetGeneration(session, orphan);
    return found;
  });
  const uploads = await removeAbandonedUploads(context);
  const scratch = await removeStaleScratch(dirname(context.scratchFolder), context.scratchFolder);
  const swept = { objects: deleted, generations: orphans.length, uploads, scratchFolders: scratch.length };
  context.log.info(swept, 'swept');
  return swept;
}

/** Deletes files that were announced and never sent or never used; gives how many. */
async function removeAbandonedUploads(context: WorkerContext): Promise<number> {
  for (let removed = 0; ; removed += 1) {
    const file = await context.store.as(SWEEPER, async (session) => {
      const before = new Date(session.now.getTime() - ABANDONED_MS);
      const abandoned = await forgetAbandonedUpload(session, { before });
      if (abandoned) await context.objects.delete(objectKey(abandoned.bucket, abandoned.key));
      return abandoned;
    });
    if (!file) return removed;
  }
}

async function strandedTapes(context: WorkerContext): Promise<string[]> {
  const tapes = await context.store.as(SWEEPER, (session) => listTapesInWork(session));
  const stranded: string[] = [];
  for (const { id, workflowId } of tapes) {
    if (!(await isWorkedAt(context, workflowId ?? loanTapeWorkflowId(id)))) stranded.push(id);
  }
  return stranded;
}

async function isWorkedAt(context: WorkerContext, workflowId: string): Promise<boolean> {
  try {
    const { status } = await context.temporal.workflow.getHandle(workflowId).describe();
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
      if (isRerunInHand(tape)) await endStrandedRerun(session, { tapeId, failure: STRANDED });
      else if (tape.generationId) await completeTape(session, { tapeId });
      else await failTape(session, { tapeId, failure: STRANDED });
    });
    context.log.warn({ tapeId }, 'a tape that nothing worked at was ended');
  }
  return { tapeIds: ended };
}
