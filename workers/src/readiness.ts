import type { Environment } from '@tapeline/db/environment.ts';
import type { ReadinessCheck } from '@tapeline/db/readiness.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { WorkerContext } from './context.ts';
import type { Polling } from './polling.ts';

/** What this process needs to work: its services, space on its disk, and a poller for each queue that it serves. */
export function readinessChecks({
  environment,
  store,
  objects,
  temporal,
  polling,
}: Pick<WorkerContext, 'store' | 'objects' | 'temporal'> & {
  environment: Pick<Environment, 'workerQueues'>;
  polling: Pick<Polling, 'paused' | 'taken'>;
}): ReadinessCheck[] {
  return [
    { name: 'postgresql', ask: () => store.ping() },
    { name: 'storage', ask: () => objects.ping() },
    // Temporal answers other calls although the namespace is wrong.
    {
      name: 'temporal',
      ask: () => temporal.workflowService.describeNamespace({ namespace: temporal.options.namespace }),
    },
    {
      name: 'disk space',
      async ask() {
        const problem = polling.paused();
        if (problem !== null) throw new Refusal('serverError', problem);
      },
    },
    ...environment.workerQueues.map((queue) => ({
      name: `polling ${queue}`,
      async ask() {
        if (!polling.taken().includes(queue)) throw new Error('not polled');
      },
    })),
  ];
}
