import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  condition,
  continueAsNew,
  executeChild,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { messageOf } from '../failure-message.ts';
import { OWN_QUEUES } from '../own-queues.ts';
import { instanceOf, workflowIdOf } from '../queues.ts';
import { SCHEDULED, UNTIL_DONE, WATCHED } from '../retries.ts';
import { type DuplicateActivities, SEARCH_SECONDS } from './activities.ts';
import { bookChanged, searchNow } from './messages.ts';

const short = { ...WATCHED, taskQueue: OWN_QUEUES.io, startToCloseTimeout: '1 minute' } as const;
const { findDuplicates } = proxyActivities<DuplicateActivities>({
  ...short,
  taskQueue: OWN_QUEUES.compute,
  startToCloseTimeout: `${SEARCH_SECONDS + 5 * 60} seconds`,
  retry: SCHEDULED,
});
const { listBooks } = proxyActivities<DuplicateActivities>({ ...short, retry: SCHEDULED });
const { recordFailedSearch } = proxyActivities<DuplicateActivities>({ ...short, retry: UNTIL_DONE });

/** Tapes that are published together are searched together. */
const QUIET = '10 seconds';

/**
 * Searches the book of one manager, again for each tape that is published meanwhile. A person starts it, a tape that is
 * published, and the night for every manager.
 */
export async function duplicatesOfManager(managerId: string): Promise<{ found: number }> {
  let isOutdated = false;
  let isUrgent = false;
  setHandler(bookChanged, () => {
    isOutdated = true;
  });
  setHandler(searchNow, () => {
    isUrgent = true;
  });
  for (;;) {
    if (isOutdated) await condition(() => isUrgent, QUIET);
    isOutdated = false;
    const result = await search(managerId);
    isUrgent = false;
    if (!isOutdated) return result;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof duplicatesOfManager>(managerId);
  }
}

async function search(managerId: string): Promise<{ found: number }> {
  try {
    return await findDuplicates({ managerId });
  } catch (error) {
    const isCancelled = isCancellation(error);
    const reason = isCancelled ? 'The search was cancelled' : messageOf(error, 'The book could not be searched');
    await CancellationScope.nonCancellable(() => recordFailedSearch({ managerId, reason }));
    if (isCancelled) throw error;
    throw ApplicationFailure.create({ message: reason, nonRetryable: true });
  }
}

/** Searches the books of all managers one after another. One that fails does not stop the others. */
export async function everyDuplicate(): Promise<{ searched: number }> {
  const instance = instanceOf(workflowInfo().taskQueue);
  const { managerIds } = await listBooks();
  let searched = 0;
  for (const managerId of managerIds) {
    try {
      await executeChild(duplicatesOfManager, {
        workflowId: workflowIdOf(instance, WORKFLOW_IDS.duplicates(managerId)),
        args: [managerId],
      });
      searched += 1;
    } catch (error) {
      // It failed, which is recorded, or a person or a tape has started it. Anything else is a fault of this program.
      const isExpected = error instanceof ChildWorkflowFailure || error instanceof WorkflowExecutionAlreadyStartedError;
      if (isCancellation(error) || !isExpected) throw error;
    }
  }
  return { searched };
}
