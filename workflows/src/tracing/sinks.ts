import type { Sinks } from '@temporalio/workflow';

export type RunOutcome = 'completed' | 'failed' | 'cancelled' | 'continued';

export interface EndedRun {
  readonly outcome: RunOutcome;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly traceparent?: string;
}

/** What workflows report to the worker that runs them. Replays report nothing. */
export interface TracingSinks extends Sinks {
  tracing: { ended(run: EndedRun): void };
}
