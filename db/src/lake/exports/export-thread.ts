import { parentPort, workerData } from 'node:worker_threads';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { openLake } from '../lake.ts';
import { exportList } from './export-list.ts';
import type { ExportAnswer, ExportCall, ExportThreadData } from './export-messages.ts';
import type { ExportFormat, ExportTable } from './export-table.ts';

/** Pieces that are made before the first is taken. */
const AHEAD = 3;
/** Lists of more rows are put in order by DuckDB a few at a time: each takes what memory it gets. */
const MANY_ROWS = 100_000;
const SORTS_AT_ONCE = 2;
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

let sortsLeft = SORTS_AT_ONCE;
const awaitingSort: (() => void)[] = [];

/** Waits until few lists are being put in order. @returns what lets the next one begin */
async function takeTurn(signal: AbortSignal): Promise<() => void> {
  while (sortsLeft === 0 && !signal.aborted) {
    await new Promise<void>((resolve) => {
      awaitingSort.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  signal.throwIfAborted();
  sortsLeft -= 1;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    sortsLeft += 1;
    // All look again, in their order: one of them may have been broken off meanwhile.
    for (const wake of awaitingSort.splice(0)) wake();
  };
}

/** Slices of a list in its tape's own order need no turn: hardly any of it waits to be written. */
const isSortedWhole = (table: ExportTable, format: ExportFormat): boolean =>
  table.rows > MANY_ROWS && (format === 'parquet' || table.queries.length === 1);

async function make({ id, table, format, sheetName }: Extract<ExportCall, { kind: 'begin' }>): Promise<void> {
  const job: Job = { stop: new AbortController(), room: AHEAD, resume: () => undefined };
  jobs.set(id, job);
  const { signal } = job.stop;
  signal.addEventListener('abort', () => job.resume());
  let endTurn = (): void => undefined;
  try {
    if (isSortedWhole(table, format)) endTurn = await takeTurn(signal);
    for await (const piece of exportList(lake, table, format, { sheetName, signal })) {
      // The first piece is there: what is in order waits on disk or in memory that the next one may have.
      endTurn();
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
    endTurn();
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
