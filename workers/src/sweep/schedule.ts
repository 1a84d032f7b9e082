import { TASK_QUEUES } from '@tapeline/workflows/queues.ts';
import type { sweepOrphans } from '@tapeline/workflows/sweep/workflow.ts';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

export const SWEEP_SCHEDULE = 'sweep-orphans';
const GRACE_MS = 60_000;

/** Has the sweeper run every hour. Every worker asks for it at its start; the first one makes the schedule. */
export async function scheduleSweep(client: Client): Promise<void> {
  try {
    await client.schedule.create<typeof sweepOrphans>({
      scheduleId: SWEEP_SCHEDULE,
      spec: { intervals: [{ every: '1 hour' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
      action: {
        type: 'startWorkflow',
        workflowType: 'sweepOrphans',
        workflowId: SWEEP_SCHEDULE,
        taskQueue: TASK_QUEUES.workflows,
        args: [{ graceMs: GRACE_MS }],
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
