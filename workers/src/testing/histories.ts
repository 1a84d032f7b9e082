import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { quietRuntime } from '@tapeline/workflows/testing/quiet-runtime.ts';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { loanTapeWorkflowId, type TapeCluster } from './tape-cluster.ts';

quietRuntime();

/** Replays the workflow of each tape: throws if the code would now behave differently. */
export const replayTapes = (cluster: TapeCluster, tapeIds: readonly string[]): Promise<number> =>
  replayWorkflows(cluster, tapeIds.map(loanTapeWorkflowId));

/** Replays workflows: throws if the code would now behave differently. */
export async function replayWorkflows(cluster: TapeCluster, workflowIds: readonly string[]): Promise<number> {
  async function* histories() {
    for (const workflowId of workflowIds) {
      yield { workflowId, history: await cluster.client.workflow.getHandle(workflowId).fetchHistory() };
    }
  }
  return replay(histories());
}

/** The same for single runs of workflows. */
export const replayRuns = (runs: readonly WorkflowRun[]): Promise<number> => replay(runs);

async function replay(histories: Iterable<WorkflowRun> | AsyncIterable<WorkflowRun>): Promise<number> {
  const workflowsPath = createRequire(import.meta.url).resolve('@tapeline/workflows/all-workflows.ts');
  let replayed = 0;
  for await (const { error } of Worker.runReplayHistories({ workflowsPath }, histories)) {
    if (error) throw error;
    replayed += 1;
  }
  return replayed;
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** One run of a workflow, with its history. */
export interface WorkflowRun {
  readonly workflowId: string;
  readonly history: History;
}

/** The runs of a tape's workflow, the first one first: several if it continued as new. */
export async function runsOf(cluster: TapeCluster, tapeId: string): Promise<WorkflowRun[]> {
  const workflowId = loanTapeWorkflowId(tapeId);
  const runs: { runId: string; startedAt: number }[] = [];
  for await (const { runId, startTime } of cluster.client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    runs.push({ runId, startedAt: startTime.getTime() });
  }
  runs.sort((a, b) => a.startedAt - b.startedAt);
  return Promise.all(
    runs.map(async ({ runId }) => ({
      workflowId,
      history: await cluster.client.workflow.getHandle(workflowId, runId).fetchHistory(),
    })),
  );
}

/**
 * If RECORD_HISTORIES names a folder, writes the tape's history there, to be kept with the workflow and replayed by its
 * tests. Data that differs between machines (identities, stack traces) is removed.
 */
export const recordHistory = (cluster: TapeCluster, tapeId: string, name: string): Promise<void> =>
  recordWorkflow(cluster, loanTapeWorkflowId(tapeId), name);

/** The same for any workflow. */
export async function recordWorkflow(cluster: TapeCluster, workflowId: string, name: string): Promise<void> {
  await recordRun({ workflowId, history: await cluster.client.workflow.getHandle(workflowId).fetchHistory() }, name);
}

/** The same for one run. */
export async function recordRun({ history }: WorkflowRun, name: string): Promise<void> {
  const folder = process.env.RECORD_HISTORIES;
  if (!folder) return;
  const plain = JSON.parse(historyToJSON(history), (key, value) => {
    if (key === 'stackTrace') return '';
    // A worker's identity, and the queue named after it, contain process and machine.
    return (key === 'identity' || key === 'name') && /^\d+@/.test(value) ? 'worker' : value;
  });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(plain)}\n`);
}
