import type { ActivityOptions, RetryPolicy } from '@temporalio/workflow';
import { ActivityCancellationType } from '@temporalio/workflow';
import { NEVER_RETRIED } from './failures.ts';

/**
 * For work that can fail temporarily, for example if a store is down. Retries for about a quarter of an hour. As with every
 * policy here, an error of the data or the program ends the activity at once (see failures.ts).
 */
export const RETRIED: RetryPolicy = {
  initialInterval: '500ms',
  backoffCoefficient: 2,
  maximumInterval: '30s',
  maximumAttempts: 30,
  nonRetryableErrorTypes: NEVER_RETRIED,
};

/** For steps that end a process: a tape must not stay in progress if no workflow is processing it. */
export const UNTIL_DONE: RetryPolicy = {
  initialInterval: '500ms',
  maximumInterval: '1 minute',
  nonRetryableErrorTypes: NEVER_RETRIED,
};

/**
 * Failure types of an activity whose worker was killed, is stuck or takes too long, to be among those that are not retried:
 * the workflow then decides how often it is.
 */
export const LOST_WORKER = ['TemporalTimeout:Heartbeat', 'TemporalTimeout:StartToClose'] as const;

/** For jobs that a schedule starts again, within a minute or a day: few attempts are enough. */
export const SCHEDULED: RetryPolicy = {
  maximumAttempts: 3,
  initialInterval: '500ms',
  nonRetryableErrorTypes: NEVER_RETRIED,
};

/** For work that a user waits for: few, short attempts. A Refusal is returned as the answer. */
export const WHILE_SOMEONE_WAITS: RetryPolicy = {
  maximumAttempts: 3,
  initialInterval: '200ms',
  nonRetryableErrorTypes: NEVER_RETRIED,
};

/**
 * For every activity. A missing heartbeat reveals a killed worker, and only the work in progress on it is lost. The
 * workflow waits for cancelled activities, because objects that they store after the cleanup would never be removed.
 */
export const WATCHED = {
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const satisfies ActivityOptions;
