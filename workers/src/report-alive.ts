import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { forgetWorker, HEARTBEAT_EVERY_MS, recordHeartbeat } from '@tapeline/db/operations/workers/heartbeats.ts';
import type { WorkerQueue } from '@tapeline/db/worker-queues.ts';
import type { WorkerContext } from './context.ts';
import { TAPE_WORKER } from './tape/tape-record.ts';

/**
 * Records in the database which kinds of work this process takes, until it is stopped. While the database does not
 * respond, the process counts as gone.
 */
export async function reportAlive(
  { store, log }: Pick<WorkerContext, 'store' | 'log'>,
  queues: () => readonly WorkerQueue[],
): Promise<{ beat(): Promise<void>; stop(): Promise<void> }> {
  const id = `${hostname()}/${process.pid}/${randomBytes(4).toString('hex')}`;
  let beating: Promise<void> | null = null;
  const beat = () => {
    beating ??= store
      .as(TAPE_WORKER, (session) => {
        const taken = queues();
        return taken.length === 0 ? forgetWorker(session, id) : recordHeartbeat(session, { id, queues: taken });
      })
      .catch((err) => log.warn({ err }, 'the heartbeat could not be recorded'))
      .finally(() => {
        beating = null;
      });
    return beating;
  };
  await beat();
  const timer = setInterval(beat, HEARTBEAT_EVERY_MS);
  return {
    beat,
    async stop() {
      clearInterval(timer);
      await beating;
      await store.as(TAPE_WORKER, (session) => forgetWorker(session, id)).catch(() => undefined);
    },
  };
}
