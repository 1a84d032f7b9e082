import type { RetentionLimits } from '@tapeline/db/environment.ts';
import { isRetentionKind, RETENTION_KINDS, removeExpired } from '@tapeline/db/operations/retention/retention.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { retentionFailures, retentionRemoved } from '@tapeline/telemetry/metrics.ts';
import type { RetentionActivities } from '@tapeline/workflows/retention/activities.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';

const RETENTION = systemActor('Retention');
/** Rows of one transaction: few enough that nobody waits for its locks. */
const AT_ONCE = 1000;
/** A kind ends before its activity would time out. The next run continues. */
const LONGEST_RUN_MS = 5 * 60_000;

interface RetentionContext extends Pick<WorkerContext, 'store' | 'log'> {
  readonly limits: RetentionLimits;
}

export const createRetentionActivities = (context: RetentionContext): RetentionActivities => ({
  listRetention: async () => ({ kinds: [...RETENTION_KINDS] }),
  removeExpired: ({ kind }) => removeInBatches(context, kind, Context.current().cancellationSignal),
});

async function removeInBatches(
  { store, log, limits }: RetentionContext,
  kind: string,
  signal: AbortSignal,
): Promise<{ removed: number }> {
  // It was listed by a worker of another version.
  if (!isRetentionKind(kind)) return { removed: 0 };
  const until = Date.now() + LONGEST_RUN_MS;
  let removed = 0;
  try {
    for (let batch = AT_ONCE; batch === AT_ONCE && Date.now() < until && !signal.aborted; removed += batch) {
      batch = await store.as(RETENTION, (session) => removeExpired(session, { kind, limits, most: AT_ONCE }));
      retentionRemoved.add(batch, { kind });
    }
  } catch (err) {
    retentionFailures.add(1, { kind });
    log.error({ err, kind, removed }, 'data beyond its limit could not be removed');
    throw err;
  }
  if (removed > 0) log.info({ kind, removed }, 'data beyond its limit was removed');
  return { removed };
}
