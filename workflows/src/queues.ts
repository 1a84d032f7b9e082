/**
 * An instance's task queues. Workflows, I/O and computing have separate queues, so that a worker computes only on its
 * own cores. Previews and corrections have their own queues, so that neither they nor tapes take the place of the other.
 */
export const taskQueuesOf = (instance: string) =>
  ({
    workflows: instance,
    io: `${instance}-io`,
    compute: `${instance}-compute`,
    corrections: `${instance}-corrections`,
    previews: `${instance}-previews`,
  }) as const;

/** The Temporal id of an instance's workflow. Instances can share a namespace, and copies of a database share ids. */
export const workflowIdOf = (instance: string, id: string): string => `${instance}/${id}`;
