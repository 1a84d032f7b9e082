import type { ActivityOptions, RetryPolicy } from '@temporalio/workflow';
import { ActivityCancellationType } from '@temporalio/workflow';
import { REFUSAL_FAILURE } from './queues.ts';

/** Work that may fail for a while, as where a store is down: tried on for about a quarter of an hour. */
export const TRIED_ON: RetryPolicy = {
  initialInterval: '500ms',
  backoffCoefficient: 2,
  maximumInterval: '30s',
  maximumAttempts: 30,
  nonRetryableErrorTypes: [REFUSAL_FAILURE],
};

/** What ends a process: a tape that nobody works at must not stand as in work. */
export const UNTIL_DONE: RetryPolicy = {
  initialInterval: '500ms',
  maximumInterval: '1 minute',
  nonRetryableErrorTypes: [REFUSAL_FAILURE],
};

/** A person waits: few tries, short ones, and a refusal is the answer. */
export const WHILE_SOMEONE_WAITS: RetryPolicy = {
  maximumAttempts: 3,
  initialInterval: '200ms',
  nonRetryableErrorTypes: [REFUSAL_FAILURE],
};

/**
 * Every activity: a killed worker is noticed by its missing heartbeat and costs only what it had in hand. One that is
 * cancelled is waited for: what it stores after the clearing away would stay.
 */
export const WATCHED = {
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const satisfies ActivityOptions;
