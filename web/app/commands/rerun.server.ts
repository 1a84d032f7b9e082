import { Readable } from 'node:stream';
import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import {
  beginRerun,
  endRerun,
  type FindErrored,
  type RerunAttempt,
  rerunRequestKey,
  rerunToCancel,
} from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { NamedCorrection, RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import type { ErroredRow } from '@tapeline/domain/tapes/tape.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { findErroredRows, readErroredRows } from '@tapeline/lake/errored-assets.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import type { rerunErrored } from '@tapeline/workflows/all-workflows.ts';
import type {
  PreviewRerunInput,
  RemapCommand,
  RerunCommand,
  StoredCorrections,
} from '@tapeline/workflows/corrections/activities.ts';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import { rerunStartOf } from '@tapeline/workflows/corrections/start.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { WorkflowIdReusePolicy, WorkflowNotFoundError } from '@temporalio/client';
import type { RequestContext } from '../http/context.ts';
import { type Asker, askWorkers } from './previews.server.ts';

/** A re-run of a few rows finishes quickly, so wait this long to return its result to the caller directly. */
const WAIT_MS = 4_000;

/** Corrections as a person gave them: rows with their corrected cells, or a corrected file that was uploaded. */
export type GivenCorrections = { rows: readonly RowCorrection[] } | { fileId: string };

export interface RerunStarted {
  loanTapeId: string;
  workflowId: string;
  /** Null while the re-run is in progress. */
  result: { rows: number; assets: number; errored: number } | null;
}

/**
 * Runs corrected rows of a published tape again. The published assets do not change. A row that is still wrong, or
 * collides with them, remains errored.
 * @param command.on the generation that the corrections were made on; null for the published one
 * @throws Refusal notFound; forbidden for a borrower; badRequest as `beginRerun`, and for headers that the tape does
 *   not have
 */
export async function startRerun(
  context: RequestContext,
  actor: UserActor,
  command: { tapeId: string; corrections: GivenCorrections; on: string | null },
  origin: CallOrigin = {},
): Promise<RerunStarted> {
  const { tapeId, corrections } = command;
  const rows = 'rows' in corrections ? corrections.rows : null;
  const by = `${actor.firstName} ${actor.lastName}`.trim() || null;
  const now = new Date();
  const attempt = await context.store.as(
    actor,
    (session) =>
      beginRerun(session, {
        tapeId,
        rows: rows?.map(({ row }) => row) ?? null,
        on: command.on,
        by,
        findErrored: findErroredIn(context),
      }),
    { ...origin, now },
  );
  return handOver(context, actor, 'rerunErrored', attempt, async () => ({
    corrections: await stored(context, attempt, corrections),
    by,
    at: now.toISOString(),
  }));
}

/** Finds errored rows in the parts of a generation. */
export const findErroredIn =
  (context: RequestContext): FindErrored =>
  async (parts, rows) =>
    findErroredRows(context.lake, await localPaths(context.objects, parts), rows);

/** The workflows of re-runs, and what each is given. */
interface RerunCommands {
  rerunErrored: RerunCommand;
  remapTape: RemapCommand;
}

/**
 * Hands a re-run that has begun to the workers. If that fails, the re-run ends and the tape is unchanged.
 * @throws Refusal serverError if the workers cannot be reached
 */
export async function handOver<Name extends keyof RerunCommands>(
  context: RequestContext,
  actor: UserActor,
  workflow: Name,
  attempt: RerunAttempt,
  command: () => Promise<Omit<RerunCommands[Name], 'attempt'>>,
): Promise<RerunStarted> {
  const { tapeId } = attempt;
  const workflowId = WORKFLOW_IDS.rerun(tapeId, attempt.generationId);
  try {
    await context.temporal.workflow.start(workflow, {
      ...rerunStartOf(context.environment.instanceName, actor, { attempt, ...(await command()) }),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    });
  } catch (error) {
    context.log.error({ err: error, tapeId }, 'a re-run could not be handed to Temporal');
    const failure = 'Reprocessing could not be started. Try again in a moment.';
    await context.store.as(SYSTEM, (session) => endRerun(session, { attempt, failure }));
    await context.objects.delete(rerunRequestKey(attempt));
    throw new Refusal('serverError', failure, { cause: error });
  }
  return { loanTapeId: tapeId, workflowId, result: await resultWithin(context, workflowId) };
}

async function stored(
  context: RequestContext,
  attempt: RerunAttempt,
  corrections: GivenCorrections,
): Promise<StoredCorrections> {
  if ('fileId' in corrections) return corrections;
  const key = rerunRequestKey(attempt);
  await context.objects.putStream(key, Readable.from([JSON.stringify(corrections.rows)]), { type: 'application/json' });
  return { key };
}

async function resultWithin(context: RequestContext, workflowId: string): Promise<RerunStarted['result']> {
  const ended = context.temporal.workflow
    .getHandle<typeof rerunErrored>(workflowIdOf(context.environment.instanceName, workflowId))
    .result();
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), WAIT_MS).unref());
  // After this time, the result has to be read from the tape itself.
  const end = await Promise.race([ended.catch(() => null), late]);
  return end?.result ?? null;
}

/**
 * Returns the effect that corrections would have. Nothing is stored.
 * @throws Refusal as `startRerun`
 */
export const previewRerun = (
  asker: Asker,
  input: { tapeId: string; corrections: GivenCorrections; shownRows: number },
): Promise<PreviewedRerun> =>
  askWorkers<PreviewRerunInput, PreviewedRerun>(asker, 'rerunPreview', {
    ...input,
    corrections: 'rows' in input.corrections ? { rows: [...input.corrections.rows] } : input.corrections,
  });

/** Returns the errored rows with these numbers of a tape visible to the actor, and their generation. */
export async function visibleErroredRows(
  context: RequestContext,
  actor: UserActor,
  tapeId: string,
  rows: readonly number[],
): Promise<{ generationId: string; assetPrefix: string; isCsv: boolean; rows: ErroredRow[] }> {
  const found = await context.store.as(actor, async (session) => {
    const tape = await getTape(session, tapeId);
    return { tape, generation: await publishedGeneration(session, tape.id) };
  });
  const { generation, tape } = found;
  if (!generation?.manifest)
    throw new Refusal('badRequest', 'This tape is not published yet: wait until processing is complete');
  const { errored, discarded = [] } = generation.manifest;
  const gone: ReadonlySet<number> = new Set(discarded === 'all' ? [] : discarded);
  const read =
    discarded === 'all' ? [] : await readErroredRows(context.lake, await localPaths(context.objects, errored), rows);
  return {
    generationId: generation.id,
    assetPrefix: tape.assetPrefix,
    isCsv: /\.csv$/i.test(tape.attachment.name),
    rows: read.filter(({ row }) => !gone.has(row)),
  };
}

/**
 * Checks the corrections of a call against the current rows: each row is errored and named once, and each header
 * belongs to the tape.
 * @throws Refusal notFound; badRequest with a flag at each error
 */
export async function checkCorrections(
  context: RequestContext,
  actor: UserActor,
  tapeId: string,
  corrections: readonly NamedCorrection[],
): Promise<RowCorrection[]> {
  const named = corrections.map(({ row }) => row);
  const { assetPrefix, rows } = await visibleErroredRows(context, actor, tapeId, named);
  const origins = new Map(rows.map((found) => [found.row, found.origin]));
  const flags: Record<string, string> = {};
  for (const [index, correction] of corrections.entries()) {
    const { row, cells } = correction;
    const origin = origins.get(row);
    const isOfTape = correction.assetPrefix === null || correction.assetPrefix === assetPrefix;
    if (!origin || !isOfTape) flags[`assets.${index}`] = 'is not an errored row of this tape';
    else if (named.indexOf(row) !== index) flags[`assets.${index}`] = `repeats row ${row}`;
    for (const header of Object.keys(origin ? cells : {})) {
      if (!Object.hasOwn(origin ?? {}, header))
        flags[`assets.${index}.originData.${header}`] = 'is not a column of the tape';
    }
  }
  const [first] = Object.entries(flags);
  if (first) throw new Refusal('badRequest', `${first[0]} ${first[1]}`, { flags });
  return corrections.map(({ row, cells }) => ({ row, cells }));
}

/**
 * Cancels the tape's re-run in progress and waits for it to end. Published data does not change.
 * @throws Refusal notFound; forbidden for a borrower; badRequest if no re-run is in progress
 */
export async function cancelRerun(context: RequestContext, actor: UserActor, tapeId: string): Promise<void> {
  const workflowId = await context.store.as(actor, (session) => rerunToCancel(session, tapeId));
  const handle = context.temporal.workflow.getHandle(workflowIdOf(context.environment.instanceName, workflowId));
  try {
    await handle.signal('cancel');
    await Promise.race([handle.result(), new Promise((resolve) => setTimeout(resolve, 20_000).unref())]);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
