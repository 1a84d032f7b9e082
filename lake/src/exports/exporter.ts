import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { DERIVED_FILE } from '../lake.ts';
import type { ExportAnswer, ExportCall, ExportThreadData } from './export-messages.ts';
import type { ExportFormat, ExportTable } from './export-table.ts';

/** How long the idle thread is kept after its last export: starting it takes a moment, keeping it takes memory. */
const IDLE_MS = 60_000;

/** Runs exports in a separate thread, so that this one can keep serving requests. */
export interface Exporter {
  /**
   * Like `exportList`: the list as a file, a few pieces ahead of the reader. Ending the iteration or aborting ends the
   * query.
   * @param options.owner whose exports are counted together
   * @throws Refusal before the first piece: badRequest if the format cannot hold the list, tooMany if the owner, or all
   *   owners together, have reached the limit of exports in progress
   */
  make(
    table: ExportTable,
    format: ExportFormat,
    options: { sheetName: string; owner: string; signal?: AbortSignal },
  ): AsyncGenerator<Uint8Array, void, void>;
  /** Aborts the exports in progress and ends the thread. */
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly ended: Promise<void>;
}

/**
 * Limits on exports in progress, for one owner and for all. Data waiting for a client is on disk, so this bounds the
 * disk space.
 */
export const OWNER_EXPORTS = 3;
const ALL_EXPORTS = 40;

/** Answers received for an export and not taken yet, and the waiting reader. */
interface Job {
  readonly owner: string;
  readonly worker: Worker;
  readonly answers: ExportAnswer[];
  wake: () => void;
}

/** @param settings.spillFolder the folder in which the thread gets a folder of its own */
export function openExporter(settings: ExportThreadData): Exporter {
  const jobs = new Map<number, Job>();
  let lastId = 0;
  let thread: Thread | null = null;
  let idle: NodeJS.Timeout | undefined;

  function receive(answer: ExportAnswer): void {
    const job = jobs.get(answer.id);
    job?.answers.push(answer);
    job?.wake();
  }

  function start(): Thread {
    // Each lake needs its own folder: DuckDB names its spill files the same in every instance.
    const spillFolder = join(settings.spillFolder, `${DERIVED_FILE}exports-${randomUUID()}`);
    const workerData: ExportThreadData = { ...settings, spillFolder };
    const worker = new Worker(new URL('./export-thread.ts', import.meta.url), { workerData });
    const failAll = (message: string): void => {
      if (thread?.worker === worker) thread = null;
      for (const [id, job] of jobs) {
        if (job.worker === worker) receive({ kind: 'failed', id, message, stack: undefined, refusal: undefined });
      }
    };
    worker.on('message', receive);
    worker.on('error', (error) => failAll(`the export thread broke: ${error instanceof Error ? error.stack : error}`));
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        failAll('the export thread ended');
        rm(spillFolder, { recursive: true, force: true }).then(resolve, resolve);
      });
    });
    return { worker, ended };
  }

  function refuseTooMany(owner: string): void {
    const own = [...jobs.values()].filter((job) => job.owner === owner).length;
    if (own >= OWNER_EXPORTS) {
      throw new Refusal(
        'tooMany',
        `You have ${OWNER_EXPORTS} exports in progress. Wait until one of them has finished, or cancel it, and try again.`,
      );
    }
    if (jobs.size >= ALL_EXPORTS) {
      throw new Refusal('tooMany', 'Too many exports are in progress. Try again in a minute.');
    }
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const closing = thread;
    thread = null;
    if (!closing) return;
    closing.worker.ref();
    closing.worker.postMessage({ kind: 'close' } satisfies ExportCall);
    await closing.ended;
  }

  return {
    async *make(table, format, { sheetName, owner, signal }) {
      signal?.throwIfAborted();
      refuseTooMany(owner);
      clearTimeout(idle);
      thread ??= start();
      const { worker } = thread;
      worker.ref();
      lastId += 1;
      const id = lastId;
      const job: Job = { owner, worker, answers: [], wake: () => undefined };
      const call = (message: ExportCall): void => worker.postMessage(message);
      const stop = (): void => call({ kind: 'stop', id });
      const next = async (): Promise<ExportAnswer> => {
        while (job.answers.length === 0) {
          await new Promise<void>((resolve) => {
            job.wake = resolve;
          });
        }
        return job.answers.shift()!;
      };
      jobs.set(id, job);
      signal?.addEventListener('abort', stop, { once: true });
      let isOver = false;
      try {
        call({ kind: 'begin', id, table, format, sheetName });
        for (;;) {
          const answer = await next();
          isOver = answer.kind !== 'piece';
          signal?.throwIfAborted();
          if (answer.kind === 'failed') throw errorOf(answer);
          if (answer.kind === 'end') return;
          call({ kind: 'taken', id });
          yield answer.piece;
        }
      } finally {
        signal?.removeEventListener('abort', stop);
        // The query has ended when this returns, whichever side aborted it.
        if (!isOver) stop();
        while (!isOver) isOver = (await next()).kind !== 'piece';
        jobs.delete(id);
        if (jobs.size === 0 && thread?.worker === worker) {
          worker.unref();
          idle = setTimeout(() => void close(), IDLE_MS).unref();
        }
      }
    },
    close,
  };
}

function errorOf({ message, stack, refusal }: Extract<ExportAnswer, { kind: 'failed' }>): Error {
  if (refusal) return new Refusal(refusal, message);
  const error = new Error(message);
  if (stack) error.stack = stack;
  return error;
}
