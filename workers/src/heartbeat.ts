import type { ActivityInterceptorsFactory } from '@temporalio/worker';

const INTERVAL_MS = 2000;

/**
 * Sends heartbeats to Temporal while an activity runs, so that a killed worker is noticed within seconds and a
 * cancellation arrives: the activity's `cancellationSignal` then aborts.
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
