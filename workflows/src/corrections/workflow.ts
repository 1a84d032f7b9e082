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
  RerunCommand,
  RerunResult,
} from './activities.ts';
import type { PreviewedRerun, ReviewedProposal } from './preview.ts';

const { rerunRows } = proxyActivities<CorrectionComputeActivities>({
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
export async function rerunErrored(command: RerunCommand): Promise<RerunEnd> {
  const { attempt } = command;
  const work = new CancellationScope();
  setHandler(cancelTapeSignal, () => work.cancel());
  try {
    const result = await work.run(() => rerunRows(command));
    await CancellationScope.nonCancellable(() => followPublishing(command));
    await CancellationScope.nonCancellable(() => endRerun({ attempt, failure: null }));
    return { result, failure: null };
  } catch (error) {
    return CancellationScope.nonCancellable(async () => {
      const cancelled = work.consideredCancelled || isCancellation(error);
      const failure = cancelled ? null : messageOf(error, 'The corrected rows could not be run again');
      // A worker that was presumed dead may have published after all. In that case, report no failure.
      const { published } = await endRerun({ attempt, failure });
      return { result: null, failure: published ? null : failure };
    });
  }
}

/** The next generation is already published. Failures here are reported in the notes' entries, and undo nothing. */
async function followPublishing({ attempt: { tapeId }, corrections }: RerunCommand): Promise<void> {
  try {
    const { calculateBB } = await rerunFollowUp({ tapeId, isProposal: 'proposalId' in corrections });
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
