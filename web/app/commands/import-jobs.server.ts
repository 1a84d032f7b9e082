import { undoImport } from '@tapeline/db/operations/importer/imports.ts';
import type { AcceptedCheck } from '@tapeline/db/operations/importer/run-check.ts';
import type { Session } from '@tapeline/db/store.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { importCheck, importRows } from '@tapeline/workflows/all-workflows.ts';
import { importCheckStartOf, importStartOf } from '@tapeline/workflows/imports/start.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { defaultPayloadConverter } from '@temporalio/client';
import type { RequestContext } from '../http/context.ts';

/** How long a page waits for the progress. */
const ANSWER_WITHIN_MS = 1500;

const handleOf = ({ temporal, environment }: RequestContext, id: string) =>
  temporal.workflow.getHandle(workflowIdOf(environment.instanceName, id));

/** Nobody waits until Temporal has accepted a workflow: the schedule of imports starts those that it has not. */
const startSoon = ({ log }: RequestContext, started: Promise<unknown>): void =>
  void started.catch((err: unknown) => log.warn({ err }, 'an import or a check waits for the schedule'));

/** Nobody waits for the end of work that is not kept. */
const cancel = (context: RequestContext, id: string): void =>
  void handleOf(context, id)
    .cancel()
    .catch((err: unknown) => context.log.info({ err, id }, 'an import or a check was not cancelled: it may be over'));

/** Starts the workflow of an import that was accepted and committed. */
export function startImport(context: RequestContext, accepted: { id: string; managerId: string }): void {
  const start = importStartOf(context.environment.instanceName, accepted);
  startSoon(context, context.temporal.workflow.start<typeof importRows>('importRows', start));
}

/** Starts the workflow of a check that was accepted and committed, and ends the one that it replaces. */
export function startCheck(context: RequestContext, accepted: AcceptedCheck): void {
  const { id, replaced } = accepted;
  const start = importCheckStartOf(context.environment.instanceName, accepted);
  startSoon(context, context.temporal.workflow.start<typeof importCheck>('importCheck', start));
  if (replaced !== null) cancel(context, WORKFLOW_IDS.importCheck(id, replaced));
}

interface Caller {
  readonly context: RequestContext;
  db<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
}

/** Undoes an import, or cancels one that waits or is written. @throws Refusal as `undoImport` */
export async function endImport({ context, db }: Caller, id: string): Promise<void> {
  const { finishedAt } = await db((session) => undoImport(session, id));
  if (!finishedAt) cancel(context, WORKFLOW_IDS.import(id));
}

/**
 * How many rows the worker of an import or a check has written, as it last reported; 0 if Temporal does not answer in time.
 * @param id of the workflow
 */
export async function rowsDone(context: RequestContext, id: string): Promise<number> {
  const { temporal, log } = context;
  try {
    const { raw } = await temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () => handleOf(context, id).describe());
    const [done] = raw.pendingActivities?.flatMap(({ heartbeatDetails }) => heartbeatDetails?.payloads ?? []) ?? [];
    return done ? (defaultPayloadConverter.fromPayload<number | null>(done) ?? 0) : 0;
  } catch (err) {
    log.info({ err, id }, 'the progress of an import is not known');
    return 0;
  }
}
