/**
 * Kinds of work that a worker process can take: orchestration, reading and writing, computing, and what people wait for
 * (previews and corrections, with their orchestration).
 */
export const WORKER_QUEUES = ['workflows', 'io', 'compute', 'previews'] as const;
export type WorkerQueue = (typeof WORKER_QUEUES)[number];

/** With fewer processes on a machine, each takes every kind of work. */
const LEAST_PROCESSES_TO_SHARE = 3;
const NICENESS = 19;

/**
 * Settings of one of the worker processes of a machine. The first serves what people wait for, and the others give way
 * to it, so that people do not wait behind thousands of tapes.
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

/**
 * Worker processes of a machine that compute at the same time, as one of them sees it: all, or all but the first.
 * @param queues kinds of work that the process takes
 */
export const computingProcesses = (processes: number, queues: readonly WorkerQueue[]): number =>
  processes >= LEAST_PROCESSES_TO_SHARE && !queues.includes('previews') ? processes - 1 : processes;
