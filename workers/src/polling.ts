import { WORKER_QUEUES, type WorkerQueue } from '@tapeline/db/worker-queues.ts';
import type { Logger } from 'pino';

/** What this needs of Temporal's workers. */
export interface QueueWorker {
  run(): Promise<void>;
  shutdown(): void;
}

/** Workers of one kind of work as one. If one of them fails, the others are shut down. */
export const together = (workers: readonly QueueWorker[]): QueueWorker => ({
  async run() {
    const runs = workers.map((worker) => worker.run());
    try {
      await Promise.all(runs);
    } catch (error) {
      for (const worker of workers) attempt(() => worker.shutdown());
      await Promise.allSettled(runs);
      throw error;
    }
  },
  shutdown() {
    for (const worker of workers) worker.shutdown();
  },
});

/** One that has failed cannot be shut down. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}

/** Polls the task queues of this process. */
export interface Polling {
  /** Creates the workers, so that `run` only has to start them. */
  prepare(): Promise<void>;
  /** Takes work until it is stopped. Rejects if a worker fails. */
  run(): Promise<void>;
  /** Takes no more work. Work in progress gets a grace period, and then goes to another worker. */
  stop(): void;
  /** Reports that the disk of this machine was full, whatever its free space says, as with a quota. */
  diskWasFull(): void;
  /** The kinds of work that are taken now. */
  taken(): WorkerQueue[];
  /** Why work is not taken now; null if it is. */
  paused(): string | null;
}

/** How often the free space is asked for. */
const CHECK_EVERY_MS = 2_000;
/** After a disk was full, it is tried again after this time, if it has enough free space. */
const TRY_AGAIN_MS = 30_000;

/** Workflows only decide what is done, and need no disk. */
const needsDisk = (queue: WorkerQueue): boolean => queue !== 'workflows';

/**
 * While the disk is full, a worker would fail what it takes in no time and take the next, beside machines that could do
 * the work. So it stops polling until there is space again.
 */
export function createPolling(options: {
  queues: readonly WorkerQueue[];
  makeWorker: (queue: WorkerQueue) => Promise<QueueWorker>;
  /** Rejects, with a sentence for operators, if there is too little free space. */
  requireSpace: () => Promise<void>;
  log: Pick<Logger, 'error' | 'info'>;
  /** Called whenever the kinds of work that are taken have changed. */
  changed?: () => void;
  checkEveryMs?: number;
  tryAgainMs?: number;
}): Polling {
  const { queues, makeWorker, requireSpace, log, changed = () => {} } = options;
  const { checkEveryMs = CHECK_EVERY_MS, tryAgainMs = TRY_AGAIN_MS } = options;
  const workers = new Map<WorkerQueue, QueueWorker>();
  /** Workers that were told to run. One that never ran cannot be shut down. */
  const started = new WeakSet<QueueWorker>();
  /** The ends of workers that were ended before they were to run. */
  const ends: Promise<void>[] = [];
  const waiting = new Set<() => void>();
  let isStopping = false;
  let problem: string | null = null;
  let fullAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function start(worker: QueueWorker): Promise<void> {
    started.add(worker);
    return worker.run();
  }

  function end(worker: QueueWorker): void {
    if (!started.has(worker)) ends.push(start(worker));
    worker.shutdown();
  }

  function pause(why: string): void {
    if (problem === null) {
      log.error({ reason: why }, 'the disk is full: no more work is taken');
      for (const [queue, worker] of workers) {
        if (!needsDisk(queue)) continue;
        workers.delete(queue);
        end(worker);
      }
    }
    problem = why;
    changed();
  }

  function resume(): void {
    if (problem === null) return;
    problem = null;
    log.info('the disk has space again: work is taken');
    wake();
  }

  function wake(): void {
    for (const ready of waiting) ready();
    waiting.clear();
  }

  async function check(): Promise<void> {
    try {
      await requireSpace();
    } catch (error) {
      return pause(error instanceof Error ? error.message : String(error));
    }
    if (performance.now() - fullAt >= tryAgainMs) resume();
  }

  /** Runs checks one after another. */
  function watch(): void {
    timer = setTimeout(() => {
      void check().finally(() => {
        if (!isStopping) watch();
      });
    }, checkEveryMs);
  }

  async function create(queue: WorkerQueue): Promise<void> {
    const worker = await makeWorker(queue);
    if (isStopping || (problem !== null && needsDisk(queue))) {
      end(worker);
      return;
    }
    workers.set(queue, worker);
  }

  async function serve(queue: WorkerQueue): Promise<void> {
    while (!isStopping) {
      const worker = workers.get(queue);
      if (worker) {
        await start(worker);
        if (workers.get(queue) === worker) workers.delete(queue);
      } else if (problem !== null && needsDisk(queue)) {
        await new Promise<void>((resolve) => void waiting.add(resolve));
      } else {
        await create(queue);
        changed();
      }
    }
  }

  return {
    async prepare() {
      await check();
      await Promise.all(queues.filter((queue) => problem === null || !needsDisk(queue)).map(create));
    },
    async run() {
      watch();
      try {
        await Promise.all(queues.map(serve));
        await Promise.all(ends);
      } finally {
        clearTimeout(timer);
      }
    },
    stop() {
      isStopping = true;
      clearTimeout(timer);
      wake();
      for (const worker of workers.values()) end(worker);
    },
    diskWasFull() {
      fullAt = performance.now();
      pause('a write failed because the disk is full or its quota is used up');
    },
    taken: () => (isStopping ? [] : WORKER_QUEUES.filter((queue) => workers.has(queue))),
    paused: () => problem,
  };
}
