import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { LEFT_OUT, NEXT, type ReadingAnswer, type ReadingJob, STATE, WAITING } from './reading-job.ts';
import { type ReadingPlan, type ReadingTargets, type ReadRows, readShare } from './tape-reading.ts';

const MIN_SHARED_ROWS = 250_000;
/** Beyond the last row group of any tape. */
const NO_GROUP = 2 ** 30;
/** How long the idle thread is kept. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly resolve: (read: ReadRows | null) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread helps all calculations of the process. It starts with the first large tape. */
let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/**
 * Fills the targets. Reading takes almost half of a calculation, so a second thread reads row groups as well.
 * @param minSharedRows a smaller tape is read before another thread could help
 * @returns what each thread has read; null if the files must be read by SQL: no thread writes to the targets any more
 */
export async function readOnThreads(
  plan: ReadingPlan,
  targets: ReadingTargets,
  length: number,
  minSharedRows = MIN_SHARED_ROWS,
): Promise<ReadRows[] | null> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const readOwn = () => readShare(plan, targets, () => Atomics.add(shared, NEXT, 1));
  const isSqlNeeded = plan.inputs.some(({ source }) => source === null);
  if (isSqlNeeded) return null;
  if (length < minSharedRows || availableParallelism() < 2) {
    const own = await readOwn();
    return own && [own];
  }
  const helping = help({ plan, targets, shared });
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

function help(job: Omit<ReadingJob, 'id'>): Promise<ReadRows | null> {
  lastId += 1;
  const id = lastId;
  clearTimeout(idle);
  thread ??= start();
  thread.ref();
  thread.postMessage({ id, ...job } satisfies ReadingJob);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function start(): Worker {
  const worker = new Worker(new URL('./reading-thread.ts', import.meta.url));
  worker.on('message', (answer: ReadingAnswer) => {
    const job = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) job?.reject(answer.error);
    else job?.resolve(answer.read);
    if (waiting.size === 0) rest(worker);
  });
  const fail = (error: Error): void => {
    if (thread !== worker) return;
    thread = null;
    for (const job of waiting.values()) job.reject(error);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread that reads tapes ended')));
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
