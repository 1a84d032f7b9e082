import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ownEnvironment } from '@tapeline/db/environment.ts';
import { shareOfWork } from '@tapeline/db/worker-queues.ts';
import pino from 'pino';
import { keepRunning } from './keep-running.ts';

/** Starts WORKER_PROCESSES worker processes on this machine, and keeps them running until it is told to stop. */
const environment = ownEnvironment();
const log = pino({ name: 'workers', level: environment.logLevel });
const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const variables = { ...process.env, WORKER_PROCESSES: String(environment.workerProcesses) };
const metricsPort = environment.monitoring?.port;
/** Each process has its share of the work, and serves its metrics on a port of its own. */
const variablesOf = (number: number) => ({
  ...variables,
  ...shareOfWork(number, environment.workerProcesses, variables),
  ...(metricsPort === undefined ? {} : { METRICS_PORT: String(metricsPort + number - 1) }),
});

const { stop, ended } = keepRunning({
  count: environment.workerProcesses,
  start: (number) => fork(program, { env: variablesOf(number), stdio: 'inherit' }),
  log,
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
process.exitCode = await ended;
