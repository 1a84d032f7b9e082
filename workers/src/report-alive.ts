import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { forgetWorker, HEARTBEAT_EVERY_MS, recordHeartbeat } from '@tapeline/db/operations/workers/heartbeats.ts';
import type { WorkerQueue } from '@tapeline/db/worker-queues.ts';
import type { WorkerContext } from './context.ts';
import { TAPE_WORKER } from './tape/tape-record.ts';

/**
 * Records in the database that this process takes this kind of work, until it is stopped. While the database does not
 * respond, the process counts as gone.
 */
export async function reportAlive(
  { store, log }: Pick<WorkerContext, 'store' | 'log'>,
  queues: readonly WorkerQueue[],
): Promise<{ stop(): Promise<void> }> {
  const id = `${hostname()}/${process.pid}/${randomBytes(4).toString('hex')}`;
  let beating: Promise<void> | null = null;
  const beat = () => {
    beating ??= store
      .as(TAPE_WORKER, (session) => recordHeartbeat(session, { id, queues }))
      .catch((err) => log.warn({ err }, 'the heartbeat could not be recorded'))
      .finally(() => {
        beating = null;
      });
    return beating;
  };
  await beat();
  const timer = setInterval(beat, HEARTBEAT_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await beating;
      await store.as(TAPE_WORKER, (session) => forgetWorker(session, id)).catch(() => undefined);
    },
  };
}
