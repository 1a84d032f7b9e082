import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

/** Reminds of deliverables every day. */
export const scheduleDeliverables = (client: Client, instance: string): Promise<void> =>
  createSchedule(client, instance, {
    scheduleId: workflowIdOf(instance, WORKFLOW_IDS.deliverables()),
    workflowType: 'dueDeliverables',
    spec: { calendars: [{ hour: 6 }] },
    catchupWindow: '1 day',
  });
