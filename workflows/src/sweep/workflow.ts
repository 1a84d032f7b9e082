import { proxyActivities, sleep } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { WATCHED } from '../retries.ts';
import type { SweepActivities, SweptStorage } from './activities.ts';

// Few attempts are enough, because the next sweep tries again.
const { sweepStorage, findStrandedTapes, endStrandedTapes, restartUnwatchedDraws } = proxyActivities<SweepActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '30 minutes',
  retry: { maximumAttempts: 3 },
});

export interface Swept extends SweptStorage {
  /** Tapes that were ended because no workflow was processing them any more. */
  endedTapes: string[];
}

/**
 * Removes what killed and superseded work left behind. A schedule starts this workflow.
 * @param graceMs time between the two checks for a tape without a workflow, so that a tape that is just starting has
 *   time
 *   to get one
 */
export async function sweepOrphans({ graceMs }: { graceMs: number }): Promise<Swept> {
  const swept = await sweepStorage();
  const stranded = await findStrandedTapes();
  if (stranded.tapeIds.length === 0) return { ...swept, endedTapes: [] };
  await sleep(graceMs);
  const ended = await endStrandedTapes(stranded);
  return { ...swept, endedTapes: ended.tapeIds };
}

/**
 * Restarts the checks of draw requests whose workflow was not told of them or of a change, because Temporal could not be
 * reached. A schedule starts this workflow.
 * @param graceMs how long ago the change was, so that a signal that is on its way has time to arrive
 */
export const restartDraws = (input: { graceMs: number }): Promise<{ drawIds: string[] }> =>
  restartUnwatchedDraws(input);
