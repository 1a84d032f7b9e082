import type { WorkflowClientInterceptor } from '@temporalio/client';
import { withTraceparent } from './headers.ts';

/** Passes the trace of what runs now on to the workflows that it starts and signals. */
export function traceOfCaller(current: () => string | undefined): WorkflowClientInterceptor {
  const traced = <Input extends { headers: Parameters<typeof withTraceparent>[0] }>(input: Input): Input => ({
    ...input,
    headers: withTraceparent(input.headers, current()),
  });
  return {
    startWithDetails: (input, next) => next(traced(input)),
    signalWithStart: (input, next) => next(traced(input)),
    signal: (input, next) => next(traced(input)),
  };
}
