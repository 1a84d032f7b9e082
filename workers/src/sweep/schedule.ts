import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

export const sweepScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.sweep());
export const restartDrawsScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.restartDraws());
const GRACE_MS = 60_000;

/**
 * Runs the sweeper every hour, and restarts the checks of draw requests every minute. Every worker requests the schedules
 * at startup; the first one creates them.
 */
export async function scheduleSweep(client: Client, instance: string): Promise<void> {
  const create = (scheduleId: string, workflowType: 'sweepOrphans' | 'restartDraws', every: '1 hour' | '1 minute') =>
    client.schedule
      .create({
        scheduleId,
        spec: { intervals: [{ every }] },
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
        action: {
          type: 'startWorkflow',
          workflowType,
          workflowId: scheduleId,
          taskQueue: taskQueuesOf(instance).workflows,
          args: [{ graceMs: GRACE_MS }],
        },
      })
      .catch((error: unknown) => {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      });
  await create(sweepScheduleOf(instance), 'sweepOrphans', '1 hour');
  await create(restartDrawsScheduleOf(instance), 'restartDraws', '1 minute');
}
