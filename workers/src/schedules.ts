import { taskQueuesOf } from '@tapeline/workflows/queues.ts';
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
  type ScheduleSpec,
} from '@temporalio/client';

/** A workflow of an instance that runs on a schedule, one run at a time. */
export interface ScheduledRun {
  readonly scheduleId: string;
  readonly workflowType: string;
  readonly spec: ScheduleSpec;
  /** Runs that were missed for this long, because Temporal was down, are started late. */
  readonly catchupWindow: '1 minute' | '1 hour' | '1 day';
  readonly args?: unknown[];
  readonly state?: NonNullable<ScheduleOptions['state']>;
}

/** A run that can no longer proceed, for example after an incompatible upgrade, ends after this, and the next one starts. */
const LONGEST_RUN = '1 day';

/** Creates a schedule unless it exists. Every worker requests its schedules at startup; the first one creates them. */
export async function createSchedule(client: Client, instance: string, run: ScheduledRun): Promise<void> {
  const { scheduleId, workflowType, spec, catchupWindow, args = [], state } = run;
  try {
    await client.schedule.create({
      scheduleId,
      spec,
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
      ...(state ? { state } : {}),
      action: {
        type: 'startWorkflow',
        workflowType,
        workflowId: scheduleId,
        taskQueue: taskQueuesOf(instance).workflows,
        args,
        workflowRunTimeout: LONGEST_RUN,
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
