import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { awaitedFor } from '../priorities.ts';
import { taskQueuesOf, workflowIdOf } from '../queues.ts';
import type { RerunAttempt } from './activities.ts';

/** How the workflow of a re-run is started. @param actor who waits for it */
export const rerunStartOf = <Command extends { attempt: RerunAttempt }>(
  instance: string,
  actor: { managerId: string | null; userId: string },
  command: Command,
) => ({
  taskQueue: taskQueuesOf(instance).awaited,
  workflowId: workflowIdOf(instance, WORKFLOW_IDS.rerun(command.attempt.tapeId, command.attempt.generationId)),
  priority: awaitedFor(actor),
  args: [command] as [Command],
});
