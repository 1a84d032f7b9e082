import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { defineSignal } from '@temporalio/workflow';
import { taskQueuesOf, workflowIdOf } from '../queues.ts';

/** A tape of the book was published. It is searched soon: further tapes may follow. */
export const bookChanged = defineSignal('bookChanged');

/** A person waits for the search. */
export const searchNow = defineSignal('searchNow');

/** The first search of a manager's book in a run has ended, well or not. */
export const bookSearched = defineSignal<[managerId: string]>('bookSearched');

/** How the search of a manager's book is started, or told, if it is in progress. */
export const bookSearchOf = (
  instance: string,
  managerId: string,
  signal: typeof bookChanged | typeof searchNow,
): { taskQueue: string; workflowId: string; signal: typeof signal; args: [managerId: string] } => ({
  taskQueue: taskQueuesOf(instance).workflows,
  workflowId: workflowIdOf(instance, WORKFLOW_IDS.duplicates(managerId)),
  signal,
  args: [managerId],
});
