import { type ReadingPlan, type ReadingTargets, type ReadRows, readShare } from './asset-reader.ts';
import { LEFT_OUT, NEXT, STATE, WAITING } from './reading-job.ts';
import { isShared, onSecondThread } from './second-thread.ts';

/** Beyond the last row group of any tape. */
const NO_GROUP = 2 ** 30;

/**
 * Fills the targets. Reading takes almost half of a calculation, so a second thread reads row groups as well.
 * @param minSharedRows a smaller tape is read by this thread alone
 * @returns what each thread has read; null if the files must be read by SQL: no thread writes to the targets any more
 */
export async function readOnThreads(
  plan: ReadingPlan,
  targets: ReadingTargets,
  length: number,
  minSharedRows?: number,
): Promise<ReadRows[] | null> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const readOwn = () => readShare(plan, targets, () => Atomics.add(shared, NEXT, 1));
  const isSqlNeeded = plan.inputs.some(({ source }) => source === null);
  if (isSqlNeeded) return null;
  if (!isShared(length, minSharedRows)) {
    const own = await readOwn();
    return own && [own];
  }
  const helping = onSecondThread({ kind: 'rows', plan, targets, shared });
  // Awaited below, unless the thread has not started by then.
  helping.catch(() => undefined);
  const isLeftOut = () => Atomics.compareExchange(shared, STATE, WAITING, LEFT_OUT) === WAITING;
  try {
    const own = await readOwn();
    if (own === null) Atomics.store(shared, NEXT, NO_GROUP);
    if (isLeftOut()) return own && [own];
    const theirs = await helping;
    return own && theirs && [own, theirs];
  } catch (error) {
    Atomics.store(shared, NEXT, NO_GROUP);
    if (!isLeftOut()) await helping.catch(() => undefined);
    throw error;
  }
}
