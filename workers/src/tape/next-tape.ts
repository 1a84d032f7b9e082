import { nextTapeInProgress } from '@tapeline/db/operations/tapes/tapes.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { turnSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkerContext } from '../context.ts';
import { TAPE_WORKER } from './tape-record.ts';

type Signals = Pick<WorkerContext, 'store' | 'temporal' | 'instance' | 'log'>;

/** Tells the company's next tape in progress that this one has ended. It may be its turn to be finalized. */
export async function signalNextTape(context: Signals, tapeId: string): Promise<void> {
  const next = await context.store.read(TAPE_WORKER, (session) => nextTapeInProgress(session, tapeId));
  if (next !== null) await signalTurn(context, next);
}

/**
 * Tells a tape that it may be its turn. One that does not wait takes no notice. Never rejects because Temporal does: the
 * tape that ended must not fail, and the sweep tells the next one again.
 */
export async function signalTurn({ temporal, instance, log }: Signals, tapeId: string): Promise<void> {
  try {
    await temporal.workflow.getHandle(workflowIdOf(instance, WORKFLOW_IDS.tape(tapeId))).signal(turnSignal);
  } catch (error) {
    // Its workflow is about to start, and will ask for itself; or it is gone, and the sweep ends the tape.
    if (error instanceof WorkflowNotFoundError) return;
    log.warn({ err: error, tapeId }, 'a tape could not be told that it may be its turn');
  }
}
