import { setTimeout as sleep } from 'node:timers/promises';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import type { TapeCluster, WorkerProcess } from './tape-cluster.ts';

const LOOK_EVERY_MS = 20;
/** What a stopped worker had sent has arrived by then. */
const SENT_MS = 250;
const TRIES = 8;

const stop = (workers: readonly WorkerProcess[]) => workers.map((worker) => worker.signal('SIGSTOP'));
/** Lets stopped workers go on. */
export const goOn = (workers: readonly WorkerProcess[]) => workers.map((worker) => worker.signal('SIGCONT'));

/**
 * Catches a tape in mid-work: stops the workers as they stand once `look` finds something, and makes sure that it still
 * finds it, so that whatever happens next happens at that very moment, on a machine of any speed. The workers are left
 * stopped: `goOn`, or kill them. Where a tape got through before it was seen, the next one is made.
 */
export async function catchTape<T>(
  cluster: TapeCluster,
  workers: readonly WorkerProcess[],
  makeTape: () => Promise<LoanTape>,
  look: (tapeId: string) => Promise<T | null | undefined | false>,
): Promise<{ tape: LoanTape; found: T }> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const tape = await makeTape();
    await cluster.startTape(tape.id);
    for (;;) {
      if (await look(tape.id)) {
        stop(workers);
        await sleep(SENT_MS);
        const found = await look(tape.id);
        if (found) return { tape, found };
        goOn(workers);
      }
      if ((await cluster.tape(tape.id)).schedulerStatus === 'Completed') break;
      await sleep(LOOK_EVERY_MS);
    }
    await cluster.finish(tape.id);
  }
  throw new Error(`${TRIES} tapes got through before they were caught at ${look}`);
}

/** How many parts the tape has in the folder of what only processing needs. */
export const partsOf = async (cluster: TapeCluster, tapeId: string, folder: 'staged' | 'candidate'): Promise<number> =>
  (await cluster.keys(`lake/${tapeId}/`)).filter((key) => key.includes(`/${folder}/`)).length;
