import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ThreadEnded } from '@tapeline/sheets/faults.ts';
import type { ThreadAnswer, ThreadJob, ThreadResult } from './reading-job.ts';

/** A smaller tape is read before another thread could help. */
const MIN_SHARED_ROWS = 250_000;
/** How long the idle thread is kept. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly resolve: (result: ThreadResult<never>) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread helps all calculations of the process. It starts with the first large tape. */
let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/** Whether a second thread helps with a tape of this many assets. */
export const isShared = (length: number, minSharedRows = MIN_SHARED_ROWS): boolean =>
  length >= minSharedRows && availableParallelism() >= 2;

/** Has the second thread do a job, after those that it was given before. */
export function onSecondThread<Job extends ThreadJob>(job: Job): Promise<ThreadResult<Job>> {
  lastId += 1;
  const id = lastId;
  clearTimeout(idle);
  thread ??= start();
  thread.ref();
  thread.postMessage({ id, job });
  return new Promise((resolve, reject) => waiting.set(id, { resolve: resolve as Waiting['resolve'], reject }));
}

function start(): Worker {
  const worker = new Worker(new URL('./reading-thread.ts', import.meta.url));
  worker.on('message', (answer: ThreadAnswer) => {
    const job = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) job?.reject(Object.assign(new Error(answer.error.message), answer.error));
    else job?.resolve(answer.result as ThreadResult<never>);
    if (waiting.size === 0) rest(worker);
  });
  const fail = (error: Error): void => {
    if (thread !== worker) return;
    thread = null;
    for (const job of waiting.values()) job.reject(error);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new ThreadEnded('the thread that reads tapes ended')));
  return worker;
}

/** While idle, the thread does not keep the process alive, and it ends after a while. */
function rest(worker: Worker): void {
  worker.unref();
  idle = setTimeout(() => {
    if (waiting.size > 0 || thread !== worker) return;
    thread = null;
    void worker.terminate();
  }, IDLE_MS).unref();
}
