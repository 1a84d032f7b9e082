import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { SCHEDULED, WATCHED } from '../retries.ts';
import type { StatementActivities, TakenStatements } from './activities.ts';

// Few attempts are enough, because the schedule starts the next run within a minute.
const { takeStatements } = proxyActivities<StatementActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '30 minutes',
  retry: SCHEDULED,
});

/** Takes the files of bank statements that banks delivered to the object storage. A schedule starts this workflow. */
export const deliveredStatements = (): Promise<TakenStatements> => takeStatements();
