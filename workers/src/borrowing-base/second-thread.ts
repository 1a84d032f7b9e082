import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ThreadEnded } from '@tapeline/sheets/faults.ts';
import { type ReadingPlan, type ReadingTargets, type ReadRows, readShare } from './asset-reader.ts';

/** A tape that two threads read at the same time. */
export interface ReadingJob {
  readonly kind: 'rows';
  readonly plan: ReadingPlan;
  readonly targets: ReadingTargets;
  /** Shared memory: at NEXT the next row group to read, at STATE whether the helping thread takes part. */
  readonly shared: Int32Array;
}

/** Texts of a column at tape positions, as `readTextLabels` reads them. */
export interface TextsJob {
  readonly kind: 'texts';
  readonly files: readonly string[];
  readonly column: string;
  readonly positions: readonly number[];
  /** Number of assets of the tape. */
  readonly length: number;
}

export type ThreadJob = ReadingJob | TextsJob;

/** Null if only SQL can read the files. If the thread was left out of reading rows, nobody waits for its answer. */
export type ThreadResult<Job extends ThreadJob> =
  | (Job extends ReadingJob ? ReadRows : ReadonlyMap<number, string | null>)
  | null;

/** An error as a thread sends it. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
}

export type ThreadAnswer =
  | { readonly id: number; readonly result: ThreadResult<ThreadJob> }
  | { readonly id: number; readonly error: SentError };

export const [NEXT, STATE] = [0, 1];
export const [WAITING, STARTED, LEFT_OUT] = [0, 1, 2];

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

/** Beyond the last row group of any tape. */
const NO_GROUP = 2 ** 30;

/**
 * Fills the targets. Reading takes almost half of a calculation, so a second thread reads row groups as well.
 * @param minSharedRows a smaller tape is read by this thread alone
 * @returns what each thread has read; null if the files must be read by SQL: no thread writes to the targets any more
 */
export async function readOnThreads(
  plan: ReadingPlan,
  targets: ReadingTargets,
  length: number,
  minSharedRows?: number,
): Promise<ReadRows[] | null> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const readOwn = () => readShare(plan, targets, () => Atomics.add(shared, NEXT, 1));
  const isSqlNeeded = plan.inputs.some(({ source }) => source === null);
  if (isSqlNeeded) return null;
  if (!isShared(length, minSharedRows)) {
    const own = await readOwn();
    return own && [own];
  }
  const helping = onSecondThread({ kind: 'rows', plan, targets, shared });
  // Awaited below, unless the thread has not started by then.
  helping.catch(() => undefined);
  const isLeftOut = () => Atomics.compareExchange(shared, STATE, WAITING, LEFT_OUT) === WAITING;
  try {
    const own = await readOwn();
    if (own === null) Atomics.store(shared, NEXT, NO_GROUP);
    if (isLeftOut()) return own && [own];
    const theirs = await helping;
    return own && theirs && [own, theirs];
  } catch (error) {
    Atomics.store(shared, NEXT, NO_GROUP);
    if (!isLeftOut()) await helping.catch(() => undefined);
    throw error;
  }
}
