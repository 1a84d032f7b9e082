import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { defineSignal } from '@temporalio/workflow';
import { taskQueuesOf, workflowIdOf } from '../queues.ts';

/** Emails were queued, and are to be sent without waiting for the schedule. */
export const mailQueued = defineSignal('mailQueued');

/** How a commit that queued emails starts the run that sends them, or tells the one in progress. */
export const mailRunOf = (instance: string) => ({
  workflowId: workflowIdOf(instance, WORKFLOW_IDS.mail()),
  taskQueue: taskQueuesOf(instance).workflows,
  signal: mailQueued,
});
