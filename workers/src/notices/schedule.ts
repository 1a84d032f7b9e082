import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { makeNotices } from '@tapeline/workflows/all-workflows.ts';
import { noticeRunOf } from '@tapeline/workflows/notices/messages.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

export const noticeScheduleOf = (instance: string): string =>
  workflowIdOf(instance, `${WORKFLOW_IDS.notices()}/schedule`);

/**
 * Makes due notices every minute: those that were never announced, or whose worker was killed.
 */
export const scheduleNotices = (client: Client, instance: string): Promise<void> =>
  createSchedule(client, instance, {
    scheduleId: noticeScheduleOf(instance),
    workflowType: 'makeNotices',
    spec: { intervals: [{ every: '1 minute' }] },
    catchupWindow: '1 minute',
  });

/** Makes at once what a transaction has issued. */
export async function wakeNotices(client: Client, instance: string): Promise<void> {
  await client.workflow.signalWithStart<typeof makeNotices>('makeNotices', { ...noticeRunOf(instance), args: [] });
}
