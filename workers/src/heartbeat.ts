import { Context } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

const INTERVAL_MS = 2000;

const reported = new WeakMap<Context, number>();

/**
 * Reports how far the running activity is with this heartbeat and the next ones.
 * @throws CancelledFailure if the activity is to end
 */
export function reportProgress(done: number): void {
  const context = Context.current();
  context.cancellationSignal.throwIfAborted();
  reported.set(context, done);
  context.heartbeat(done);
}

/** A step is reported after at least this share. */
const MIN_STEP = 0.02;

/** Reports how much of a whole is done, 0 to 1, not more often than each `MIN_STEP`. */
export function progressInSteps(): (share: number) => void {
  let last = 0;
  return (share) => {
    if (share - last < MIN_STEP) return;
    last = share;
    reportProgress(share);
  };
}

/**
 * Sends heartbeats to Temporal while an activity runs, so that a killed worker is noticed within seconds and a
 * cancellation arrives: the activity's `cancellationSignal` then aborts. Most activities are over before the first one,
 * which the server would have to store.
 */
export const heartbeats: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    async execute(input, next) {
      const timer = setInterval(() => context.heartbeat(reported.get(context)), INTERVAL_MS);
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  },
});
