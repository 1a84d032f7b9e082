import { workflowInfo } from '@temporalio/workflow';
import { taskQueuesOf } from './queues.ts';

/** The queues of the running workflow's instance. The name of the workflow's own queue is the name of the instance. */
export const OWN_QUEUES = taskQueuesOf(workflowInfo().taskQueue);
