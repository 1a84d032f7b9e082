import type { ActivityInterceptorsFactory } from '@temporalio/worker';

const INTERVAL_MS = 2000;

/**
 * Sends heartbeats to Temporal while an activity runs, so that a killed worker is noticed within seconds and a
 * cancellation arrives: the activity's `cancellationSignal` then aborts. Most activities are over before the first one,
 * which the server would have to store.
 */
export const heartbeats: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    async execute(input, next) {
      const timer = setInterval(() => context.heartbeat(), INTERVAL_MS);
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  },
});
