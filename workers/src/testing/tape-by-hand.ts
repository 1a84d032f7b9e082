import { join } from 'node:path';
import type { ReadResult, TransformedBatch } from '@tapeline/workflows/loan-tape/activities.ts';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import pino from 'pino';
import type { WorkerContext } from '../context.ts';
import { createTapeComputeActivities } from '../tape/compute-activities.ts';
import { createTapeIoActivities } from '../tape/io-activities.ts';
import type { TapeCluster } from './tape-cluster.ts';

// A refused activity is a warning to the SDK, and what a test may ask for.
const logger = new DefaultLogger('ERROR');

/** The tape's activities one by one, as some worker would run them: the test says which, and in which order. */
export interface TapeByHand {
  readonly attempt: { tapeId: string; generationId: string; fencingToken: number; objectPrefix: string };
  read(): Promise<ReadResult>;
  /** Transforms the batches in the order of these places. */
  transform(read: ReadResult, order?: readonly number[]): Promise<TransformedBatch[]>;
  settle(read: ReadResult, transformed: readonly TransformedBatch[]): Promise<unknown>;
  /** Ends the workflow that the activities signalled to. */
  end(): Promise<void>;
}

export async function takeTapeInHand(
  cluster: TapeCluster,
  tapeId: string,
  { batchRows }: { batchRows: number },
): Promise<TapeByHand> {
  const workflowId = `by-hand/${tapeId}`;
  const started = await cluster.client.workflow.start('loanTape', {
    taskQueue: 'nobody polls here',
    workflowId,
    args: [{ tapeId }],
  });
  const context: WorkerContext = {
    store: cluster.database.store,
    objects: cluster.objects,
    temporal: cluster.client,
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
    async transform(read, order = read.batches.map((_, place) => place)) {
      const transformed: TransformedBatch[] = [];
      for (const place of order) {
        const batch = read.batches[place];
        if (!batch) throw new Error(`the tape has no batch ${place}`);
        transformed.push(await environment.run(compute.transformBatch, { ...attempt, batch }));
      }
      return transformed;
    },
    settle: (read, transformed) =>
      environment.run(compute.settleTape, { ...attempt, read, transformed: [...transformed] }),
    end: () => started.terminate().then(() => undefined),
  };
}
