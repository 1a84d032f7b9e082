import { loanTapeWorkflowId } from '@tapeline/workflows/queues.ts';
import type { Client } from '@temporalio/client';

/** Activities of a tape's workflow that some worker runs now, and the process that does. */
export async function runningActivities(
  client: Client,
  tapeId: string,
): Promise<{ type: string; pid: number; attempt: number }[]> {
  const { raw } = await client.workflow.getHandle(loanTapeWorkflowId(tapeId)).describe();
  return (raw.pendingActivities ?? []).flatMap((activity) => {
    // The worker's identity is "<pid>@<host>"; state 2 is "started".
    const pid = Number.parseInt(activity.lastWorkerIdentity ?? '', 10);
    if (activity.state !== 2 || Number.isNaN(pid)) return [];
    return [{ type: activity.activityType?.name ?? '', pid, attempt: activity.attempt ?? 1 }];
  });
}

/** How often each kind of activity was begun by the end of the workflow, at most: above 1 where one was lost and done again. */
export async function highestAttempts(client: Client, tapeId: string): Promise<Map<string, number>> {
  const history = await client.workflow.getHandle(loanTapeWorkflowId(tapeId)).fetchHistory();
  const types = new Map<string, string>();
  const attempts = new Map<string, number>();
  for (const event of history.events ?? []) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled) types.set(String(event.eventId), scheduled.activityType?.name ?? '');
    const started = event.activityTaskStartedEventAttributes;
    if (!started) continue;
    const type = types.get(String(started.scheduledEventId)) ?? '';
    attempts.set(type, Math.max(attempts.get(type) ?? 0, started.attempt ?? 1));
  }
  return attempts;
}

/** The workers that took part in one kind of activity of a tape, by their identity. */
export async function workersOf(client: Client, tapeId: string, type: string): Promise<Set<string>> {
  const history = await client.workflow.getHandle(loanTapeWorkflowId(tapeId)).fetchHistory();
  const ids = new Set<string>();
  const workers = new Set<string>();
  for (const event of history.events ?? []) {
    if (event.activityTaskScheduledEventAttributes?.activityType?.name === type) ids.add(String(event.eventId));
    const started = event.activityTaskStartedEventAttributes;
    if (started && ids.has(String(started.scheduledEventId))) workers.add(started.identity ?? '');
  }
  return workers;
}
