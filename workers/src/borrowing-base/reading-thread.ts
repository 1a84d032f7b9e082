import { parentPort } from 'node:worker_threads';
import { NEXT, type ReadingAnswer, type ReadingJob, STARTED, STATE, WAITING } from './reading-job.ts';
import { readShare } from './tape-reading.ts';

// The thread that `read-on-threads.ts` starts.
if (!parentPort) throw new Error('this module is the thread that helps to read tapes');
const port = parentPort;

async function answerTo({ id, plan, targets, shared }: ReadingJob): Promise<ReadingAnswer> {
  if (Atomics.compareExchange(shared, STATE, WAITING, STARTED) !== WAITING) return { id, read: null };
  try {
    return { id, read: await readShare(plan, targets, () => Atomics.add(shared, NEXT, 1)) };
  } catch (error) {
    return { id, error };
  }
}

port.on('message', async (job: ReadingJob) => port.postMessage(await answerTo(job)));
