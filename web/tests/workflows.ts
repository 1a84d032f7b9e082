import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { expect } from 'vitest';
import { runningProduct } from './running-product.ts';

/**
 * Queries Temporal about a workflow of the product under test.
 * @param id the product's own workflow ID, without the instance name
 */
async function askOf<Result>(id: string, ask: (handle: WorkflowHandle) => Promise<Result>): Promise<Result> {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, INSTANCE_NAME: instance } = runningProduct();
  const connection = await Connection.connect({ address });
  try {
    return await ask(new Client({ connection, namespace }).workflow.getHandle(workflowIdOf(instance, id)));
  } finally {
    await connection.close();
  }
}

/** Waits until the signal has been sent to the workflow, whether or not a worker has processed it. */
export const untilSignalled = (id: string, signal: string): Promise<void> =>
  askOf(id, async (handle) => {
    const signals = async () => {
      const { events } = await handle.fetchHistory();
      return events?.map((event) => event.workflowExecutionSignaledEventAttributes?.signalName);
    };
    await expect.poll(signals).toContain(signal);
  });

export const isRunning = (id: string): Promise<boolean> =>
  askOf(id, async (handle) => (await handle.describe()).status.name === 'RUNNING');
