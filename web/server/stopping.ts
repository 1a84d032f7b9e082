import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StopSettings {
  /** How long calls are still accepted after `/readyz` has turned 503, so that a load balancer can redirect traffic. */
  readonly drainMs: number;
  /** How long calls in progress, including exports, can take to finish. */
  readonly finishMs: number;
}

/** Production waits for load balancers and long downloads. For Ctrl-C in development, stop quickly. */
export const stopSettings = (isProduction: boolean): StopSettings =>
  isProduction ? { drainMs: 5_000, finishMs: 25_000 } : { drainMs: 0, finishMs: 3_000 };

/** How long closing the process's resources can take. */
const CLOSE_WITHIN_MS = 5_000;

/**
 * Ends a web process: stops accepting connections, lets calls in progress finish, ends those that do not, then closes
 * the resources they used. Exiting while a thread still runs a query would abort the process, so what does not end in
 * time is killed.
 * @param ends `streams` ends answers that would never finish by themselves; `close` ends exports, queries and
 *   connections
 */
export async function stopServing(
  servers: readonly Server[],
  { drainMs, finishMs }: StopSettings,
  { streams, close }: { streams?: () => Promise<void>; close: () => Promise<void> },
): Promise<never> {
  await sleep(drainMs);
  const finished = Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
        }),
    ),
  );
  await streams?.();
  await Promise.race([finished, sleep(finishMs)]);
  const killing = setTimeout(() => process.kill(process.pid, 'SIGKILL'), CLOSE_WITHIN_MS);
  await close();
  for (const server of servers) server.closeAllConnections();
  clearTimeout(killing);
  process.exit(0);
}
