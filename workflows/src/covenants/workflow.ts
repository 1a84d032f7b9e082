import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { SCHEDULED, WATCHED } from '../retries.ts';
import type { CovenantActivities } from './activities.ts';

// Few attempts are enough, because the next run tries again.
const { testCovenants } = proxyActivities<CovenantActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: SCHEDULED,
});

/** Makes the tests of covenants whose date has come. A schedule starts it every day. */
export async function covenantTests(): Promise<{ tested: number }> {
  return testCovenants();
}
