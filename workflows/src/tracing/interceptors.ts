import {
  ContinueAsNew,
  isCancellation,
  proxySinks,
  type WorkflowInterceptorsFactory,
  workflowInfo,
} from '@temporalio/workflow';
import { traceparentOf, withTraceparent } from './headers.ts';
import type { RunOutcome, TracingSinks } from './sinks.ts';

const { tracing } = proxySinks<TracingSinks>();

/**
 * Passes the trace of whoever started a workflow, or signalled it last, on to its activities, child workflows and next
 * run. Headers are no part of a workflow's history that a replay compares.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let traceparent: string | undefined;
  const traced = <Input extends { headers: Parameters<typeof withTraceparent>[0] }>(input: Input): Input => ({
    ...input,
    headers: withTraceparent(input.headers, traceparent),
  });
  return {
    inbound: [
      {
        async execute(input, next) {
          traceparent = traceparentOf(input.headers);
          const startedAt = workflowInfo().runStartTime.getTime();
          let outcome: RunOutcome = 'completed';
          try {
            return await next(input);
          } catch (error) {
            outcome = error instanceof ContinueAsNew ? 'continued' : isCancellation(error) ? 'cancelled' : 'failed';
            throw error;
          } finally {
            tracing.ended({ outcome, startedAt, endedAt: Date.now(), ...(traceparent ? { traceparent } : {}) });
          }
        },
        handleSignal(input, next) {
          traceparent = traceparentOf(input.headers) ?? traceparent;
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(traced(input)),
        startChildWorkflowExecution: (input, next) => next(traced(input)),
        signalWorkflow: (input, next) => next(traced(input)),
        continueAsNew: (input, next) => next(traced(input)),
      },
    ],
  };
};
