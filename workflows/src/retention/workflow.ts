import { ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { SCHEDULED, WATCHED } from '../retries.ts';
import type { RetentionActivities } from './activities.ts';

// Few attempts are enough, because the next run tries again.
const { listRetention, removeExpired } = proxyActivities<RetentionActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: SCHEDULED,
});

/**
 * Removes data that is older than its limit. A kind that fails does not stop the others; the run fails at its end and
 * names it. A schedule starts this workflow.
 */
export async function retention(): Promise<{ removed: Record<string, number> }> {
  const { kinds } = await listRetention();
  const removed: Record<string, number> = {};
  const failed: string[] = [];
  for (const kind of kinds) {
    try {
      removed[kind] = (await removeExpired({ kind })).removed;
    } catch (error) {
      if (isCancellation(error)) throw error;
      failed.push(kind);
    }
  }
  if (failed.length > 0) throw ApplicationFailure.nonRetryable(`Data was not removed: ${failed.join(', ')}`);
  return { removed };
}
