/** Kinds of work that a worker process can take: orchestration, reading and writing, computing, previews. */
export const WORKER_QUEUES = ['workflows', 'io', 'compute', 'previews'] as const;
export type WorkerQueue = (typeof WORKER_QUEUES)[number];
