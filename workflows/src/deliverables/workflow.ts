import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { SCHEDULED, WATCHED } from '../retries.ts';
import type { DeliverableActivities } from './activities.ts';

// Few attempts are enough, because a reminder that was not sent is sent on the next day.
const { remindOfDeliverables } = proxyActivities<DeliverableActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: SCHEDULED,
});

/** Reminds borrowers of what they owe. A schedule starts it every day. */
export async function dueDeliverables(): Promise<{ told: number }> {
  return remindOfDeliverables();
}
