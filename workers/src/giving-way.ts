import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** How long a job gives way at most, so that people who correct without a pause never hold up the tapes for ever. */
const MAX_MS = 1_000;

/**
 * Lets jobs that people wait for have a process for themselves: its computing jobs begin once they are done, or after a
 * second.
 */
export function createGivingWay(maxMs = MAX_MS): {
  /** For the activities that people wait for. */
  readonly awaited: ActivityInterceptorsFactory;
  /** For the activities that give way to them. */
  readonly givesWay: ActivityInterceptorsFactory;
} {
  let running = 0;
  let done = Promise.withResolvers<void>();
  return {
    awaited: () => ({
      inbound: {
        async execute(input, next) {
          running += 1;
          try {
            return await next(input);
          } finally {
            running -= 1;
            if (running === 0) {
              done.resolve();
              done = Promise.withResolvers();
            }
          }
        },
      },
    }),
    givesWay: ({ cancellationSignal }) => ({
      inbound: {
        async execute(input, next) {
          if (running > 0) {
            const late = new AbortController();
            const signal = AbortSignal.any([late.signal, cancellationSignal]);
            // A cancelled job begins, and ends itself.
            await Promise.race([done.promise, sleep(maxMs, undefined, { signal }).catch(() => undefined)]);
            late.abort();
          }
          return next(input);
        },
      },
    }),
  };
}
