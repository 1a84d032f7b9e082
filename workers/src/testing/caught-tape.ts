import { setTimeout as sleep } from 'node:timers/promises';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import type { TapeCluster, WorkerProcess } from './tape-cluster.ts';

const LOOK_EVERY_MS = 20;
/** Messages of a stopped worker have arrived after this time. */
const SENT_MS = 250;
const TRIES = 8;

const stop = (workers: readonly WorkerProcess[]) => workers.map((worker) => worker.signal('SIGSTOP'));
/** Resumes stopped workers. */
export const goOn = (workers: readonly WorkerProcess[]) => workers.map((worker) => worker.signal('SIGCONT'));

/**
 * Catches a tape while it is processed: suspends the workers once `look` returns something, and verifies that it still
 * does, so that the next event happens at exactly that moment, on a machine of any speed. The workers stay suspended:
 * resume them with `goOn`, or kill them. If a tape finished before it was caught, another one is made.
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
  throw new Error(`${TRIES} tapes finished before they were caught at ${look}`);
}

/** How many parts the tape has in the folder of working objects. */
export const partsOf = async (cluster: TapeCluster, tapeId: string, folder: 'staged' | 'candidate'): Promise<number> =>
  (await cluster.keys(`lake/${tapeId}/`)).filter((key) => key.includes(`/${folder}/`)).length;
