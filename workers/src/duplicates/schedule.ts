import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

/** UTC: at night in Europe and before the day begins in America. */
const HOUR = 2;

/** Searches the book of every manager each night. */
export const scheduleDuplicates = (client: Client, instance: string): Promise<void> =>
  createSchedule(client, instance, {
    scheduleId: workflowIdOf(instance, WORKFLOW_IDS.everyDuplicate()),
    workflowType: 'everyDuplicate',
    spec: { calendars: [{ hour: HOUR, minute: 10 }] },
    catchupWindow: '1 day',
  });
