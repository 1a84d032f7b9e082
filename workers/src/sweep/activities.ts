import { dirname } from 'node:path';
import { listUnwatchedDraws } from '@tapeline/db/operations/draws/watched-draws.ts';
import { forgetJobFailures } from '@tapeline/db/operations/jobs/job-failures.ts';
import { endStrandedTape, listWorkedTapes, type WorkedTape } from '@tapeline/db/operations/tapes/stranded.ts';
import { tapesInTurn } from '@tapeline/db/operations/tapes/tapes.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { compareObjects, describeFindings, type Share } from '@tapeline/lake/storage/compare-objects.ts';
import { removeStaleFolders } from '@tapeline/lake/storage/process-folder.ts';
import { sweepObjects } from '@tapeline/lake/storage/sweep.ts';
import { retentionRemoved } from '@tapeline/telemetry/metrics.ts';
import type { drawRequest } from '@tapeline/workflows/all-workflows.ts';
import type { DrawCheckCommand } from '@tapeline/workflows/draw/activities.ts';
import { drawSignalOf } from '@tapeline/workflows/draw/signal.ts';
import { failureIs } from '@tapeline/workflows/failure-message.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import type { SweepActivities, SweptStorage } from '@tapeline/workflows/sweep/activities.ts';
import { Context } from '@temporalio/activity';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ActivityFailure } from '@temporalio/common';
import type { WorkerContext } from '../context.ts';
import { eachApart } from '../failures.ts';
import { removeStoredPreviews } from '../preview/by-reference.ts';
import { signalTurn } from '../tape/next-tape.ts';

const SWEEPER = systemActor('Sweeper');
/** What is compared in one night. A larger installation needs several nights. */
const NIGHTLY_SHARE: Share = { objects: 50_000, bytes: 5 * 2 ** 30 };
/** Tapes or draw requests that are read at a time. */
const AT_ONCE = 200;
const STRANDED = 'Processing ended before it was complete';
const STRANDED_CALCULATION = 'The calculation ended before it was complete';

/** Removes what killed and superseded work left behind. Each activity may run at any time, alongside any other work. */
export function createSweepActivities(context: WorkerContext): SweepActivities {
  return {
    sweepStorage: () => sweepStorage(context),
    compareStorage: () => compareStorage(context),
    endStrandedTapes: ({ graceMs }) => endStrandedTapes(context, graceMs),
    restartUnwatchedDraws: ({ graceMs }) => restartUnwatchedDraws(context, graceMs),
  };
}

async function sweepStorage(context: WorkerContext): Promise<SweptStorage> {
  const objects = await sweepObjects(context);
  const previews = await removeStoredPreviews(context, Date.now());
  const scratch = await removeStaleFolders(dirname(context.scratchFolder), context.scratchFolder);
  const swept = {
    recorded: objects.recorded.length,
    trashed: objects.trashed.length,
    deleted: objects.deleted.length,
    putBack: objects.putBack.length,
    unknown: objects.unknown.objects,
    generations: objects.generations,
    uploads: objects.uploads,
    previews,
    scratchFolders: scratch.length,
  };
  for (const [kind, count] of [
    ['objects', swept.deleted],
    ['abandonedUploads', swept.uploads],
    ['unusedImages', objects.images],
    ['attempts', swept.generations],
    ['previews', swept.previews],
  ] as const) {
    retentionRemoved.add(count, { kind });
  }
  context.log.info(swept, 'swept');
  return swept;
}

async function compareStorage(context: WorkerContext): Promise<void> {
  const { store, objects, log } = context;
  const signal = Context.current().cancellationSignal;
  const { compared, findings } = await compareObjects({ store, objects, signal }, { share: NIGHTLY_SHARE });
  log.info({ compared, findings }, 'database and object storage compared');
  const { problems, notes } = describeFindings(findings);
  for (const note of notes) log.warn(note);
  // A refusal appears among the failed jobs; the reason of an earlier night is obsolete.
  await store.as(SWEEPER, (session) => forgetJobFailures(session, WORKFLOW_IDS.compareStorage(), ['compareStorage']));
  if (problems.length > 0) throw new Refusal('serverError', problems.join(' '));
}

interface Work {
  readonly isRunning: boolean;
  /** Why it failed; null if it did not, or is gone. */
  readonly failure: Error | null;
}

/** The last run of a workflow. */
async function workOf({ temporal, instance }: WorkerContext, id: string): Promise<Work> {
  const workflowId = workflowIdOf(instance, id);
  try {
    const { status, runId } = await temporal.workflow.getHandle(workflowId).describe();
    if (status.name !== 'FAILED') return { isRunning: status.name === 'RUNNING', failure: null };
    // A run that started since is not waited for.
    const failed = temporal.workflow.getHandle(workflowId, runId, { followRuns: false });
    return { isRunning: false, failure: await failed.result().then(() => null, causeOf) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { isRunning: false, failure: null };
    throw error;
  }
}

const causeOf = (error: unknown): Error | null => (error instanceof WorkflowFailedError ? (error.cause ?? null) : null);

/** What users read about work that ended without a result. @param next what to do about it */
function strandedMessage(failure: Error | null, what: string, next: string): string {
  const cause = failure instanceof ActivityFailure ? failure.cause : failure;
  return failureIs(cause, 'Refusal', 'DataFault') ? `${what}. ${cause.message}` : `${what}. ${next}`;
}

async function endStrandedTapes(context: WorkerContext, graceMs: number): Promise<{ tapeIds: string[] }> {
  const before = new Date(Date.now() - graceMs);
  const tapeIds: string[] = [];
  let page: WorkedTape[] = [];
  do {
    const after = page.at(-1)?.id ?? null;
    page = await context.store.as(SWEEPER, (session) => listWorkedTapes(session, { before, after, limit: AT_ONCE }));
    const jobOf = ({ id }: WorkedTape) => WORKFLOW_IDS.tape(id);
    await eachApart(context, 'endStrandedTapes', page, jobOf, async (listed) => {
      const processing = listed.isProcessing
        ? await workOf(context, listed.workflowId ?? WORKFLOW_IDS.tape(listed.id))
        : null;
      if (processing?.isRunning) return;
      const calculation = await workOf(context, WORKFLOW_IDS.borrowingBases(listed.id));
      if (calculation.isRunning) return;
      const isEnded = await context.store.as(SWEEPER, (session) =>
        endStrandedTape(session, {
          listed,
          failure: strandedMessage(processing?.failure ?? null, STRANDED, 'Partial results were removed. Try again.'),
          calculationFailure: strandedMessage(
            calculation.failure,
            STRANDED_CALCULATION,
            'Calculate the borrowing base again.',
          ),
        }),
      );
      if (!isEnded) return;
      context.log.warn({ tapeId: listed.id }, 'a tape without a running workflow was ended');
      tapeIds.push(listed.id);
    });
  } while (page.length === AT_ONCE);
  // Signals are sent by whoever ends an earlier tape. This is for one whose end nobody could tell of.
  for (const id of await context.store.read(SWEEPER, tapesInTurn)) await signalTurn(context, id);
  return { tapeIds };
}

async function restartUnwatchedDraws(context: WorkerContext, graceMs: number): Promise<{ drawIds: string[] }> {
  const before = new Date(Date.now() - graceMs);
  const drawIds: string[] = [];
  let page: Awaited<ReturnType<typeof listUnwatchedDraws>> = [];
  do {
    const after = page.at(-1)?.id ?? null;
    page = await context.store.as(SWEEPER, (session) => listUnwatchedDraws(session, { before, after, limit: AT_ONCE }));
    const jobOf = ({ id }: { id: string }) => WORKFLOW_IDS.draw(id);
    await eachApart(context, 'restartUnwatchedDraws', page, jobOf, async ({ id: drawId, version }) => {
      await context.temporal.workflow.signalWithStart<typeof drawRequest, [DrawCheckCommand]>(
        'drawRequest',
        drawSignalOf(context.instance, { drawId, version, stage: 'change' }),
      );
      drawIds.push(drawId);
    });
  } while (page.length === AT_ONCE);
  if (drawIds.length > 0) context.log.warn({ drawIds }, 'the checks of draw requests were restarted');
  return { drawIds };
}
