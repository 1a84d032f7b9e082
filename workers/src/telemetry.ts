import type { Environment } from '@tapeline/db/environment.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { observeDisk } from '@tapeline/telemetry/disk.ts';
import { activities, workflowRuns, workPaused } from '@tapeline/telemetry/metrics.ts';
import { recordSpan, startSpan } from '@tapeline/telemetry/traces.ts';
import type { FailureType } from '@tapeline/workflows/failures.ts';
import { traceparentOf } from '@tapeline/workflows/tracing/headers.ts';
import type { TracingSinks } from '@tapeline/workflows/tracing/sinks.ts';
import { CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { Polling } from './polling.ts';

/** Measures each attempt of an activity, and runs it in the trace of the request that it follows from. */
export const measuredActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    async execute(input, next) {
      const { activityType: activity, attempt, taskQueue, workflowExecution } = info;
      const span = startSpan(`activity ${activity}`, {
        kind: 'consumer',
        parent: traceparentOf(input.headers) ?? null,
        attributes: {
          'tapeline.activity': activity,
          'tapeline.attempt': attempt,
          'tapeline.queue': taskQueue,
          ...(workflowExecution ? { 'tapeline.workflow.id': workflowExecution.workflowId } : {}),
        },
      });
      const startedAt = performance.now();
      let outcome = 'completed';
      try {
        return await span.run(() => next(input));
      } catch (error) {
        outcome = outcomeOf(error);
        throw error;
      } finally {
        activities.record((performance.now() - startedAt) / 1000, { activity, outcome });
        span.end({
          attributes: { 'tapeline.outcome': outcome },
          isFailed: !['completed', 'refused'].includes(outcome),
        });
      }
    },
  },
});

function outcomeOf(error: unknown): string {
  const { type, name } = error as { type?: string; name?: string };
  if (type === ('Refusal' satisfies FailureType) || isRefusal(error)) return 'refused';
  if (type === ('DiskFull' satisfies FailureType)) return 'disk full';
  return error instanceof CancelledFailure || name === 'AbortError' ? 'cancelled' : 'failed';
}

/** Measures the runs of workflows that end on this worker. */
export const workflowSinks: InjectedSinks<TracingSinks> = {
  tracing: {
    ended: {
      fn({ workflowType: workflow, workflowId }, { outcome, startedAt, endedAt, traceparent }) {
        workflowRuns.record((endedAt - startedAt) / 1000, { workflow, outcome });
        recordSpan(`workflow ${workflow}`, {
          parent: traceparent ?? null,
          startedAt,
          endedAt,
          isFailed: outcome === 'failed',
          attributes: {
            'tapeline.workflow': workflow,
            'tapeline.workflow.id': workflowId,
            'tapeline.outcome': outcome,
          },
        });
      },
      callDuringReplay: false,
    },
  },
};

/** Shows the state of this process in the metrics. */
export function observeWorker({ home }: Pick<Environment, 'home'>, polling: Pick<Polling, 'paused'>): void {
  workPaused.observe(() => [[polling.paused() === null ? 0 : 1, {}]]);
  observeDisk(home);
}
