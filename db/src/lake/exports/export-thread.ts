import { parentPort, workerData } from 'node:worker_threads';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { openLake } from '../lake.ts';
import { exportList } from './export-list.ts';
import type { ExportAnswer, ExportCall, ExportThreadData } from './export-messages.ts';

/** Pieces that are made before the first is taken. */
const AHEAD = 3;
/** DuckDB's threads: a long sort needs memory for each of them, and writing keeps up with no more. */
const THREADS = 2;

// The thread that `exporter.ts` starts: it has a DuckDB of its own, reads the same parts, and holds nothing else.
if (!parentPort) throw new Error('this module is the thread of an exporter');
const port = parentPort;
const { memoryLimit, spillFolder } = workerData as ExportThreadData;
const lake = await openLake({ threads: THREADS, memoryLimit, spillFolder });

interface Job {
  readonly stop: AbortController;
  /** How many more pieces may be sent. */
  room: number;
  /** Called when there is room again. */
  resume: () => void;
}
const jobs = new Map<number, Job>();
const running = new Set<Promise<void>>();
const answer = (message: ExportAnswer, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

async function make({ id, table, format, sheetName }: Extract<ExportCall, { kind: 'begin' }>): Promise<void> {
  const job: Job = { stop: new AbortController(), room: AHEAD, resume: () => undefined };
  jobs.set(id, job);
  const { signal } = job.stop;
  signal.addEventListener('abort', () => job.resume());
  try {
    for await (const piece of exportList(lake, table, format, { sheetName, signal })) {
      while (job.room === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          job.resume = resolve;
        });
      }
      signal.throwIfAborted();
      job.room -= 1;
      // Its own memory, to be given away: the makers use theirs again.
      const sent = new Uint8Array(piece);
      answer({ kind: 'piece', id, piece: sent }, [sent.buffer]);
    }
    answer({ kind: 'end', id });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    answer({ kind: 'failed', id, message, stack, refusal: isRefusal(error) ? error.code : undefined });
  } finally {
    jobs.delete(id);
  }
}

port.on('message', async (call: ExportCall) => {
  switch (call.kind) {
    case 'begin': {
      const made = make(call).finally(() => running.delete(made));
      running.add(made);
      return;
    }
    case 'taken': {
      const job = jobs.get(call.id);
      if (!job) return;
      job.room += 1;
      job.resume();
      return;
    }
    case 'stop':
      return jobs.get(call.id)?.stop.abort();
    case 'close':
      for (const { stop } of jobs.values()) stop.abort();
      await Promise.all(running);
      lake.close();
      port.close();
  }
});
