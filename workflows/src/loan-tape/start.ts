import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { arrivingFor } from '../priorities.ts';
import { taskQueuesOf, workflowIdOf } from '../queues.ts';
import type { LoanTapeInput } from './workflow.ts';

interface StartedTape {
  readonly id: string;
  readonly managerId: string;
  readonly attachment: { readonly size: number };
}

/** How the workflow of a tape is started. */
export const tapeStartOf = (instance: string, { id, managerId, attachment }: StartedTape) => ({
  taskQueue: taskQueuesOf(instance).workflows,
  workflowId: workflowIdOf(instance, WORKFLOW_IDS.tape(id)),
  priority: arrivingFor(managerId),
  args: [{ tapeId: id, bytes: attachment.size }] as [LoanTapeInput],
});
