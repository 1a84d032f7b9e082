import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

export const statementScheduleOf = (instance: string): string =>
  workflowIdOf(instance, WORKFLOW_IDS.deliveredStatements());

/** Takes the files of bank statements that banks delivered, every minute. */
export const scheduleStatements = (client: Client, instance: string): Promise<void> =>
  createSchedule(client, instance, {
    scheduleId: statementScheduleOf(instance),
    workflowType: 'deliveredStatements',
    spec: { intervals: [{ every: '1 minute' }] },
    catchupWindow: '1 minute',
  });
