import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';
import { createSchedule, type ScheduledRun } from '../schedules.ts';

export const sweepScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.sweep());
export const restartDrawsScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.restartDraws());
export const endStrandedScheduleOf = (instance: string): string => workflowIdOf(instance, WORKFLOW_IDS.endStranded());
export const compareStorageScheduleOf = (instance: string): string =>
  workflowIdOf(instance, WORKFLOW_IDS.compareStorage());
const DRAW_GRACE_MS = 60_000;
/** A tape gets its workflow within a second of its transaction. With the interval, a stranded one ends within a minute. */
const TAPE_GRACE_MS = 20_000;

/** Runs the sweeper every hour, compares storage and database every night, and looks for tapes and draw requests that their workflows have lost. */
export async function scheduleSweep(client: Client, instance: string): Promise<void> {
  await createSchedule(client, instance, {
    scheduleId: sweepScheduleOf(instance),
    workflowType: 'sweepOrphans',
    spec: { intervals: [{ every: '1 hour' }] },
    catchupWindow: '1 hour',
  });
  await createSchedule(client, instance, {
    scheduleId: restartDrawsScheduleOf(instance),
    workflowType: 'restartDraws',
    spec: { intervals: [{ every: '1 minute' }] },
    catchupWindow: '1 minute',
    args: [{ graceMs: DRAW_GRACE_MS }],
  });
  await createSchedule(client, instance, {
    scheduleId: compareStorageScheduleOf(instance),
    workflowType: 'compareStorage',
    spec: { calendars: [{ hour: 1, minute: 45 }] },
    catchupWindow: '1 day',
  });
  await scheduleEndOfStranded(client, instance);
}

/** Ends tapes whose workflow is gone, every 30 seconds. */
export const scheduleEndOfStranded = (
  client: Client,
  instance: string,
  state?: NonNullable<ScheduledRun['state']>,
): Promise<void> =>
  createSchedule(client, instance, {
    scheduleId: endStrandedScheduleOf(instance),
    workflowType: 'endStranded',
    spec: { intervals: [{ every: '30 seconds' }] },
    catchupWindow: '1 minute',
    args: [{ graceMs: TAPE_GRACE_MS }],
    ...(state ? { state } : {}),
  });
