import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

export const importScheduleOf = (instance: string): string =>
  workflowIdOf(instance, `${WORKFLOW_IDS.startImports()}/schedule`);

/** Starts the workflows of imports and checks that wait without one, every minute. */
export const scheduleImports = (client: Client, instance: string): Promise<void> =>
  createSchedule(client, instance, {
    scheduleId: importScheduleOf(instance),
    workflowType: 'runImports',
    spec: { intervals: [{ every: '1 minute' }] },
    catchupWindow: '1 minute',
  });
