import type { Client } from '@temporalio/client';
import { loanTapeWorkflowId } from './tape-cluster.ts';

/** The running activities of a tape's workflow, and the processes that run them. */
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

/**
 * The highest number of attempts of each kind of activity by the end of the workflow: above 1 if one was lost and
 * repeated.
 */
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

/** The workers that ran one kind of activity of a tape, by identity. */
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
