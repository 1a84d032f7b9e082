import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { makeNotices } from '@tapeline/workflows/all-workflows.ts';
import { noticeRunOf } from '@tapeline/workflows/notices/messages.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

export const noticeScheduleOf = (instance: string): string =>
  workflowIdOf(instance, `${WORKFLOW_IDS.notices()}/schedule`);

/**
 * Makes due notices every minute: those that were never announced, or whose worker was killed. Every worker requests the
 * schedule at startup; the first one creates it.
 */
export async function scheduleNotices(client: Client, instance: string): Promise<void> {
  const scheduleId = noticeScheduleOf(instance);
  await client.schedule
    .create({
      scheduleId,
      spec: { intervals: [{ every: '1 minute' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      action: {
        type: 'startWorkflow',
        workflowType: 'makeNotices',
        workflowId: scheduleId,
        taskQueue: taskQueuesOf(instance).workflows,
        args: [],
      },
    })
    .catch((error: unknown) => {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    });
}

/** Makes at once what a transaction has issued. */
export async function wakeNotices(client: Client, instance: string): Promise<void> {
  await client.workflow.signalWithStart<typeof makeNotices>('makeNotices', { ...noticeRunOf(instance), args: [] });
}
