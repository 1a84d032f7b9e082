import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { DERIVED_FILE } from '../lake.ts';
import type { ExportAnswer, ExportCall, ExportThreadData } from './export-messages.ts';
import type { ExportFormat, ExportTable } from './export-table.ts';

/** The thread lives on for so long after its last export: starting one takes a moment, keeping one takes memory. */
const IDLE_MS = 60_000;

/** Makes exports in a thread of its own, so that this one goes on answering meanwhile. */
export interface Exporter {
  /**
   * As `exportList`: the list as a file, a few pieces ahead of who takes them. Leaving it, or aborting, ends its query.
   * @throws Refusal badRequest before the first piece, where the format cannot hold the list
   */
  make(
    table: ExportTable,
    format: ExportFormat,
    options: { sheetName: string; signal?: AbortSignal },
  ): AsyncGenerator<Uint8Array, void, void>;
  /** Ends the exports in hand and the thread. */
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly ended: Promise<void>;
}

/** What came for an export and was not taken yet, and who waits for it. */
interface Job {
  readonly worker: Worker;
  readonly answers: ExportAnswer[];
  wake: () => void;
}

/** @param settings.spillFolder where the thread gets a folder of its own */
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
    // Each lake needs a folder of its own: DuckDB names what it spills the same in every one.
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
    async *make(table, format, { sheetName, signal }) {
      signal?.throwIfAborted();
      clearTimeout(idle);
      thread ??= start();
      const { worker } = thread;
      worker.ref();
      lastId += 1;
      const id = lastId;
      const job: Job = { worker, answers: [], wake: () => undefined };
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
        // The query has ended when this ends, whoever broke it off.
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
