import { DISK_FULL, isOwnDiskFull } from '@tapeline/lake/storage/disk-space.ts';
import { heldUpSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from './context.ts';
import type { ReportDiskFull } from './failures.ts';

/**
 * Reports in the log and in the tape's progress that an activity met a full disk.
 * @param diskWasFull called if it is the disk of this machine
 */
export function createDiskFullReport(
  { log, temporal }: Pick<WorkerContext, 'log' | 'temporal'>,
  diskWasFull: () => void,
): ReportDiskFull {
  return async (activity, err) => {
    log.error({ err, activity }, 'a disk or the object storage is full');
    if (isOwnDiskFull(err)) diskWasFull();
    const { workflowExecution, workflowType } = Context.current().info;
    if (workflowType !== 'loanTape' || !workflowExecution) return;
    const { workflowId, runId } = workflowExecution;
    // The activity fails with its own error, whether or not the progress could be updated.
    await temporal.workflow
      .getHandle(workflowId, runId)
      .signal(heldUpSignal, DISK_FULL)
      .catch(() => {});
  };
}
