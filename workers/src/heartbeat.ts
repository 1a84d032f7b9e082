import type { ActivityInterceptorsFactory } from '@temporalio/worker';

const INTERVAL_MS = 2000;

/**
 * Tells Temporal that an activity lives while it runs, whatever it does, so that a killed worker is noticed within seconds
 * and a cancel arrives: the activity's `cancellationSignal` aborts on it.
 */
export const heartbeats: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    async execute(input, next) {
      const timer = setInterval(() => context.heartbeat(), INTERVAL_MS);
      context.heartbeat();
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  },
});
