import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { messageOf } from '../failure-message.ts';
import { OWN_QUEUES } from '../own-queues.ts';
import { instanceOf, workflowIdOf } from '../queues.ts';
import { SCHEDULED, UNTIL_DONE, WATCHED } from '../retries.ts';
import { type DuplicateActivities, SEARCH_SECONDS } from './activities.ts';
import { bookChanged, bookSearched, searchNow } from './messages.ts';
import { isSearchedAgain, pauseBefore, type Rounds } from './rounds.ts';

const short = { ...WATCHED, taskQueue: OWN_QUEUES.io, startToCloseTimeout: '1 minute' } as const;
const { findDuplicates } = proxyActivities<DuplicateActivities>({
  ...short,
  taskQueue: OWN_QUEUES.compute,
  startToCloseTimeout: `${SEARCH_SECONDS + 5 * 60} seconds`,
  retry: SCHEDULED,
});
const { listBooks } = proxyActivities<DuplicateActivities>({ ...short, retry: SCHEDULED });
const { recordFailedSearch } = proxyActivities<DuplicateActivities>({ ...short, retry: UNTIL_DONE });

/**
 * Searches the book of one manager, again for the tapes that are published meanwhile. A person starts it, a tape that is
 * published, and the night for every manager.
 */
export async function duplicatesOfManager(managerId: string): Promise<{ found: number }> {
  let isOutdated = false;
  let isUrgent = false;
  let rounds: Rounds = { searched: 0, failed: 0 };
  setHandler(bookChanged, () => {
    isOutdated = true;
  });
  setHandler(searchNow, () => {
    isUrgent = true;
  });
  for (;;) {
    if (isOutdated) await condition(() => isUrgent, pauseBefore(rounds));
    isOutdated = false;
    isUrgent = false;
    const result = await search(managerId);
    rounds = { searched: rounds.searched + 1, failed: rounds.failed + ('failure' in result ? 1 : 0) };
    if (rounds.searched === 1) await tellNight(managerId);
    if (!isSearchedAgain(isOutdated, rounds)) {
      if ('failure' in result) throw ApplicationFailure.create({ message: result.failure, nonRetryable: true });
      return result;
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof duplicatesOfManager>(managerId);
  }
}

/** Records why a search fails. */
async function search(managerId: string): Promise<{ found: number } | { failure: string }> {
  try {
    return await findDuplicates({ managerId });
  } catch (error) {
    const isCancelled = isCancellation(error);
    const failure = isCancelled ? 'The search was cancelled' : messageOf(error, 'The book could not be searched');
    await CancellationScope.nonCancellable(() => recordFailedSearch({ managerId, reason: failure }));
    if (isCancelled) throw error;
    return { failure };
  }
}

/** The night goes on with the next book, while this one may be searched again for tapes that are published. */
async function tellNight(managerId: string): Promise<void> {
  const { parent } = workflowInfo();
  if (!parent) return;
  await getExternalWorkflowHandle(parent.workflowId, parent.runId)
    .signal(bookSearched, managerId)
    .catch((error: unknown) => {
      // A night that has ended does not wait.
      if (isCancellation(error)) throw error;
    });
}

/** Searches the books of all managers one after another. One that fails does not stop the others. */
export async function everyDuplicate(): Promise<{ searched: number }> {
  const instance = instanceOf(workflowInfo().taskQueue);
  const { managerIds } = await listBooks();
  const done = new Set<string>();
  setHandler(bookSearched, (managerId) => {
    done.add(managerId);
  });
  let searched = 0;
  for (const managerId of managerIds) {
    try {
      const child = await startChild(duplicatesOfManager, {
        workflowId: workflowIdOf(instance, WORKFLOW_IDS.duplicates(managerId)),
        parentClosePolicy: ParentClosePolicy.ABANDON,
        args: [managerId],
      });
      const ended = child.result().then(() => true);
      // If it fails once nobody waits for it, that is recorded as well.
      ended.catch(() => undefined);
      await Promise.race([ended, condition(() => done.has(managerId))]);
      searched += 1;
    } catch (error) {
      // It failed, which is recorded, or a person or a tape has started it. Anything else is a fault of this program.
      const isExpected = error instanceof ChildWorkflowFailure || error instanceof WorkflowExecutionAlreadyStartedError;
      if (isCancellation(error) || !isExpected) throw error;
    }
  }
  return { searched };
}
