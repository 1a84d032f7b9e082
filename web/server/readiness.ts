import { queuesWithoutWorker } from '@tapeline/db/operations/workers/heartbeats.ts';
import type { ReadinessCheck } from '@tapeline/db/readiness.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { WORKER_QUEUES } from '@tapeline/db/worker-queues.ts';
import { requireFreeSpace } from '@tapeline/lake/storage/disk-space.ts';
import type { Services } from './services.ts';

/**
 * PostgreSQL, object storage, free space, Temporal, and a live worker for each kind of work. While S3 does not respond,
 * screens are served from PostgreSQL and the local copies of objects. If a load balancer removed every web process then,
 * the outage would be complete: it asks for `/readyz?accept=degraded`.
 */
export function readinessChecks({ store, objects, temporal, environment }: Services): ReadinessCheck[] {
  return [
    { name: 'postgresql', ask: () => store.ping() },
    { name: 'storage', ask: () => objects.ping(), isOptional: objects.kind === 's3' },
    { name: 'disk space', ask: () => requireFreeSpace(environment.home, { reserve: environment.diskReserveBytes }) },
    // Temporal answers other calls although the namespace is wrong.
    {
      name: 'temporal',
      ask: () => temporal.workflowService.describeNamespace({ namespace: temporal.options.namespace }),
    },
    // Temporal lists pollers for minutes after they are gone, so workers report their own liveness.
    ...WORKER_QUEUES.map((queue) => ({
      name: `worker for ${queue}`,
      async ask() {
        const missing = await store.as(SYSTEM, queuesWithoutWorker);
        if (missing.includes(queue)) throw new Error('no worker is running');
      },
    })),
  ];
}
