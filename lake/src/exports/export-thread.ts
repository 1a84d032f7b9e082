import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { DERIVED_FILE, openLake } from '../lake.ts';
import { exportList } from './export-list.ts';
import type { ExportAnswer, ExportCall, ExportThreadData } from './export-messages.ts';
import { Spool } from './spool.ts';

/** Pieces that are sent before the first one is acknowledged. */
const AHEAD = 3;
/** Slices that DuckDB reads at once over all exports: each needs memory for its rows. */
const TURNS = 2;
/** DuckDB's threads: a sort needs memory for each, and writing cannot keep up with more. */
const THREADS = 2;

// The thread that `exporter.ts` starts. It has its own DuckDB and reads the same parts.
if (!parentPort) throw new Error('this module is the thread of an exporter');
const port = parentPort;
const { memoryLimit, spillFolder, spillLimit } = workerData as ExportThreadData;
const lake = await openLake({
  threads: THREADS,
  memoryLimit,
  spillFolder,
  ...(spillLimit === undefined ? {} : { spillLimit }),
});

interface Job {
  readonly stop: AbortController;
  /** How many more pieces may be sent. */
  credits: number;
  /** Called when more pieces may be sent. */
  resume: () => void;
}
const jobs = new Map<number, Job>();
const running = new Set<Promise<void>>();
const answer = (message: ExportAnswer, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

let turnsLeft = TURNS;
const awaitingTurn: (() => void)[] = [];

/** Waits until fewer slices are being read. @returns a function that ends the turn */
async function takeTurn(signal: AbortSignal): Promise<() => void> {
  while (turnsLeft === 0 && !signal.aborted) {
    await new Promise<void>((resolve) => {
      awaitingTurn.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  signal.throwIfAborted();
  turnsLeft -= 1;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    turnsLeft += 1;
    // All check again, in order: one of them may have been aborted in the meantime.
    for (const wake of awaitingTurn.splice(0)) wake();
  };
}

/**
 * Produces the file as fast as turns allow. What a slow client has not taken yet waits on disk, without holding a turn.
 */
async function fill(spool: Spool, { table, format, sheetName }: Beginning, signal: AbortSignal): Promise<void> {
  const turn = async (): Promise<() => void> => {
    await spool.capacity();
    return takeTurn(signal);
  };
  try {
    for await (const piece of exportList(lake, table, format, { sheetName, signal, turn })) await spool.write(piece);
    spool.end();
  } catch (error) {
    spool.fail(error);
  }
}

type Beginning = Extract<ExportCall, { kind: 'begin' }>;

async function make(beginning: Beginning): Promise<void> {
  const { id } = beginning;
  const job: Job = { stop: new AbortController(), credits: AHEAD, resume: () => undefined };
  jobs.set(id, job);
  const { signal } = job.stop;
  const spool = new Spool(join(lake.spillFolder, `${DERIVED_FILE}spool-${id}`));
  signal.addEventListener('abort', () => {
    spool.fail(signal.reason);
    job.resume();
  });
  const filled = fill(spool, beginning, signal);
  let ending: ExportAnswer = { kind: 'end', id };
  try {
    for (;;) {
      while (job.credits === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          job.resume = resolve;
        });
      }
      const piece = await spool.read();
      if (!piece) break;
      job.credits -= 1;
      answer({ kind: 'piece', id, piece }, [piece.buffer]);
    }
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    ending = { kind: 'failed', id, message, stack, refusal: isRefusal(error) ? error.code : undefined };
  }
  job.stop.abort();
  await filled;
  await spool.dispose();
  jobs.delete(id);
  // The last answer confirms that the export has released everything.
  answer(ending);
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
      job.credits += 1;
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
