/**
 * Kinds of work that a worker process can take: orchestration, reading and writing, computing, and what people wait for
 * (previews and corrections, with their orchestration).
 */
export const WORKER_QUEUES = ['workflows', 'io', 'compute', 'previews'] as const;
export type WorkerQueue = (typeof WORKER_QUEUES)[number];

/** With fewer processes on a machine, each takes every kind of work. */
const LEAST_PROCESSES_TO_SHARE = 3;
const NICENESS = 10;

/**
 * Settings of one of the worker processes of a machine. The first serves what people wait for, and has the processor
 * before the others, so that thousands of tapes slow nobody down.
 * @param number from 1 to `count`
 * @param variables settings of the operator, which hold
 */
export function shareOfWork(
  number: number,
  count: number,
  variables: Readonly<Record<string, string | undefined>>,
): { WORKER_QUEUES?: string; WORKER_NICENESS?: string } {
  if (variables.WORKER_QUEUES || count < LEAST_PROCESSES_TO_SHARE) return {};
  if (number === 1) return { WORKER_QUEUES: 'previews' };
  return {
    WORKER_QUEUES: WORKER_QUEUES.filter((queue) => queue !== 'previews').join(),
    WORKER_NICENESS: variables.WORKER_NICENESS || String(NICENESS),
  };
}
