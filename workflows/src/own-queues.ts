import { workflowInfo } from '@temporalio/workflow';
import { instanceOf, taskQueuesOf } from './queues.ts';

/** The queues of the running workflow's instance. */
export const OWN_QUEUES = taskQueuesOf(instanceOf(workflowInfo().taskQueue));
