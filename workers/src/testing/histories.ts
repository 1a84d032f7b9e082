import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loanTapeWorkflowId } from '@tapeline/workflows/queues.ts';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import type { TapeCluster } from './tape-cluster.ts';

// The replaying worker is not news.
Runtime.install({ logger: new DefaultLogger('ERROR') });

/** Runs the workflow of each tape again from what it did: throws where the code would now do another thing. */
export const replayTapes = (cluster: TapeCluster, tapeIds: readonly string[]): Promise<number> =>
  replayWorkflows(cluster, tapeIds.map(loanTapeWorkflowId));

/** Runs workflows again from what they did: throws where the code would now do another thing. */
export async function replayWorkflows(cluster: TapeCluster, workflowIds: readonly string[]): Promise<number> {
  async function* histories() {
    for (const workflowId of workflowIds) {
      yield { workflowId, history: await cluster.client.workflow.getHandle(workflowId).fetchHistory() };
    }
  }
  const workflowsPath = createRequire(import.meta.url).resolve('@tapeline/workflows/all-workflows.ts');
  let replayed = 0;
  for await (const { error } of Worker.runReplayHistories({ workflowsPath }, histories())) {
    if (error) throw error;
    replayed += 1;
  }
  return replayed;
}

/**
 * With RECORD_HISTORIES naming a folder, writes the tape's history there, to be kept with the workflow and replayed by its
 * tests. What differs from machine to machine (identities, stacks) is left out.
 */
export const recordHistory = (cluster: TapeCluster, tapeId: string, name: string): Promise<void> =>
  recordWorkflow(cluster, loanTapeWorkflowId(tapeId), name);

/** The same of any workflow. */
export async function recordWorkflow(cluster: TapeCluster, workflowId: string, name: string): Promise<void> {
  const folder = process.env.RECORD_HISTORIES;
  if (!folder) return;
  const history = await cluster.client.workflow.getHandle(workflowId).fetchHistory();
  const plain = JSON.parse(historyToJSON(history), (key, value) => {
    if (key === 'stackTrace') return '';
    // A worker's identity, and the queue named after it, say process and machine.
    return (key === 'identity' || key === 'name') && /^\d+@/.test(value) ? 'worker' : value;
  });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(plain)}\n`);
}
