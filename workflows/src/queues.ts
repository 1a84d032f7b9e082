const AWAITED = 'awaited/';

/**
 * An instance's task queues. Workflows, I/O and computing have separate queues, so that a worker computes only on its
 * own cores. What a person waits for has queues of its own, so that it does not wait behind thousands of tapes: the
 * workflows of previews, checks and corrections, and the activities of each. So have imports and their checks, so that neither
 * waits for the other, or keeps the rest of the I/O waiting.
 */
export const taskQueuesOf = (instance: string) =>
  ({
    workflows: instance,
    awaited: AWAITED + instance,
    io: `${instance}-io`,
    compute: `${instance}-compute`,
    corrections: `${instance}-corrections`,
    previews: `${instance}-previews`,
    checks: `${instance}-checks`,
    imports: `${instance}-imports`,
    importChecks: `${instance}-import-checks`,
  }) as const;

/** The instance whose workflows run from this queue. */
export const instanceOf = (workflowQueue: string): string =>
  workflowQueue.startsWith(AWAITED) ? workflowQueue.slice(AWAITED.length) : workflowQueue;

/** The Temporal id of an instance's workflow. Instances can share a namespace, and copies of a database share ids. */
export const workflowIdOf = (instance: string, id: string): string => `${instance}/${id}`;
