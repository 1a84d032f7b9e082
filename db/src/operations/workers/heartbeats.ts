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

/** The kinds of work that no live worker takes. */
export async function queuesWithoutWorker(session: Session): Promise<WorkerQueue[]> {
  const rows = await session.query<{ queue: string }>(
    `select distinct unnest(queues) as queue from worker_heartbeats
     where seen_at > clock_timestamp() - make_interval(secs => $1)`,
    [FRESH_SECONDS],
  );
  const taken = new Set(rows.map(({ queue }) => queue));
  return WORKER_QUEUES.filter((queue) => !taken.has(queue));
}
