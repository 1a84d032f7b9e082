import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { sendMail } from '@tapeline/workflows/all-workflows.ts';
import { mailRunOf } from '@tapeline/workflows/mail/messages.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

export const mailScheduleOf = (instance: string): string => workflowIdOf(instance, `${WORKFLOW_IDS.mail()}/schedule`);

/** Sends due emails every minute: those that wait for another attempt or a later time, or were never announced. */
export async function scheduleMail(client: Client, instance: string): Promise<void> {
  try {
    await client.schedule.create<typeof sendMail>({
      scheduleId: mailScheduleOf(instance),
      spec: { intervals: [{ every: '1 minute' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      action: {
        type: 'startWorkflow',
        workflowType: 'sendMail',
        workflowId: mailScheduleOf(instance),
        taskQueue: taskQueuesOf(instance).workflows,
        args: [],
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

/** Sends at once what a transaction has queued. */
export async function wakeMail(client: Client, instance: string): Promise<void> {
  await client.workflow.signalWithStart<typeof sendMail>('sendMail', { ...mailRunOf(instance), args: [] });
}
