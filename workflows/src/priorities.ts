import type { Priority } from '@temporalio/common';

/**
 * In which order a server with priorities and fairness gives out what waits in a queue: by priority, then fairly
 * between tenants, then first come, first served. Activities have what their workflow has, unless they name another.
 */
const PRIORITY = { awaited: 1, begun: 2, arriving: 3 } as const;

/** For work that a person waits for. It passes whatever arrives in masses. */
export const AWAITED: Priority = { priorityKey: PRIORITY.awaited };

/** For tapes that arrive. The tapes of one tenant do not stand before those of another. */
export const arrivingFor = (managerId: string): Priority => ({
  priorityKey: PRIORITY.arriving,
  fairnessKey: managerId,
});

/** For the last steps of a job: what has begun ends before more begins. The tenant is the workflow's. */
export const BEGUN_FIRST: Priority = { priorityKey: PRIORITY.begun };
