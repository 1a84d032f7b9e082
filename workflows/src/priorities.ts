import type { Priority } from '@temporalio/common';

/**
 * In which order a server with priorities and fairness gives out what waits in a queue: by priority, then in turn
 * between its fairness keys, then first come, first served. Activities have what their workflow has, unless they name
 * another.
 */
const PRIORITY = { begun: 2, shared: 3 } as const;

/** For work that a person waits for, in its own queues. That of one tenant does not stand before that of another. */
export const awaitedFor = ({ managerId, userId }: { managerId: string | null; userId: string }): Priority => ({
  priorityKey: PRIORITY.shared,
  fairnessKey: managerId ?? userId,
});

/** For tapes and imports that arrive. Those of one tenant do not stand before those of another. */
export const arrivingFor = (managerId: string): Priority => ({
  priorityKey: PRIORITY.shared,
  fairnessKey: managerId,
});

/** For the last steps of a job: what has begun ends before more begins. The tenant is the workflow's. */
export const BEGUN_FIRST: Priority = { priorityKey: PRIORITY.begun };
