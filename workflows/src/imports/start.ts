import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { WorkflowIdConflictPolicy } from '@temporalio/common';
import { arrivingFor } from '../priorities.ts';
import { taskQueuesOf, workflowIdOf } from '../queues.ts';
import type { ImportCheckInput, ImportInput } from './activities.ts';

const startOf = (instance: string, id: string, managerId: string) => ({
  taskQueue: taskQueuesOf(instance).workflows,
  workflowId: workflowIdOf(instance, id),
  priority: arrivingFor(managerId),
  // Whoever accepted it and the schedule may both start it.
  workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
});

/** How the workflow of an import is started. */
export const importStartOf = (instance: string, { id, managerId }: { id: string; managerId: string }) => ({
  ...startOf(instance, WORKFLOW_IDS.import(id), managerId),
  args: [{ importId: id }] as [ImportInput],
});

/** How the workflow of the check of a draft is started. */
export const importCheckStartOf = (
  instance: string,
  { id, version, managerId }: { id: string; version: number; managerId: string },
) => ({
  ...startOf(instance, WORKFLOW_IDS.importCheck(id, version), managerId),
  args: [{ draftId: id, version }] as [ImportCheckInput],
});
