import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

export const retentionScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.retention());

/** Removes data that is older than its limit every hour, half an hour after the sweep. */
export const scheduleRetention = (client: Client, instance: string): Promise<void> =>
  createSchedule(client, instance, {
    scheduleId: retentionScheduleOf(instance),
    workflowType: 'retention',
    spec: { intervals: [{ every: '1 hour', offset: '30 minutes' }] },
    catchupWindow: '1 hour',
  });
