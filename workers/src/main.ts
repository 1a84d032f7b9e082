import '@tapeline/db/compilers.ts';
import '@tapeline/db/private-files.ts';

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownEnvironment } from '@tapeline/db/environment.ts';
import { endWhenLost } from '@tapeline/db/pool-guard.ts';
import { findReadiness } from '@tapeline/db/readiness.ts';
import { endWithReason } from '@tapeline/db/start-up.ts';
import { openStoreWhenReady } from '@tapeline/db/wait-for.ts';
import { computingProcesses, type WorkerQueue } from '@tapeline/db/worker-queues.ts';
import { bytesForDuckDb } from '@tapeline/lake/lake.ts';
import { waitForStorage } from '@tapeline/lake/storage/check-storage.ts';
import { requireFreeSpace } from '@tapeline/lake/storage/disk-space.ts';
import { openObjectStore } from '@tapeline/lake/storage/open-object-store.ts';
import { processFolder, removeStaleFolders } from '@tapeline/lake/storage/process-folder.ts';
import { createMailer } from '@tapeline/mail/mailer.ts';
import { startTelemetry } from '@tapeline/telemetry/start.ts';
import { currentTraceparent, traceFields } from '@tapeline/telemetry/traces.ts';
import { taskQueuesOf } from '@tapeline/workflows/queues.ts';
import { traceOfCaller } from '@tapeline/workflows/tracing/client.ts';
import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import pino from 'pino';
import { activitiesByQueue } from './activities.ts';
import { scheduleAmendments } from './amendments/schedule.ts';
import { warmUp } from './borrowing-base/warm-up.ts';
import type { WorkerContext } from './context.ts';
import { scheduleCovenants } from './covenants/schedule.ts';
import { scheduleDeliverables } from './deliverables/schedule.ts';
import { waitForTemporal } from './doctor/check-temporal.ts';
import { scheduleDuplicates } from './duplicates/schedule.ts';
import { endWithParent } from './end-with-parent.ts';
import { withFailures } from './failures.ts';
import { createGivingWay } from './giving-way.ts';
import { heartbeats } from './heartbeat.ts';
import { scheduleImports } from './imports/schedule.ts';
import { computeSlots, jobMemory } from './job-limits.ts';
import { lowerPriority } from './lower-priority.ts';
import { scheduleMail, wakeMail } from './mail/schedule.ts';
import { scheduleNotices, wakeNotices } from './notices/schedule.ts';
import { createPolling, type QueueWorker, together } from './polling.ts';
import { scheduleRates } from './rates/schedule.ts';
import { readinessChecks } from './readiness.ts';
import { reportAlive } from './report-alive.ts';
import { createFailureReport } from './report-failure.ts';
import { scheduleRetention } from './retention/schedule.ts';
import { scheduleStatements } from './statements/schedule.ts';
import { scheduleSweep } from './sweep/schedule.ts';
import { measuredActivities, observeWorker, workflowSinks } from './telemetry.ts';
import { keptWorkflowBundle } from './workflow-bundle.ts';

// One worker process of the compute cluster: add processes, on any machine, to add capacity.

/** Previews that run at once in a process: they have separate slots, so that tapes keep theirs. */
const PREVIEW_SLOTS = 1;
/** The same for checks of all rows and comparisons of borrowing bases, which take longer than previews. */
const CHECK_SLOTS = 2;
/** The same for corrections, whose people wait as well. */
const CORRECTION_SLOTS = 1;
/** Each decides in milliseconds, so more at once only make Temporal store more at once. */
const WORKFLOW_SLOTS = 4;
/** Imports that one process writes at once, and checks that it runs. Each holds a connection to PostgreSQL for its time. */
const IMPORT_SLOTS = 2;
const environment = ownEnvironment();
// Each line has the trace id of the request that its work follows from. The SDK names the error of a failed activity `error`.
const log = pino({
  name: 'worker',
  level: environment.logLevel,
  mixin: traceFields,
  serializers: { error: pino.stdSerializers.err },
});
endWithReason(environment, log);
endWithParent();
lowerPriority(environment.workerNiceness);

// Each Worker below deliberately serves one queue with one kind of work; the SDK warns that the other kind is missing.
const AS_MEANT = /^No (workflows|activities) registered, not polling/;
Runtime.install({
  logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (AS_MEANT.test(message)) return;
    log[level === 'ERROR' ? 'error' : 'warn']({ ...meta }, message);
  }),
  // Messages of the SDK's native part are logged as JSON lines too.
  telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) } },
  // This process handles the signals: workers drain, then the store closes.
  shutdownSignals: [],
});

const scratchRoot = join(environment.home, 'scratch');
const scratchFolder = processFolder(scratchRoot, 'worker');
await removeStaleFolders(scratchRoot, scratchFolder);

/** Opens everything that the worker needs, once it answers. */
async function openAll() {
  const opened = await openStoreWhenReady(environment, log);
  const storage = await openObjectStore(environment, opened);
  await waitForStorage(environment, storage, log);
  await waitForTemporal(environment, log);
  return Promise.all([
    opened,
    storage,
    NativeConnection.connect(environment.temporalConnection),
    Connection.connect(environment.temporalConnection),
  ]);
}
const [store, objects, native, connection] = await openAll();
const processes = environment.workerProcesses;
const takes = (queue: WorkerQueue): boolean => environment.workerQueues.includes(queue);
const slots = computeSlots(computingProcesses(processes, environment.workerQueues));
/** Jobs that this process runs at once and that use DuckDB. */
const jobs = (takes('compute') ? slots : 0) + (takes('previews') ? CORRECTION_SLOTS + PREVIEW_SLOTS + CHECK_SLOTS : 0);
const namespace = environment.temporalNamespace;
const queues = taskQueuesOf(environment.instanceName);
const context: WorkerContext = {
  instance: environment.instanceName,
  store,
  objects,
  temporal: new Client({
    connection,
    namespace,
    interceptors: { workflow: [traceOfCaller(currentTraceparent)] },
  }),
  scratchFolder,
  batchRows: environment.tapeBatchRows,
  jobMemory: bytesForDuckDb(jobMemory(processes, Math.max(1, jobs), environment.budgets.jobMemory)),
  jobSpill: bytesForDuckDb(environment.budgets.spill),
  log,
};

store.on('mailQueued', () => {
  wakeMail(context.temporal, environment.instanceName).catch((err) =>
    log.warn({ err }, 'sending emails waits for the schedule'),
  );
});
store.on('noticesDue', () => {
  wakeNotices(context.temporal, environment.instanceName).catch((err) =>
    log.warn({ err }, 'making notices waits for the schedule'),
  );
});
const activities = activitiesByQueue(context, environment, createMailer(environment, log));
const report = createFailureReport(context, () => polling.diskWasFull());

const common = {
  connection: native,
  namespace,
  shutdownGraceTime: '5 seconds' as const,
  // Heartbeats are sent at once: with the SDK's default throttling to 8 of every 10 seconds, a busy machine would miss
  // one.
  maxHeartbeatThrottleInterval: '2 seconds' as const,
  interceptors: { activity: [measuredActivities, heartbeats] },
};
const { awaited, givesWay } = createGivingWay();
const awaitedFirst = { interceptors: { activity: [measuredActivities, heartbeats, awaited] } };
const codePath = () => keptWorkflowBundle(join(environment.home, 'workflow-bundles'), Runtime.instance().logger);
const workflowWorker = async (taskQueue: string, options: Partial<WorkerOptions> = {}) =>
  Worker.create({
    ...common,
    ...options,
    taskQueue,
    sinks: workflowSinks,
    workflowBundle: { codePath: await codePath() },
  });
const makeWorker: Record<WorkerQueue, () => Promise<QueueWorker>> = {
  // A thousand workflows that start together would otherwise keep Temporal from answering those that people wait for.
  workflows: () => workflowWorker(queues.workflows, { maxConcurrentWorkflowTaskExecutions: WORKFLOW_SLOTS }),
  io: async () =>
    together(
      await Promise.all([
        Worker.create({
          ...common,
          taskQueue: queues.io,
          activities: withFailures(activities.io, report),
          maxConcurrentActivityTaskExecutions: 8,
        }),
        ...(['imports', 'importChecks'] as const).map((queue) =>
          Worker.create({
            ...common,
            taskQueue: queues[queue],
            activities: withFailures<object>(activities[queue], report),
            maxConcurrentActivityTaskExecutions: IMPORT_SLOTS,
          }),
        ),
      ]),
    ),
  previews: async () =>
    together(
      await Promise.all([
        workflowWorker(queues.awaited),
        Worker.create({
          ...common,
          ...awaitedFirst,
          taskQueue: queues.previews,
          activities: withFailures(activities.previews, report),
          maxConcurrentActivityTaskExecutions: PREVIEW_SLOTS,
        }),
        Worker.create({
          ...common,
          ...awaitedFirst,
          taskQueue: queues.checks,
          activities: withFailures(activities.checks, report),
          maxConcurrentActivityTaskExecutions: CHECK_SLOTS,
        }),
        Worker.create({
          ...common,
          ...awaitedFirst,
          taskQueue: queues.corrections,
          activities: withFailures(activities.corrections, report),
          maxConcurrentActivityTaskExecutions: CORRECTION_SLOTS,
        }),
      ]),
    ),
  compute: () =>
    Worker.create({
      ...common,
      interceptors: { activity: [givesWay, measuredActivities, heartbeats] },
      taskQueue: queues.compute,
      activities: withFailures(activities.compute, report),
      // A process computes on one core; the processes of a machine share its cores.
      maxConcurrentActivityTaskExecutions: slots,
    }),
};
const polling = createPolling({
  queues: environment.workerQueues,
  makeWorker: (queue) => makeWorker[queue](),
  requireSpace: () => requireFreeSpace(environment.home, { reserve: environment.diskReserveBytes }),
  log,
  changed: () => void beat(),
});
let beat = async (): Promise<void> => {};
let isDraining = false;
/** Shorter than what stops a service waits before it kills the process (30 seconds in `deploy`). */
const LONGEST_DRAIN_MS = 20_000;
endWhenLost(store);
const checks = readinessChecks({ environment, store, objects, temporal: context.temporal, polling });
const telemetry = await startTelemetry({
  service: 'worker',
  variables: process.env,
  monitoring: environment.monitoring,
  health: {
    alive: () => !store.isStuck(),
    readiness: async () => (isDraining ? { missing: ['stopping'], degraded: [] } : findReadiness(checks)),
  },
});
observeWorker(environment, polling);
await polling.prepare();
const alive = await reportAlive(context, polling.taken);
beat = alive.beat;
let stopBeating: Promise<void> | undefined;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    log.info({ signal }, 'draining');
    isDraining = true;
    stopBeating ??= alive.stop();
    polling.stop();
    // A statement that waits in PostgreSQL, for example for another transaction's lock, cannot be cancelled from here.
    setTimeout(() => {
      log.warn('ended with work in progress, which goes to another worker');
      process.exit(0);
    }, LONGEST_DRAIN_MS).unref();
  });
}
const { temporal } = context;
const instance = environment.instanceName;
for (const [schedule, failed] of [
  [scheduleSweep, 'the sweeper is not scheduled'],
  [scheduleRetention, 'the schedule of retention could not be created'],
  [scheduleAmendments, 'the schedule of amendments could not be created'],
  [scheduleDeliverables, 'the daily reminders of deliverables could not be scheduled'],
  [scheduleCovenants, 'the daily tests of covenants could not be scheduled'],
  [scheduleDuplicates, 'the nightly search for the same loan twice could not be scheduled'],
  [scheduleNotices, 'the schedule of notices could not be created'],
  [scheduleImports, 'the schedule of imports could not be created'],
  [scheduleStatements, 'taking delivered bank statements is not scheduled'],
  [scheduleMail, 'sending emails is not scheduled'],
  [() => scheduleRates(temporal, instance, environment.ratesUrl), 'refreshing currency rates is not scheduled'],
] as const) {
  await schedule(temporal, instance).catch((err) => log.warn({ err }, failed));
}
log.info({ queues: environment.workerQueues.map((queue) => queues[queue]) }, 'worker polls');
if (takes('previews')) {
  warmUp(context).catch((err) => log.warn({ err }, 'the first trial of a contract will be slow'));
}
await polling.run();
await (stopBeating ?? alive.stop());
await Promise.all([store.close(), objects.close(), connection.close(), native.close()]);
await telemetry.close();
await rm(scratchFolder, { recursive: true, force: true });
log.info('worker ended');
process.exit(0);
