import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

/** Puts amendments in force at the beginning of their day, in UTC. The other hours catch up with what failed. */
export const scheduleAmendments = (client: Client, instance: string): Promise<void> =>
  createSchedule(client, instance, {
    scheduleId: workflowIdOf(instance, WORKFLOW_IDS.amendments()),
    workflowType: 'dueAmendments',
    spec: { calendars: [{ hour: '*' }] },
    catchupWindow: '1 day',
  });
