import { Readable } from 'node:stream';
import { localPaths } from '@tapeline/db/files/object-store.ts';
import { findErroredRows, readErroredRows } from '@tapeline/db/lake/errored-assets.ts';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import {
  beginRerun,
  endRerun,
  isRerunInHand,
  type RerunAttempt,
  rerunRequestKey,
  rerunWorkflowId,
} from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { type CallOrigin, SYSTEM, systemActor } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { NamedCorrection, RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import type { ErroredRow } from '@tapeline/domain/tapes/tape.schema.ts';
import type { rerunErrored, rerunPreview } from '@tapeline/workflows/all-workflows.ts';
import type { StoredCorrections } from '@tapeline/workflows/corrections/activities.ts';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import { TASK_QUEUES } from '@tapeline/workflows/queues.ts';
import { WorkflowIdReusePolicy, WorkflowNotFoundError } from '@temporalio/client';
import type { RequestContext } from '../context.ts';
import { askWorkers } from '../previews.server.ts';

/** A re-run of some rows is done within moments: whoever asked is told at once then. */
const WAIT_MS = 4_000;

/** Corrections as a person gave them: rows with their corrected cells, or a file that was sent back. */
export type GivenCorrections = { rows: readonly RowCorrection[] } | { fileId: string };

export interface RerunStarted {
  loanTapeId: string;
  workflowId: string;
  /** Null while it goes on. */
  result: { rows: number; assets: number; errored: number } | null;
}

/**
 * Runs corrected rows of a published tape again. The published assets stay as they are; a row that is still wrong, or
 * collides with them, stays errored.
 * @param command.on the generation that the corrections were made on; null for the published one
 * @throws Refusal notFound; badRequest as `beginRerun`, and for headers that are none of the tape's
 */
export async function startRerun(
  context: RequestContext,
  actor: UserActor,
  command: { tapeId: string; corrections: GivenCorrections; on: string | null },
  origin: CallOrigin = {},
): Promise<RerunStarted> {
  const { tapeId, corrections } = command;
  const rows = 'rows' in corrections ? corrections.rows : null;
  // Whoever sees the tape may correct it; a borrower's own rows are then written for it.
  await context.store.as(actor, (session) => getTape(session, tapeId));
  const by = `${actor.firstName} ${actor.lastName}`.trim() || null;
  const writer = actor.type === 'company' ? systemActor(by ?? 'Borrower') : actor;
  const now = new Date();
  const attempt = await context.store.as(
    writer,
    (session) =>
      beginRerun(session, {
        tapeId,
        rows: rows?.map(({ row }) => row) ?? null,
        on: command.on,
        by,
        findErrored: async (parts, numbers) =>
          findErroredRows(context.lake, await localPaths(context.objects, parts), numbers),
      }),
    { ...origin, now },
  );
  const workflowId = rerunWorkflowId(tapeId, attempt.generationId);
  try {
    await context.temporal.workflow.start<typeof rerunErrored>('rerunErrored', {
      taskQueue: TASK_QUEUES.workflows,
      workflowId,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      args: [{ attempt, corrections: await stored(context, attempt, corrections), by, at: now.toISOString() }],
    });
  } catch (error) {
    context.log.error({ err: error, tapeId }, 'a re-run could not be handed to Temporal');
    const failure = 'The corrected rows could not be handed to the workers. Try again in a moment.';
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
  const ended = context.temporal.workflow.getHandle<typeof rerunErrored>(workflowId).result();
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), WAIT_MS).unref());
  // Later than this, the tape itself tells how it ended.
  const end = await Promise.race([ended.catch(() => null), late]);
  return end?.result ?? null;
}

/** What corrections would come to. Nothing is stored. @throws Refusal as `startRerun` */
export const previewRerun = (
  context: RequestContext,
  input: { tapeId: string; corrections: GivenCorrections; shownRows: number },
): Promise<PreviewedRerun> =>
  askWorkers<Parameters<typeof rerunPreview>[0], PreviewedRerun>(context, 'rerunPreview', {
    ...input,
    corrections: 'rows' in input.corrections ? { rows: [...input.corrections.rows] } : input.corrections,
  });

/** The errored rows of a tape in sight with these numbers, and the generation they stand in. */
export async function erroredRowsInSight(
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
    throw new Refusal('badRequest', 'The tape is not published yet: wait until it is processed');
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
 * Corrections of a call, held against the rows as they stand: each row errored and named once, each header the tape's.
 * @throws Refusal notFound; badRequest with a flag at each fault
 */
export async function checkCorrections(
  context: RequestContext,
  actor: UserActor,
  tapeId: string,
  corrections: readonly NamedCorrection[],
): Promise<RowCorrection[]> {
  const named = corrections.map(({ row }) => row);
  const { assetPrefix, rows } = await erroredRowsInSight(context, actor, tapeId, named);
  const origins = new Map(rows.map((found) => [found.row, found.origin]));
  const flags: Record<string, string> = {};
  for (const [index, correction] of corrections.entries()) {
    const { row, cells } = correction;
    const origin = origins.get(row);
    const isOfTape = correction.assetPrefix === null || correction.assetPrefix === assetPrefix;
    if (!origin || !isOfTape) flags[`assets.${index}`] = 'is no errored row of this tape';
    else if (named.indexOf(row) !== index) flags[`assets.${index}`] = `names row ${row} again`;
    for (const header of Object.keys(origin ? cells : {})) {
      if (!Object.hasOwn(origin ?? {}, header))
        flags[`assets.${index}.originData.${header}`] = 'is no column of the tape';
    }
  }
  const [first] = Object.entries(flags);
  if (first) throw new Refusal('badRequest', `${first[0]} ${first[1]}`, { flags });
  return corrections.map(({ row, cells }) => ({ row, cells }));
}

/**
 * Cancels the re-run in hand of a tape; what is published stays. Waits for its end.
 * @throws Refusal badRequest where none is in hand
 */
export async function cancelRerun(context: RequestContext, actor: UserActor, tapeId: string): Promise<void> {
  const tape = await context.store.as(actor, (session) => getTape(session, tapeId));
  if (!isRerunInHand(tape) || !tape.workflowId) {
    throw new Refusal('badRequest', 'No corrected rows of this tape are being run again');
  }
  const handle = context.temporal.workflow.getHandle(tape.workflowId);
  try {
    await handle.signal('cancel');
    await Promise.race([handle.result(), new Promise((resolve) => setTimeout(resolve, 20_000).unref())]);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
