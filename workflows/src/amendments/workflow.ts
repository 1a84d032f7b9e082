import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { SCHEDULED, WATCHED } from '../retries.ts';
import type { AmendmentActivities } from './activities.ts';

// Few attempts are enough, because the next run tries again.
const { putAmendmentsInForce } = proxyActivities<AmendmentActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: SCHEDULED,
});

/** Puts amendments in force whose day has come. A schedule starts it every hour, first at the beginning of the day. */
export async function dueAmendments(): Promise<{ count: number }> {
  return putAmendmentsInForce();
}
