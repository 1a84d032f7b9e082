import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

/** Tests covenants every day. What arrives in between is tested at once. */
export const scheduleCovenants = (client: Client, instance: string): Promise<void> =>
  createSchedule(client, instance, {
    scheduleId: workflowIdOf(instance, WORKFLOW_IDS.covenants()),
    workflowType: 'covenantTests',
    spec: { calendars: [{ hour: 5 }] },
    catchupWindow: '1 day',
  });
