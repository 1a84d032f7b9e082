import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { sweepOrphans } from '@tapeline/workflows/sweep/workflow.ts';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

export const sweepScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.sweep());
const GRACE_MS = 60_000;

/** Runs the sweeper every hour. Every worker requests the schedule at startup; the first one creates it. */
export async function scheduleSweep(client: Client, instance: string): Promise<void> {
  try {
    await client.schedule.create<typeof sweepOrphans>({
      scheduleId: sweepScheduleOf(instance),
      spec: { intervals: [{ every: '1 hour' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
      action: {
        type: 'startWorkflow',
        workflowType: 'sweepOrphans',
        workflowId: sweepScheduleOf(instance),
        taskQueue: taskQueuesOf(instance).workflows,
        args: [{ graceMs: GRACE_MS }],
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
