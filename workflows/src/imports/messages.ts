import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { defineSignal } from '@temporalio/workflow';
import { taskQueuesOf, workflowIdOf } from '../queues.ts';

/** Someone started an import, which is to run without waiting for the schedule. */
export const importQueued = defineSignal('importQueued');

/** How a commit that queued a check starts the run of checks, or tells the one in progress. */
export const importCheckRunOf = (instance: string) => ({
  workflowId: workflowIdOf(instance, WORKFLOW_IDS.importChecks()),
  taskQueue: taskQueuesOf(instance).workflows,
  signal: importQueued,
});

/** How a commit that queued an import starts the run that writes it, or tells the one in progress. */
export const importRunOf = (instance: string) => ({
  workflowId: workflowIdOf(instance, WORKFLOW_IDS.imports()),
  taskQueue: taskQueuesOf(instance).workflows,
  signal: importQueued,
});
