import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { SCHEDULED, WATCHED } from '../retries.ts';
import type { SweepActivities, SweptStorage } from './activities.ts';

// Few attempts are enough, because the next sweep tries again.
const { sweepStorage, endStrandedTapes, restartUnwatchedDraws } = proxyActivities<SweepActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '30 minutes',
  retry: SCHEDULED,
});

/** Removes what killed and superseded work left behind. A schedule starts this workflow. */
export const sweepOrphans = (): Promise<SweptStorage> => sweepStorage();

const { compareStorage: compareShare } = proxyActivities<Pick<SweepActivities, 'compareStorage'>>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  // Many objects are listed, and their contents are read.
  startToCloseTimeout: '6 hours',
  retry: SCHEDULED,
});

/** Compares the database with the object storage, a share every night. A schedule starts this workflow. */
export const compareStorage = (): Promise<void> => compareShare();

/**
 * Ends tapes that no workflow is working at any more, for example after the database was restored. A schedule starts
 * this workflow.
 * @param graceMs how long ago the tape was last changed, so that a tape that is just starting has time to get a workflow
 */
export const endStranded = (input: { graceMs: number }): Promise<{ tapeIds: string[] }> => endStrandedTapes(input);

/**
 * Restarts the checks of draw requests whose workflow was not told of them or of a change, because Temporal could not be
 * reached. A schedule starts this workflow.
 * @param graceMs how long ago the change was, so that a signal that is on its way has time to arrive
 */
export const restartDraws = (input: { graceMs: number }): Promise<{ drawIds: string[] }> =>
  restartUnwatchedDraws(input);
