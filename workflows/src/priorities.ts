import type { Priority } from '@temporalio/common';

/**
 * In which order a server with priorities and fairness gives out what waits in a queue: by priority, then between its
 * fairness keys in proportion to their weights, then first come, first served. Activities have what their workflow has,
 * unless they name another.
 */
const PRIORITY = { begun: 2, shared: 3 } as const;

/**
 * For each tape of a tenant, as much of what its people wait for. A single correction passes all tapes that wait, and
 * thousands of them leave tapes a tenth.
 */
const AWAITED_WEIGHT = 10;

/** For work that a person waits for. That of one tenant does not stand before that of another. */
export const awaitedFor = ({ managerId, userId }: { managerId: string | null; userId: string }): Priority => ({
  priorityKey: PRIORITY.shared,
  fairnessKey: `awaited/${managerId ?? userId}`,
  fairnessWeight: AWAITED_WEIGHT,
});

/** For tapes that arrive. The tapes of one tenant do not stand before those of another. */
export const arrivingFor = (managerId: string): Priority => ({
  priorityKey: PRIORITY.shared,
  fairnessKey: managerId,
});

/** For the last steps of a job: what has begun ends before more begins. The tenant is the workflow's. */
export const BEGUN_FIRST: Priority = { priorityKey: PRIORITY.begun };
