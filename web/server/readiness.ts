import { TASK_QUEUES } from '@tapeline/workflows/queues.ts';
import type { Services } from './services.ts';

/** One thing the product needs; `ask` throws, or hangs, while it is missing. */
export interface ReadinessCheck {
  readonly name: string;
  ask(): Promise<unknown>;
}

const ANSWER_WITHIN_MS = 3_000;
// TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW of Temporal's API.
const WORKFLOW_TASKS = 1;

/** PostgreSQL, object storage, Temporal and a polling worker. */
export function readinessChecks({ store, objects, temporal, environment }: Services): ReadinessCheck[] {
  return [
    { name: 'postgresql', ask: () => store.ping() },
    { name: 'storage', ask: () => objects.ping() },
    { name: 'temporal', ask: () => temporal.workflowService.getSystemInfo({}) },
    {
      name: 'worker',
      async ask() {
        const queue = await temporal.workflowService.describeTaskQueue({
          namespace: environment.temporalNamespace,
          taskQueue: { name: TASK_QUEUES.workflows },
          taskQueueType: WORKFLOW_TASKS,
        });
        if ((queue.pollers ?? []).length === 0) throw new Error('no worker polls');
      },
    },
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

/** The names of what is missing; empty when all is there. */
export async function findMissing(checks: readonly ReadinessCheck[], timeoutMs = ANSWER_WITHIN_MS): Promise<string[]> {
  const results = await Promise.allSettled(
    checks.map((check) =>
      within(
        Promise.resolve().then(() => check.ask()),
        timeoutMs,
      ),
    ),
  );
  return checks.filter((_, index) => results[index]?.status === 'rejected').map((check) => check.name);
}
