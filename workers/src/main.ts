import '@tapeline/db/compilers.ts';

import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readEnvironment, type WorkerQueue } from '@tapeline/db/environment.ts';
import { openObjectStore } from '@tapeline/db/files/open-object-store.ts';
import { openStore } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { TASK_QUEUES } from '@tapeline/workflows/queues.ts';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pino from 'pino';
import type { WorkerContext } from './context.ts';
import { createCorrectionComputeActivities, createCorrectionIoActivities } from './corrections/activities.ts';
import { withFailures } from './failures.ts';
import { heartbeats } from './heartbeat.ts';
import { createPreviewActivities } from './preview/activities.ts';
import { removeStaleScratch, scratchFolderOf } from './scratch.ts';
import { createSweepActivities } from './sweep/activities.ts';
import { scheduleSweep } from './sweep/schedule.ts';
import { createTapeComputeActivities } from './tape/compute-activities.ts';
import { createTapeIoActivities } from './tape/io-activities.ts';
import { keptWorkflowBundle } from './workflow-bundle.ts';

/** One worker process of the compute cluster: add processes, on any machine, to add power. */
const log = pino({ name: 'worker', level: process.env.LOG_LEVEL ?? 'info' });
const environment = readEnvironment(process.env);

// Each Worker below serves one queue with one kind of work, as meant; the SDK warns of the kind it has not.
const AS_MEANT = /^No (workflows|activities) registered, not polling/;
Runtime.install({
  logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (AS_MEANT.test(message)) return;
    log[level === 'ERROR' ? 'error' : 'warn']({ ...meta }, message);
  }),
  // What the SDK's native part says comes as JSON lines too.
  telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) } },
  // The signals are ours: workers drain, then the store closes.
  shutdownSignals: [],
});

const scratchRoot = join(environment.home, 'scratch');
const scratchFolder = scratchFolderOf(scratchRoot);
await removeStaleScratch(scratchRoot, scratchFolder);

const [store, objects, native, connection] = await Promise.all([
  openStore(environment),
  openObjectStore(environment),
  NativeConnection.connect({ address: environment.temporalAddress }),
  Connection.connect({ address: environment.temporalAddress }),
]);
await objects.ping().catch((err) => {
  if (!isRefusal(err)) return log.warn({ err }, 'the object storage does not answer yet');
  log.fatal(err.message);
  process.exit(1);
});
const namespace = environment.temporalNamespace;
const context: WorkerContext = {
  store,
  objects,
  temporal: new Client({ connection, namespace }),
  scratchFolder,
  batchRows: environment.tapeBatchRows,
  log,
};

const common = {
  connection: native,
  namespace,
  shutdownGraceTime: '5 seconds' as const,
  // Heartbeats go out as they are made: held back by the SDK's usual 8 seconds of 10, a busy machine would miss one.
  maxHeartbeatThrottleInterval: '2 seconds' as const,
  interceptors: { activity: [heartbeats] },
};
const makeWorker: Record<WorkerQueue, () => Promise<Worker>> = {
  workflows: async () =>
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.workflows,
      workflowBundle: {
        codePath: await keptWorkflowBundle(join(environment.home, 'workflow-bundles'), Runtime.instance().logger),
      },
    }),
  io: () =>
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.io,
      activities: withFailures({
        ...createTapeIoActivities(context),
        ...createPreviewActivities(context),
        ...createCorrectionIoActivities(context),
        ...createSweepActivities(context),
      }),
      maxConcurrentActivityTaskExecutions: 8,
    }),
  compute: () =>
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.compute,
      activities: withFailures({
        ...createTapeComputeActivities(context),
        ...createCorrectionComputeActivities(context),
      }),
      // A process computes on one core; those that share the machine share its cores.
      maxConcurrentActivityTaskExecutions: Math.max(
        1,
        Math.floor(availableParallelism() / (environment.workerProcesses ?? 2)),
      ),
    }),
};
const workers = await Promise.all(environment.workerQueues.map((queue) => makeWorker[queue]()));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    log.info({ signal }, 'draining');
    for (const worker of workers) worker.shutdown();
  });
}
await scheduleSweep(context.temporal).catch((err) => log.warn({ err }, 'the sweeper is not scheduled'));
log.info({ queues: environment.workerQueues.map((queue) => TASK_QUEUES[queue]) }, 'worker polls');
await Promise.all(workers.map((worker) => worker.run()));
await Promise.all([store.close(), objects.close(), connection.close(), native.close()]);
await rm(scratchFolder, { recursive: true, force: true });
log.info('worker ended');
process.exit(0);
