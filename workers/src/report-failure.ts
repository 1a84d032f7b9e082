import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { isOwnDiskFull } from '@tapeline/lake/storage/disk-space.ts';
import { heldUpSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from './context.ts';
import { type ReportFailure, recordFailure } from './failures.ts';

/** Jobs that somebody waits for, or whose document shows the reason: their refusals are no news to an operator. */
const SHOWN =
  /^(loanTape|borrowingBases|rerunErrored|remapTape|remapReview|importRows|importCheck|.*Preview|contractTrial|basesExplained|printedDocument|correctionsOfFile|proposalReview)$/;

/** The business id of a job: Temporal adds the instance before it, and the time of a scheduled run behind it. */
export const jobOf = (instance: string, workflowId: string): string =>
  workflowId
    .slice(workflowId.startsWith(`${instance}/`) ? instance.length + 1 : 0)
    .replace(/-\d{4}-\d{2}-\d{2}T[\d:]+Z$/, '');

/**
 * Reports that an activity failed. A full disk shows in the log and in the tape's progress, and what is not tried again in
 * the list of failed jobs.
 * @param diskWasFull called if it is the disk of this machine
 */
export function createFailureReport(
  context: Pick<WorkerContext, 'log' | 'temporal' | 'store' | 'instance'>,
  diskWasFull: () => void,
): ReportFailure {
  const { log, temporal, instance } = context;
  return async ({ activity, type, error, message }) => {
    const { workflowExecution, workflowType = '' } = Context.current().info;
    const { workflowId = activity, runId } = workflowExecution ?? {};
    if (type === 'DataFault' || (isRefusal(error) && !SHOWN.test(workflowType))) {
      return recordFailure(context, { activity, error, message, job: jobOf(instance, workflowId) });
    }
    if (type !== 'DiskFull') return;
    log.error({ err: error, activity }, 'a disk or the object storage is full');
    if (isOwnDiskFull(error)) diskWasFull();
    if (workflowType !== 'loanTape') return;
    // The activity fails with its own error, whether or not the progress could be updated.
    await temporal.workflow
      .getHandle(workflowId, runId)
      .signal(heldUpSignal, message)
      .catch(() => {});
  };
}
