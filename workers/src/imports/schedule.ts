import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

export const importScheduleOf = (instance: string): string =>
  workflowIdOf(instance, `${WORKFLOW_IDS.imports()}/schedule`);

/**
 * Runs due imports every minute: those that were never announced, or whose worker was killed. Every worker requests the
 * schedule at startup; the first one creates it.
 */
export async function scheduleImports(client: Client, instance: string): Promise<void> {
  const scheduleId = importScheduleOf(instance);
  await client.schedule
    .create({
      scheduleId,
      spec: { intervals: [{ every: '1 minute' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      action: {
        type: 'startWorkflow',
        workflowType: 'runImports',
        workflowId: scheduleId,
        taskQueue: taskQueuesOf(instance).workflows,
        args: [],
      },
    })
    .catch((error: unknown) => {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    });
}
