import type { RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import { CancellationScope, isCancellation, log, proxyActivities, setHandler } from '@temporalio/workflow';
import { borrowingBases } from '../borrowing-base/workflow.ts';
import { messageOf } from '../failure-message.ts';
import { cancelTapeSignal } from '../loan-tape/messages.ts';
import { OWN_QUEUES } from '../own-queues.ts';
import type { Answer, Question } from '../preview/references.ts';
import { BEGUN_FIRST } from '../priorities.ts';
import { RETRIED, UNTIL_DONE, WATCHED, WHILE_SOMEONE_WAITS } from '../retries.ts';
import type {
  CorrectionComputeActivities,
  CorrectionIoActivities,
  CorrectionPreviewActivities,
  PreviewRerunInput,
  RemapCommand,
  RemapInput,
  RemapReviewActivities,
  RerunAttempt,
  RerunCommand,
  RerunResult,
} from './activities.ts';
import type { PreviewedRerun, ReviewedProposal, ReviewedRemap } from './preview.ts';

const { rerunRows, remapRows } = proxyActivities<CorrectionComputeActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.corrections,
  startToCloseTimeout: '30 minutes',
  retry: RETRIED,
});
const { rerunFollowUp } = proxyActivities<CorrectionIoActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.corrections,
  startToCloseTimeout: '1 minute',
  retry: RETRIED,
  priority: BEGUN_FIRST,
});
const { endRerun } = proxyActivities<CorrectionIoActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.corrections,
  startToCloseTimeout: '10 minutes',
  retry: UNTIL_DONE,
  priority: BEGUN_FIRST,
});
const { previewRerun, readCorrections, reviewProposal } = proxyActivities<CorrectionPreviewActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.previews,
  startToCloseTimeout: '50s',
  scheduleToCloseTimeout: '60s',
  retry: WHILE_SOMEONE_WAITS,
});

const { reviewRemap } = proxyActivities<RemapReviewActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.checks,
  startToCloseTimeout: '115s',
  scheduleToCloseTimeout: '120s',
  retry: WHILE_SOMEONE_WAITS,
});

/** How a re-run ended. `result` is null if it was cancelled or failed, which is also recorded on the tape. */
export interface RerunEnd {
  result: RerunResult | null;
  failure: string | null;
}

/**
 * Processes corrected rows of a published tape again: maps, finalizes and publishes them as the tape's next generation,
 * then calculates its borrowing bases if the upload requested them. The signal `cancel` leaves the tape unchanged,
 * unless the generation is already published.
 */
export const rerunErrored = (command: RerunCommand): Promise<RerunEnd> =>
  rerun(command.attempt, () => rerunRows(command), {
    isReviewed: 'proposalId' in command.corrections,
    otherwise: 'The corrected rows could not be run again',
  });

/** The same with all rows of the stored file and another version of the mapping. */
export const remapTape = (command: RemapCommand): Promise<RerunEnd> =>
  rerun(command.attempt, () => remapRows(command), {
    isReviewed: true,
    otherwise: 'The tape could not be processed with the other mapping version',
  });

/** @param kind.otherwise the failure if the error says nothing about it */
async function rerun(
  attempt: RerunAttempt,
  publish: () => Promise<RerunResult>,
  { isReviewed, otherwise }: { isReviewed: boolean; otherwise: string },
): Promise<RerunEnd> {
  const work = new CancellationScope();
  setHandler(cancelTapeSignal, () => work.cancel());
  try {
    const result = await work.run(publish);
    await CancellationScope.nonCancellable(() => followPublishing({ tapeId: attempt.tapeId, isReviewed }));
    await CancellationScope.nonCancellable(() => endRerun({ attempt, failure: null }));
    return { result, failure: null };
  } catch (error) {
    return CancellationScope.nonCancellable(async () => {
      const cancelled = work.consideredCancelled || isCancellation(error);
      const failure = cancelled ? null : messageOf(error, otherwise);
      // A worker that was presumed dead may have published after all. In that case, report no failure.
      const { published } = await endRerun({ attempt, failure });
      return { result: null, failure: published ? null : failure };
    });
  }
}

/** The next generation is already published. Failures here are reported in the notes' entries, and undo nothing. */
async function followPublishing({ tapeId, isReviewed }: { tapeId: string; isReviewed: boolean }): Promise<void> {
  try {
    const { calculateBB } = await rerunFollowUp({ tapeId, isReviewed });
    if (calculateBB) await borrowingBases({ tapeId });
  } catch (error) {
    log.error('what follows a re-run failed', { error });
  }
}

export async function rerunPreview(input: Question<PreviewRerunInput>): Promise<Answer<PreviewedRerun>> {
  return previewRerun(input);
}

export async function correctionsOfFile(
  input: Question<{ tapeId: string; fileId: string }>,
): Promise<Answer<RowCorrection[]>> {
  return readCorrections(input);
}

export async function proposalReview(input: Question<{ proposalId: string }>): Promise<Answer<ReviewedProposal>> {
  return reviewProposal(input);
}

export async function remapReview(input: Question<RemapInput>): Promise<Answer<ReviewedRemap>> {
  return reviewRemap(input);
}
