import type { ReadSession } from '../../read-session.ts';

export interface OutboxBacklog {
  /** Emails that wait to be sent, including those that are not due yet. */
  readonly queued: number;
  /** Emails that wait for an administrator, after a restore. */
  readonly held: number;
  /** Emails that were given up and are still kept. */
  readonly failed: number;
  /** How long the oldest email that is due has waited; 0 if none is. */
  readonly oldestSeconds: number;
}

/** How many emails wait, and for how long. Called as the program. */
export async function outboxBacklog(session: ReadSession): Promise<OutboxBacklog> {
  const [row] = await session.query<{ queued: number; held: number; failed: number; oldest: number }>(
    `select (select count(*)::int from outbox where status = 'Queued') as queued,
       (select count(*)::int from outbox where status = 'Held') as held,
       (select count(*)::int from outbox where status = 'Failed') as failed,
       (select coalesce(extract(epoch from $1::timestamptz - min(greatest(created_at, not_before))), 0)::int
        from outbox where status = 'Queued' and greatest(created_at, not_before) <= $1) as oldest`,
    [session.now],
  );
  return {
    queued: row?.queued ?? 0,
    held: row?.held ?? 0,
    failed: row?.failed ?? 0,
    oldestSeconds: row?.oldest ?? 0,
  };
}
