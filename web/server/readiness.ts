import { queuesWithoutWorker } from '@tapeline/db/operations/workers/heartbeats.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { WORKER_QUEUES } from '@tapeline/db/worker-queues.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { requireFreeSpace } from '@tapeline/lake/storage/disk-space.ts';
import type { Services } from './services.ts';

/** One dependency of the product. `ask` throws or hangs while the dependency is unavailable. */
export interface ReadinessCheck {
  readonly name: string;
  ask(): Promise<unknown>;
}

const ANSWER_WITHIN_MS = 3_000;

/** PostgreSQL, object storage, free space, Temporal, and a live worker for each kind of work. */
export function readinessChecks({ store, objects, temporal, environment }: Services): ReadinessCheck[] {
  return [
    { name: 'postgresql', ask: () => store.ping() },
    { name: 'storage', ask: () => objects.ping() },
    { name: 'disk space', ask: () => requireFreeSpace(environment.home) },
    { name: 'temporal', ask: () => temporal.workflowService.getSystemInfo({}) },
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

async function within(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), timeoutMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the names of the missing dependencies, with the reason if someone can act on it. Empty if all are available.
 */
export async function findMissing(checks: readonly ReadinessCheck[], timeoutMs = ANSWER_WITHIN_MS): Promise<string[]> {
  const results = await Promise.allSettled(
    checks.map((check) =>
      within(
        Promise.resolve().then(() => check.ask()),
        timeoutMs,
      ),
    ),
  );
  return checks.flatMap(({ name }, index) => {
    const result = results[index];
    if (result?.status !== 'rejected') return [];
    return isRefusal(result.reason) ? `${name}: ${result.reason.message}` : name;
  });
}
