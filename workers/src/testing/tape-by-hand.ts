import { join } from 'node:path';
import type { ReadResult, TransformedBatch } from '@tapeline/workflows/loan-tape/activities.ts';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import pino from 'pino';
import type { WorkerContext } from '../context.ts';
import { createTapeComputeActivities } from '../tape/compute-activities.ts';
import { createTapeIoActivities } from '../tape/io-activities.ts';
import { type TapeCluster, TEST_INSTANCE } from './tape-cluster.ts';

// The SDK logs a refused activity as a warning, which tests may provoke.
const logger = new DefaultLogger('ERROR');

/** Runs the tape's activities one by one, as a worker would, in the order that the test chooses. */
export interface TapeByHand {
  readonly attempt: { tapeId: string; generationId: string; fencingToken: number; objectPrefix: string };
  read(): Promise<ReadResult>;
  /** Transforms the batches with these indexes, in this order. */
  transform(read: ReadResult, order?: readonly number[]): Promise<TransformedBatch[]>;
  finalize(read: ReadResult, transformed: readonly TransformedBatch[]): Promise<unknown>;
  /** Ends the workflow that the activities signalled. */
  end(): Promise<void>;
}

export async function claimTape(
  cluster: TapeCluster,
  tapeId: string,
  { batchRows }: { batchRows: number },
): Promise<TapeByHand> {
  const workflowId = `by-hand/${tapeId}`;
  const started = await cluster.client.workflow.start('loanTape', {
    taskQueue: 'no worker polls this queue',
    workflowId,
    args: [{ tapeId }],
  });
  const context: WorkerContext = {
    instance: TEST_INSTANCE,
    store: cluster.database.store,
    objects: cluster.objects,
    temporal: cluster.client,
    jobMemory: '1GiB',
    jobSpill: '20GB',
    scratchFolder: join(cluster.folder, 'by-hand'),
    batchRows,
    log: pino({ level: 'silent' }),
  };
  const [io, compute] = [createTapeIoActivities(context), createTapeComputeActivities(context)];
  const workflowExecution = { workflowId, runId: started.firstExecutionRunId };
  const environment = new MockActivityEnvironment({ workflowExecution }, { logger });
  const { attempt } = await io.beginTape({ tapeId });
  return {
    attempt,
    read: () => environment.run(io.readTape, attempt),
    async transform(read, order = read.batches.map((_, index) => index)) {
      const transformed: TransformedBatch[] = [];
      for (const index of order) {
        const batch = read.batches[index];
        if (!batch) throw new Error(`the tape has no batch ${index}`);
        transformed.push(await environment.run(compute.transformBatch, { ...attempt, batch }));
      }
      return transformed;
    },
    finalize: (read, transformed) =>
      environment.run(compute.finalizeTape, { ...attempt, read, transformed: [...transformed] }),
    end: () => started.terminate().then(() => undefined),
  };
}
