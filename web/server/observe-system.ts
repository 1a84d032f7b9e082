import { type BackupRunView, lastBackupRuns } from '@tapeline/db/operations/backups/backup-runs.ts';
import { countRecentFailures } from '@tapeline/db/operations/jobs/job-failures.ts';
import { outboxBacklog as countOutbox } from '@tapeline/db/operations/outbox/backlog.ts';
import { FINDINGS, listFindings } from '@tapeline/db/operations/storage/object-findings.ts';
import { countWorkers } from '@tapeline/db/operations/workers/heartbeats.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { WORKER_QUEUES } from '@tapeline/db/worker-queues.ts';
import { observeDisk } from '@tapeline/telemetry/disk.ts';
import {
  cacheBytes,
  certificateEnds,
  failedSteps,
  lastBackup,
  lastRestoreTest,
  objectFindings,
  outboxAge,
  outboxBacklog,
  queueBacklog,
  queueOldest,
  queueWorkers,
} from '@tapeline/telemetry/metrics.ts';
import { taskQueuesOf } from '@tapeline/workflows/queues.ts';
import { watchCertificates } from './certificates.ts';
import type { Services } from './services.ts';

/** Scrapes that follow each other within this time get the same figures. */
const KEPT_MS = 5_000;
const CERTIFICATES_KEPT_MS = 10 * 60_000;
const ANSWER_WITHIN_MS = 5_000;
/** Values of Temporal's TaskQueueType. */
const WORKFLOW_TASKS = 1;
const ACTIVITY_TASKS = 2;

/**
 * Shows the state of the whole installation in the metrics: what waits in the outbox and on the task queues, and how
 * many workers there are. Every web process shows the same figures.
 */
export function observeSystem({ environment, store, lake, temporal }: Services): void {
  const outbox = keptFor(KEPT_MS, () => store.read(SYSTEM, countOutbox));
  outboxBacklog.observe(async () => {
    const { queued, held, failed } = await outbox();
    return [
      [queued, { status: 'Queued' }],
      [held, { status: 'Held' }],
      [failed, { status: 'Failed' }],
    ];
  });
  outboxAge.observe(async () => [[(await outbox()).oldestSeconds, {}]]);

  const backups = keptFor(KEPT_MS, () => store.read(SYSTEM, lastBackupRuns));
  const secondsOf = ({ succeededAt }: BackupRunView) => (succeededAt?.getTime() ?? 0) / 1000;
  lastBackup.observe(async () => [[secondsOf((await backups()).backup), {}]]);
  lastRestoreTest.observe(async () => [[secondsOf((await backups()).restoreTest), {}]]);

  const findings = keptFor(KEPT_MS, () => store.read(SYSTEM, listFindings));
  objectFindings.observe(async () => {
    const counts = new Map((await findings()).map(({ finding, count }) => [finding, count]));
    return FINDINGS.map((finding) => [counts.get(finding) ?? 0, { finding }] as const);
  });

  const workers = keptFor(KEPT_MS, () => store.read(SYSTEM, countWorkers));
  queueWorkers.observe(async () => {
    const counts = await workers();
    return WORKER_QUEUES.map((queue) => [counts[queue], { queue }] as const);
  });

  const names = taskQueuesOf(environment.instanceName);
  const queues = keptFor(KEPT_MS, () =>
    Promise.all(
      Object.entries(names).map(async ([queue, name]) => {
        const { stats } = await temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
          temporal.workflowService.describeTaskQueue({
            namespace: environment.temporalNamespace,
            taskQueue: { name },
            taskQueueType: queue === 'workflows' ? WORKFLOW_TASKS : ACTIVITY_TASKS,
            reportStats: true,
          }),
        );
        if (!stats) throw new Error('Temporal does not report statistics of task queues');
        const oldest = Number(stats.approximateBacklogAge?.seconds ?? 0);
        return { queue, tasks: Number(stats.approximateBacklogCount ?? 0), oldest };
      }),
    ),
  );
  queueBacklog.observe(async () => (await queues()).map(({ queue, tasks }) => [tasks, { queue }] as const));
  queueOldest.observe(async () => (await queues()).map(({ queue, oldest }) => [oldest, { queue }] as const));

  observeDisk(environment.home);
  const failures = keptFor(KEPT_MS, () => store.read(SYSTEM, countRecentFailures));
  failedSteps.observe(async () => [[await failures(), {}]]);
  const certificates = keptFor(CERTIFICATES_KEPT_MS, watchCertificates(environment));
  certificateEnds.observe(certificates);
  cacheBytes.observe(() => [
    [lake.cache.bytes, { cache: 'results' }],
    [lake.rowFiles.bytes, { cache: 'row files' }],
  ]);
}

/** The result of `ask`, which is asked again when the last answer is older. Callers at one time share an answer. */
function keptFor<Result>(keptMs: number, ask: () => Promise<Result>): () => Promise<Result> {
  let kept: { readonly at: number; readonly result: Promise<Result> } | null = null;
  return () => {
    if (!kept || performance.now() - kept.at > keptMs) kept = { at: performance.now(), result: ask() };
    return kept.result;
  };
}
