import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { WORKER_QUEUES, type WorkerQueue } from '../../worker-queues.ts';

/** How often a worker process sends a heartbeat. */
export const HEARTBEAT_EVERY_MS = 2_000;
/** A worker without a heartbeat for this long is gone. Uses the database's clock, since machines' clocks differ. */
const FRESH_SECONDS = 10;

/** Records a worker process's heartbeat. Also deletes rows of processes that are long gone. */
export async function recordHeartbeat(
  session: Session,
  worker: { id: string; queues: readonly WorkerQueue[] },
): Promise<void> {
  await session.query(
    `insert into worker_heartbeats (id, queues, seen_at) values ($1, $2, clock_timestamp())
     on conflict (id) do update set queues = excluded.queues, seen_at = excluded.seen_at`,
    [worker.id, [...worker.queues]],
  );
  await session.query(`delete from worker_heartbeats where seen_at < clock_timestamp() - interval '1 hour'`);
}

/** Removes a worker process that takes no more work. */
export async function forgetWorker(session: Session, id: string): Promise<void> {
  await session.query('delete from worker_heartbeats where id = $1', [id]);
}

/** The number of live worker processes that take each kind of work. */
export async function countWorkers(session: ReadSession): Promise<Record<WorkerQueue, number>> {
  const rows = await session.query<{ queue: WorkerQueue; workers: number }>(
    `select queue, count(*)::int as workers from worker_heartbeats, unnest(queues) as queue
     where seen_at > clock_timestamp() - make_interval(secs => $1) group by queue`,
    [FRESH_SECONDS],
  );
  const counts = { workflows: 0, io: 0, compute: 0, previews: 0 };
  for (const { queue, workers } of rows) counts[queue] = workers;
  return counts;
}

/** The kinds of work that no live worker takes. */
export async function queuesWithoutWorker(session: ReadSession): Promise<WorkerQueue[]> {
  const workers = await countWorkers(session);
  return WORKER_QUEUES.filter((queue) => workers[queue] === 0);
}
