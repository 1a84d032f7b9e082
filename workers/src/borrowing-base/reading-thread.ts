import { parentPort } from 'node:worker_threads';
import { readShare } from './asset-reader.ts';
import { readTextLabels } from './labels.ts';
import {
  NEXT,
  type SentError,
  STARTED,
  STATE,
  type ThreadAnswer,
  type ThreadJob,
  type ThreadResult,
  WAITING,
} from './second-thread.ts';

// The thread that `second-thread.ts` starts.
if (!parentPort) throw new Error('this module is the thread that helps to read tapes');
const port = parentPort;

async function resultOf(job: ThreadJob): Promise<ThreadResult<ThreadJob>> {
  if (job.kind === 'texts') return readTextLabels(job.files, job.column, job.positions, job.length);
  const { plan, targets, shared } = job;
  if (Atomics.compareExchange(shared, STATE, WAITING, STARTED) !== WAITING) return null;
  return readShare(plan, targets, () => Atomics.add(shared, NEXT, 1));
}

/** A message between threads would drop the name and the code of an error, by which faults are told from bugs. */
function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  return { name, message, ...(stack === undefined ? {} : { stack }), ...(code === undefined ? {} : { code }) };
}

port.on('message', async ({ id, job }: { id: number; job: ThreadJob }) => {
  const answer: ThreadAnswer = await resultOf(job).then(
    (result) => ({ id, result }),
    (error: unknown) => ({ id, error: sentError(error) }),
  );
  port.postMessage(answer);
});
