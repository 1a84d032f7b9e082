import { canEnterRates } from '@tapeline/db/operations/currencies/enter-rates.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { refreshRates } from '@tapeline/workflows/all-workflows.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import type { RequestContext } from '../http/context.ts';

/** A usual refresh takes less. A longer one continues, and the page follows it. */
const WAIT_MS = 5000;

const idOf = ({ environment }: RequestContext): string =>
  workflowIdOf(environment.instanceName, `${WORKFLOW_IDS.refreshRates()}/now`);

/**
 * Refreshes the rates now, or joins the refresh that an administrator has started. Returns when it ends, or after some
 * seconds. How it ended is recorded.
 * @throws Refusal forbidden unless an administrator; badRequest without a service; serverError if it cannot be started
 */
export async function refreshRatesNow(context: RequestContext, actor: UserActor): Promise<void> {
  const { environment, temporal, log } = context;
  if (!canEnterRates(actor)) {
    throw new Refusal('forbidden', 'Only administrators of the platform can refresh currency rates');
  }
  if (!environment.ratesUrl) throw new Refusal('badRequest', 'No rates service is configured');
  let ended: Promise<unknown>;
  try {
    const handle = await temporal.workflow.start<typeof refreshRates>('refreshRates', {
      taskQueue: taskQueuesOf(environment.instanceName).workflows,
      workflowId: idOf(context),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      args: [],
    });
    ended = handle.result();
  } catch (error) {
    log.error({ err: error }, 'a refresh of currency rates could not be started');
    throw new Refusal('serverError', 'The refresh could not be started. Try again in a moment.', { cause: error });
  }
  const late = new Promise((resolve) => setTimeout(resolve, WAIT_MS).unref());
  await Promise.race([ended.catch(() => null), late]);
}

/** Whether a refresh that an administrator started is still running. */
export async function isRefreshing(context: RequestContext): Promise<boolean> {
  try {
    return (await context.temporal.workflow.getHandle(idOf(context)).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
