import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { WorkflowIdReusePolicy } from '@temporalio/common';
import { taskQueuesOf, workflowIdOf } from '../queues.ts';
import type { DrawCheckCommand } from './activities.ts';
import type { DrawRequestInput } from './state.ts';

export const DRAW_CHANGED = 'drawChanged';

/** A request that arrives after the time of its reminder is reminded of this much later. */
const URGENT_AFTER_MS = 4 * 3_600_000;

/** How a client tells the workflow of a request that it changed; the workflow is started if it is not running. */
export const drawSignalOf = (instance: string, change: DrawCheckCommand, urgentAfterMs = URGENT_AFTER_MS) => ({
  taskQueue: taskQueuesOf(instance).workflows,
  workflowId: workflowIdOf(instance, WORKFLOW_IDS.draw(change.drawId)),
  workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
  signal: DRAW_CHANGED,
  signalArgs: [change] as [DrawCheckCommand],
  args: [{ drawId: change.drawId, urgentAfterMs }] as [DrawRequestInput],
});
