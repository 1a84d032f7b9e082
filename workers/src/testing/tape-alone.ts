import { mkdir } from 'node:fs/promises';
import type { Store } from '@tapeline/db/store.ts';
import type { ObjectStore } from '@tapeline/lake/storage/object-store.ts';
import type { ProcessedTape } from '@tapeline/workflows/loan-tape/activities.ts';
import { advance, beginTape } from '@tapeline/workflows/loan-tape/state.ts';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import pino from 'pino';
import type { WorkerContext } from '../context.ts';
import { createTapeComputeActivities } from '../tape/compute-activities.ts';
import { createTapeIoActivities } from '../tape/io-activities.ts';

/**
 * Processes small tapes in this process, one after the other, without a server that hands out their steps: the least
 * that they can take.
 * @returns a function that takes a tape from its file to its end
 */
export async function tapesAlone(services: {
  instance: string;
  store: Store;
  objects: ObjectStore;
  temporal: Client;
  scratchFolder: string;
}): Promise<(tapeId: string) => Promise<void>> {
  await mkdir(services.scratchFolder, { recursive: true });
  const context: WorkerContext = {
    ...services,
    batchRows: 100_000,
    jobMemory: '1GiB',
    jobSpill: '20GB',
    log: pino({ level: 'silent' }),
  };
  const [io, compute] = [createTapeIoActivities(context), createTapeComputeActivities(context)];
  return async (tapeId) => {
    const environment = new MockActivityEnvironment();
    const { progress } = beginTape(Date.now());
    const processed: ProcessedTape = await environment.run(compute.processTape, { tapeId, progress });
    const { begun, state, published, isEnded } = processed;
    if (!published) throw new Error(`the tape ${tapeId} waits for another`);
    if (isEnded) return;
    const done = advance(beginTape(state.progress.startedAt), { type: 'finished' }, Date.now());
    await environment.run(io.completeTape, { tapeId, progress: done.progress, attempt: begun.attempt });
  };
}
