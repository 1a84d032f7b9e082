import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { sendMail } from '@tapeline/workflows/all-workflows.ts';
import { mailRunOf } from '@tapeline/workflows/mail/messages.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

export const mailScheduleOf = (instance: string): string => workflowIdOf(instance, `${WORKFLOW_IDS.mail()}/schedule`);

export const lateTapesScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.lateTapes());

export const dueCallsScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.dueCalls());

/**
 * Sends due emails every minute: those that wait for another attempt or a later time, or were never announced. Looks
 * for late tapes and for calls that are soon due every day.
 */
export async function scheduleMail(client: Client, instance: string): Promise<void> {
  const daily = (scheduleId: string, workflowType: 'lateTapes' | 'dueCalls') =>
    createSchedule(client, instance, {
      scheduleId,
      workflowType,
      spec: { calendars: [{ hour: 6 }] },
      catchupWindow: '1 day',
    });
  await createSchedule(client, instance, {
    scheduleId: mailScheduleOf(instance),
    workflowType: 'sendMail',
    spec: { intervals: [{ every: '1 minute' }] },
    catchupWindow: '1 minute',
  });
  await daily(lateTapesScheduleOf(instance), 'lateTapes');
  await daily(dueCallsScheduleOf(instance), 'dueCalls');
}

/** Sends at once what a transaction has queued. */
export async function wakeMail(client: Client, instance: string): Promise<void> {
  await client.workflow.signalWithStart<typeof sendMail>('sendMail', { ...mailRunOf(instance), args: [] });
}
