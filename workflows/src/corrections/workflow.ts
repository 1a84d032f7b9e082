import { CancellationScope, isCancellation, log, proxyActivities, setHandler } from '@temporalio/workflow';
import { borrowingBases } from '../borrowing-base/workflow.ts';
import { cancelTapeSignal } from '../loan-tape/messages.ts';
import { TASK_QUEUES } from '../queues.ts';
import { messageOf } from '../refusal-message.ts';
import { TRIED_ON, UNTIL_DONE, WATCHED, WHILE_SOMEONE_WAITS } from '../retries.ts';
import type {
  CorrectionComputeActivities,
  CorrectionIoActivities,
  PreviewRerunInput,
  RerunCommand,
  RerunResult,
} from './activities.ts';
import type { PreviewedRerun } from './preview.ts';

const { rerunRows } = proxyActivities<CorrectionComputeActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.compute,
  startToCloseTimeout: '30 minutes',
  retry: TRIED_ON,
});
const { rerunFollowUp } = proxyActivities<CorrectionIoActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '1 minute',
  retry: TRIED_ON,
});
const { endRerun } = proxyActivities<CorrectionIoActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: UNTIL_DONE,
});
const { previewRerun } = proxyActivities<CorrectionIoActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '50s',
  scheduleToCloseTimeout: '60s',
  retry: WHILE_SOMEONE_WAITS,
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
