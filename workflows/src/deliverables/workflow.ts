import { proxyActivities } from '@temporalio/workflow';
import { SCHEDULED_IO } from '../scheduled-io.ts';
import type { DeliverableActivities } from './activities.ts';

// Few attempts are enough, because a reminder that was not sent is sent on the next day.
const { remindOfDeliverables } = proxyActivities<DeliverableActivities>(SCHEDULED_IO);

/** Reminds borrowers of what they owe. A schedule starts it every day. */
export async function dueDeliverables(): Promise<{ told: number }> {
  return remindOfDeliverables();
}
