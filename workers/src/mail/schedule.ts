import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { sendMail } from '@tapeline/workflows/all-workflows.ts';
import { mailRunOf } from '@tapeline/workflows/mail/messages.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy, type ScheduleSpec } from '@temporalio/client';

export const mailScheduleOf = (instance: string): string => workflowIdOf(instance, `${WORKFLOW_IDS.mail()}/schedule`);

export const lateTapesScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.lateTapes());

export const dueCallsScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.dueCalls());

/**
 * Sends due emails every minute: those that wait for another attempt or a later time, or were never announced. Looks
 * for late tapes and for calls that are soon due every day. Every worker requests the schedules at startup; the first one creates them.
 */
export async function scheduleMail(client: Client, instance: string): Promise<void> {
  const { workflows } = taskQueuesOf(instance);
  const create = (
    scheduleId: string,
    workflowType: 'sendMail' | 'lateTapes' | 'dueCalls',
    spec: ScheduleSpec,
    catchupWindow: '1 minute' | '1 day',
  ) =>
    client.schedule
      .create({
        scheduleId,
        spec,
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
        action: { type: 'startWorkflow', workflowType, workflowId: scheduleId, taskQueue: workflows, args: [] },
      })
      .catch((error: unknown) => {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      });
  await create(mailScheduleOf(instance), 'sendMail', { intervals: [{ every: '1 minute' }] }, '1 minute');
  await create(lateTapesScheduleOf(instance), 'lateTapes', { calendars: [{ hour: 6 }] }, '1 day');
  await create(dueCallsScheduleOf(instance), 'dueCalls', { calendars: [{ hour: 6 }] }, '1 day');
}

/** Sends at once what a transaction has queued. */
export async function wakeMail(client: Client, instance: string): Promise<void> {
  await client.workflow.signalWithStart<typeof sendMail>('sendMail', { ...mailRunOf(instance), args: [] });
}
