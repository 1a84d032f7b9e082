import { ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import { messageOf } from '../failure-message.ts';
import { NEVER_RETRIED } from '../failures.ts';
import { OWN_QUEUES } from '../own-queues.ts';
import { UNTIL_DONE, WATCHED } from '../retries.ts';
import type { RateActivities, RefreshedRates } from './activities.ts';

const common = { ...WATCHED, taskQueue: OWN_QUEUES.io, startToCloseTimeout: '1 minute' } as const;
// A service that is down for a moment is tried again; the schedule tries again the next day.
const { fetchRates } = proxyActivities<RateActivities>({
  ...common,
  retry: {
    initialInterval: '5s',
    backoffCoefficient: 3,
    maximumAttempts: 3,
    nonRetryableErrorTypes: NEVER_RETRIED,
  },
});
const { recordFailedRefresh } = proxyActivities<RateActivities>({ ...common, retry: UNTIL_DONE });

/** Gets the rates of the day. A schedule starts it every day, and an administrator at any time. */
export async function refreshRates(): Promise<RefreshedRates> {
  try {
    return await fetchRates();
  } catch (error) {
    if (isCancellation(error)) throw error;
    const reason = messageOf(error, 'The rates could not be stored');
    await recordFailedRefresh({ reason });
    throw ApplicationFailure.create({ message: reason, nonRetryable: true });
  }
}
