import type { ActivityOptions, RetryPolicy } from '@temporalio/workflow';
import { ActivityCancellationType } from '@temporalio/workflow';
import { REFUSAL_FAILURE } from './queues.ts';

/** For work that can fail temporarily, for example if a store is down. Retries for about a quarter of an hour. */
export const RETRIED: RetryPolicy = {
  initialInterval: '500ms',
  backoffCoefficient: 2,
  maximumInterval: '30s',
  maximumAttempts: 30,
  nonRetryableErrorTypes: [REFUSAL_FAILURE],
};

/** For steps that end a process: a tape must not stay in progress if no workflow is processing it. */
export const UNTIL_DONE: RetryPolicy = {
  initialInterval: '500ms',
  maximumInterval: '1 minute',
  nonRetryableErrorTypes: [REFUSAL_FAILURE],
};

/** For work that a user waits for: few, short attempts. A Refusal is returned as the answer. */
export const WHILE_SOMEONE_WAITS: RetryPolicy = {
  maximumAttempts: 3,
  initialInterval: '200ms',
  nonRetryableErrorTypes: [REFUSAL_FAILURE],
};

/**
 * For every activity. A missing heartbeat reveals a killed worker, and only the work in progress on it is lost. The
 * workflow waits for cancelled activities, because objects that they store after the cleanup would never be removed.
 */
export const WATCHED = {
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const satisfies ActivityOptions;
