import { Context } from '@temporalio/activity';

const INTERVAL_MS = 2000;

/**
 * Tells Temporal that the activity lives while `work` runs, so that a killed worker is noticed within seconds and a
 * cancel arrives: `signal` aborts on it.
 */
export async function withHeartbeat<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), INTERVAL_MS);
  context.heartbeat();
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
