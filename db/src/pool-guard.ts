import type { Pool, PoolClient } from 'pg';
import { CannotStart } from './start-up.ts';

/** Longest time that one transaction may hold a connection. The longest one of ours stores the assets of a large tape. */
export const LONGEST_TRANSACTION_MS = 30 * 60_000;
/** How long a caller waits for a connection before it fails with a fault of the service. */
export const ACQUIRE_TIMEOUT_MS = 30_000;
/** After this time without a connection, a process asks whether the fault is its own. */
const STUCK_AFTER_MS = 60_000;
const CHECK_EVERY_MS = 15_000;

export interface GuardTimes {
  readonly longestTransactionMs?: number;
  readonly stuckAfterMs?: number;
  readonly checkEveryMs?: number;
}

export interface PoolGuard {
  /**
   * Whether the pool has given nobody a connection for a minute although PostgreSQL accepts a new connection. Only a
   * restart of the process helps then. False while PostgreSQL itself is down: restarting would not help.
   */
  isStuck(): boolean;
  /** Whether it is stuck and none of its connections works: those that it holds are lost, and nothing is interrupted. */
  isLost(): boolean;
  close(): void;
}

/**
 * Makes sure that a connection that is lost or held too long gives its slot back. A query builder gives a connection
 * back after ROLLBACK succeeded, which it never does on a connection that is lost.
 * @param pool of which the guard follows every connection
 * @param working how many of these backends work, asked on a connection outside the pool; throws if PostgreSQL does not
 *   accept it
 */
export function guardPool(
  pool: Pool,
  working: (backends: readonly number[]) => Promise<number>,
  {
    longestTransactionMs = LONGEST_TRANSACTION_MS,
    stuckAfterMs = STUCK_AFTER_MS,
    checkEveryMs = CHECK_EVERY_MS,
  }: GuardTimes = {},
): PoolGuard {
  const held = new Map<PoolClient, () => void>();
  let hadOneAt = performance.now();
  let stuck = false;
  let lost = false;

  const takeBack = (client: PoolClient, reason: Error): void => {
    if (!held.has(client)) return;
    client.release(reason);
    // Who held it does not know that it is lost, and will give it back as well.
    client.release = () => undefined;
  };

  pool.on('acquire', (client) => {
    hadOneAt = performance.now();
    stuck = false;
    lost = false;
    const ended = () => takeBack(client, new Error('The connection ended'));
    const timer = setTimeout(
      () => takeBack(client, new Error('A transaction held its connection too long')),
      longestTransactionMs,
    );
    timer.unref();
    client.once('end', ended);
    held.set(client, () => {
      clearTimeout(timer);
      client.off('end', ended);
      held.delete(client);
    });
  });
  pool.on('release', (_error, client) => held.get(client)?.());

  let isChecking = false;
  async function check(): Promise<void> {
    if (isChecking || performance.now() - hadOneAt < checkEveryMs) return;
    isChecking = true;
    try {
      (await pool.connect()).release();
    } catch {
      if (performance.now() - hadOneAt < stuckAfterMs) return;
      const backends = [...held.keys()].flatMap((client) => ('processID' in client ? [Number(client.processID)] : []));
      const atWork = await working(backends).catch(() => null);
      stuck = atWork !== null && performance.now() - hadOneAt >= stuckAfterMs;
      lost = stuck && atWork === 0;
    } finally {
      isChecking = false;
    }
  }
  const checking = setInterval(() => void check(), checkEveryMs);
  checking.unref();

  return { isStuck: () => stuck, isLost: () => lost, close: () => clearInterval(checking) };
}

/**
 * Ends the process when all its connections have been lost for a while, for whatever supervises it to start another.
 * Probes of `/healthz` see it first. A process whose connections only work for long is not interrupted.
 */
export function endWhenLost(
  { isLost }: Pick<PoolGuard, 'isLost'>,
  { afterMs = STUCK_AFTER_MS, checkEveryMs = CHECK_EVERY_MS }: { afterMs?: number; checkEveryMs?: number } = {},
): void {
  let since: number | null = null;
  setInterval(() => {
    since = isLost() ? (since ?? performance.now()) : null;
    if (since !== null && performance.now() - since >= afterMs) {
      throw new CannotStart('This process gets no connection of its pool, although PostgreSQL accepts new ones.');
    }
  }, checkEveryMs).unref();
}
