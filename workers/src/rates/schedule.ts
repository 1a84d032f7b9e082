import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { createSchedule } from '../schedules.ts';

export const ratesScheduleOf = (instance: string): string =>
  workflowIdOf(instance, `${WORKFLOW_IDS.refreshRates()}/schedule`);

/** UTC. The European Central Bank publishes at about 16:00 in Frankfurt. */
const HOUR = 16;

/**
 * Refreshes the rates every day, and at once when the service is first configured. Every worker requests the schedule at
 * startup; the first one creates it. Without a service there is no schedule.
 */
export async function scheduleRates(client: Client, instance: string, ratesUrl: string | null): Promise<void> {
  const scheduleId = ratesScheduleOf(instance);
  if (!ratesUrl) {
    await client.schedule
      .getHandle(scheduleId)
      .delete()
      .catch((error: unknown) => {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      });
    return;
  }
  await createSchedule(client, instance, {
    scheduleId,
    workflowType: 'refreshRates',
    spec: { calendars: [{ hour: HOUR, minute: 30 }] },
    catchupWindow: '1 day',
    state: { triggerImmediately: true },
  });
}
