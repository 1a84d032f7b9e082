import { ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import { SCHEDULED_IO } from '../scheduled-io.ts';
import type { RetentionActivities } from './activities.ts';

const { listRetention, removeExpired } = proxyActivities<RetentionActivities>(SCHEDULED_IO);

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
