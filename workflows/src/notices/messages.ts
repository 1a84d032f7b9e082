import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { defineSignal } from '@temporalio/workflow';
import { taskQueuesOf, workflowIdOf } from '../queues.ts';

/** Documents were issued, and their notices are to be made without waiting for the schedule. */
export const noticesDue = defineSignal('noticesDue');

/** How a commit that issued documents starts the run that makes their notices, or tells the one in progress. */
export const noticeRunOf = (instance: string) => ({
  workflowId: workflowIdOf(instance, WORKFLOW_IDS.notices()),
  taskQueue: taskQueuesOf(instance).workflows,
  signal: noticesDue,
});
