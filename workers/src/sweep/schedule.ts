import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

export const sweepScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.sweep());
export const restartDrawsScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.restartDraws());
const GRACE_MS = 60_000;

/** Runs the sweeper every hour, and restarts the checks of draw requests every minute. */
export async function scheduleSweep(client: Client, instance: string): Promise<void> {
  const create = (scheduleId: string, workflowType: 'sweepOrphans' | 'restartDraws', every: '1 hour' | '1 minute') =>
    createSchedule(client, instance, {
      scheduleId,
      workflowType,
      spec: { intervals: [{ every }] },
      catchupWindow: every,
      args: [{ graceMs: GRACE_MS }],
    });
  await create(sweepScheduleOf(instance), 'sweepOrphans', '1 hour');
  await create(restartDrawsScheduleOf(instance), 'restartDraws', '1 minute');
}
