import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ownEnvironment } from '@tapeline/db/environment.ts';
import pino from 'pino';
import { keepRunning } from './keep-running.ts';

/** Starts WORKER_PROCESSES worker processes on this machine, and keeps them running until it is told to stop. */
const environment = ownEnvironment();
const log = pino({ name: 'workers', level: environment.logLevel });
const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const variables = { ...process.env, WORKER_PROCESSES: String(environment.workerProcesses) };

const { stop, ended } = keepRunning({
  count: environment.workerProcesses,
  start: () => fork(program, { env: variables, stdio: 'inherit' }),
  log,
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
process.exitCode = await ended;
