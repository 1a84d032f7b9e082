import type { ActivityOptions } from '@temporalio/workflow';
import { OWN_QUEUES } from './own-queues.ts';
import { SCHEDULED, WATCHED } from './retries.ts';

/** For activities of jobs that a schedule starts. Few attempts are enough, because the next run tries again. */
export const SCHEDULED_IO = {
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: SCHEDULED,
} satisfies ActivityOptions;
