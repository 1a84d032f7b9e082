import type { RetryPolicy } from '@temporalio/common';
import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import { borrowingBases } from '../borrowing-base/workflow.ts';
import { cancelTapeSignal } from '../loan-tape/messages.ts';
import { REFUSAL_FAILURE, TASK_QUEUES } from '../queues.ts';
import { messageOf } from '../refusal-message.ts';
import type {
  CorrectionComputeActivities,
  CorrectionIoActivities,
  PreviewRerunInput,
  RerunCommand,
  RerunResult,
} from './activities.ts';
import type { PreviewedRerun } from './preview.ts';

const retry: RetryPolicy = {
  initialInterval: '500ms',
  backoffCoefficient: 2,
  maximumInterval: '30s',
  maximumAttempts: 30,
  nonRetryableErrorTypes: [REFUSAL_FAILURE],
};
const { rerunRows } = proxyActivities<CorrectionComputeActivities>({
  taskQueue: TASK_QUEUES.compute,
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry,
});
const { rerunFollowUp } = proxyActivities<CorrectionIoActivities>({
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '1 minute',
  retry,
});
// A tape that nobody works at must not stand as in work: what ends a re-run is tried until it is done.
const { endRerun } = proxyActivities<CorrectionIoActivities>({
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '500ms', maximumInterval: '1 minute', nonRetryableErrorTypes: [REFUSAL_FAILURE] },
});
// A person waits: few tries, short ones, and a refusal is the answer.
const { previewRerun } = proxyActivities<CorrectionIoActivities>({
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '50s',
  scheduleToCloseTimeout: '60s',
  retry: { maximumAttempts: 3, initialInterval: '200ms', nonRetryableErrorTypes: [REFUSAL_FAILURE] },
});

/** How a re-run ended: what it came to, null where it was cancelled or failed, which the tape says. */
export interface RerunEnd {
  result: RerunResult | null;
  failure: string | null;
}

/**
 * Corrected rows of a published tape run again: mapped, settled and published as the tape's next generation; then its
 * borrowing bases where the upload asked for them. The signal `cancel` leaves the tape as it was, unless it is published.
 */
export async function rerunErrored(command: RerunCommand): Promise<RerunEnd> {
  const { attempt } = command;
  const work = new CancellationScope();
  setHandler(cancelTapeSignal, () => work.cancel());
  try {
    const result = await work.run(() => rerunRows(command));
    await CancellationScope.nonCancellable(() => followPublishing(attempt.tapeId));
    await CancellationScope.nonCancellable(() => endRerun({ attempt, failure: null }));
    return { result, failure: null };
  } catch (error) {
    return CancellationScope.nonCancellable(async () => {
      const cancelled = work.consideredCancelled || isCancellation(error);
      const failure = cancelled ? null : messageOf(error, 'The corrected rows could not be run again');
      // A worker that was thought dead may have published all the same: then that is what it came to.
      const { published } = await endRerun({ attempt, failure });
      return { result: null, failure: published ? null : failure };
    });
  }
}

/** The next generation is published by now: whatever fails here is told by the notes' own entries, and undoes nothing. */
async function followPublishing(tapeId: string): Promise<void> {
  try {
    const { calculateBB } = await rerunFollowUp({ tapeId });
    if (calculateBB) await borrowingBases({ tapeId });
  } catch (error) {
    log.error('what follows a re-run failed', { error });
  }
}

export async function rerunPreview(input: PreviewRerunInput): Promise<PreviewedRerun> {
  return previewRerun(input);
}
