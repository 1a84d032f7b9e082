import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { deletePrefix, objectKey } from '@tapeline/db/files/object-store.ts';
import { type Lake, openLake, readParquet } from '@tapeline/db/lake/lake.ts';
import { tapeStatistics } from '@tapeline/db/lake/statistics.ts';
import { getStoredFile, removeFile } from '@tapeline/db/operations/files/files.ts';
import { forgetGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { endRerun, publishRerun, rerunRequestKey } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type CorrectionRecord, MOST_STAYED, type RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import type {
  CorrectionComputeActivities,
  CorrectionIoActivities,
  PreviewRerunInput,
  RerunAttempt,
  RerunCommand,
  RerunResult,
} from '@tapeline/workflows/corrections/activities.ts';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';
import { withScratchFolder } from '../scratch.ts';
import { previewRows } from '../tape/compile/run.ts';
import { keepSheetShape, tapeKeys } from '../tape/tape-objects.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { readCorrectionFile } from './correction-file.ts';
import { CORRECTED, mapCorrected } from './map-corrected.ts';
import { writeNextAssets, writeNextErrored } from './next-parts.ts';
import { applyCorrections, correctedInput, erroredRowsOf, openRerunBase, type RerunBase } from './open-rerun.ts';

/** The activity of a re-run that computes. */
export const createCorrectionComputeActivities = (context: WorkerContext): CorrectionComputeActivities => ({
  rerunRows: (command) => rerunRows(context, command, Context.current().cancellationSignal),
});

/** The activities of a re-run that record, and the question what corrections would come to. */
export const createCorrectionIoActivities = (context: WorkerContext): CorrectionIoActivities => ({
  endRerun: ({ attempt, failure }) => end(context, attempt, failure),
  async rerunFollowUp({ tapeId }) {
    const tape = await context.store.as(TAPE_WORKER, (session) => getTape(session, tapeId));
    return { calculateBB: tape.calculateBB };
  },
  previewRerun: (input) => previewRerun(context, input),
});

async function rerunRows(context: WorkerContext, command: RerunCommand, signal: AbortSignal): Promise<RerunResult> {
  const { attempt, by, at } = command;
  const base = await openRerunBase(context, attempt.tapeId);
  if (base.generationId === attempt.generationId) return published(base);
  if (base.generationId !== attempt.baseGenerationId) {
    throw new Refusal('badRequest', 'The tape was published anew meanwhile');
  }
  return withLake(context, async (lake, folder) => {
    const corrections = await readCorrections(context, lake, base, command.corrections);
    const { rows, changes } = await applyCorrections(lake, base, corrections);
    const input = await correctedInput(context, base, rows);
    const keys = tapeKeys(attempt);
    const files = { assets: join(folder, 'assets.parquet'), errored: join(folder, 'errored.parquet') };
    const { compiled } = base;
    const made = await lake.connected(async (connection) => {
      const mapped = await mapCorrected(connection, input);
      signal.throwIfAborted();
      await writeNextAssets(connection, compiled, base.assetsPaths, folder, files.assets);
      await writeNextErrored(connection, base.erroredPaths, files.errored);
      const stayed = await connection.runAndReadAll(
        `SELECT "row" FROM ${CORRECTED.errored} ORDER BY 1 LIMIT ${MOST_STAYED}`,
      );
      const columns = new Set(compiled.columns.map(({ name }) => name));
      return {
        ...mapped,
        stayed: (stayed.getColumns()[0] ?? []).map(Number),
        statistics: await tapeStatistics(connection, readParquet([files.assets]), columns),
      };
    });
    const outcome = { by, at, rows: rows.length, assets: made.assets, stayed: made.stayed };
    const records = [
      ...(await earlierCorrections(context, base)),
      ...changes.filter(({ cells }) => Object.keys(cells).length > 0).map((change) => ({ ...change, by, at })),
    ];
    const corrected = `${attempt.objectPrefix}corrections.json`;
    await keepSheetShape(context, attempt, base.shape);
    await context.objects.putStream(corrected, Readable.from([JSON.stringify(records)]), { type: 'application/json' });
    await context.objects.putFile(keys.assets, files.assets);
    await context.objects.putFile(keys.errored, files.errored);
    // The last moment to stop: what is published stays.
    signal.throwIfAborted();
    await context.store.as(TAPE_WORKER, (session) =>
      publishRerun(session, {
        attempt,
        manifest: {
          assets: [keys.assets],
          errored: [keys.errored],
          columns: base.manifest.columns,
          customFields: base.manifest.customFields,
          rerun: outcome,
          corrections: corrected,
        },
        made: made.assets,
        statistics: made.statistics,
      }),
    );
    if ('fileId' in command.corrections) await forgetFile(context, command.corrections.fileId);
    return { rows: rows.length, assets: made.assets, errored: made.errored };
  });
}

/** What a file of corrections changed is kept with the tape by now; nobody opens the file again. */
async function forgetFile(context: WorkerContext, fileId: string): Promise<void> {
  const { bucket, key } = await context.store.as(TAPE_WORKER, (session) => getStoredFile(session, fileId));
  await context.objects.delete(objectKey(bucket, key));
  await context.store.as(TAPE_WORKER, (session) => removeFile(session, { bucket, key }));
}

/** What a re-run that had published before its worker was lost came to. */
function published({ manifest: { rerun } }: RerunBase): RerunResult {
  if (!rerun) throw new Error('a generation of a re-run says what it came to');
  return { rows: rerun.rows, assets: rerun.assets, errored: rerun.rows - rerun.assets };
}

async function withLake<T>(context: WorkerContext, work: (lake: Lake, folder: string) => Promise<T>): Promise<T> {
  return withScratchFolder(context, async (folder) => {
    const spillFolder = join(folder, 'spill');
    await mkdir(spillFolder);
    const lake = await openLake({ spillFolder });
    try {
      return await work(lake, folder);
    } finally {
      lake.close();
    }
  });
}

async function readCorrections(
  context: WorkerContext,
  lake: Lake,
  base: RerunBase,
  from: RerunCommand['corrections'],
): Promise<RowCorrection[]> {
  if ('key' in from) return (await json(await context.objects.getStream(from.key))) as RowCorrection[];
  const file = await context.store.as(TAPE_WORKER, (session) => getStoredFile(session, from.fileId));
  const path = await context.objects.localPath(objectKey(file.bucket, file.key));
  return readCorrectionFile(path, (rows) => erroredRowsOf(lake, base, rows), base.facts.isCsv);
}

async function earlierCorrections(context: WorkerContext, { manifest }: RerunBase): Promise<CorrectionRecord[]> {
  if (!manifest.corrections) return [];
  return (await json(await context.objects.getStream(manifest.corrections))) as CorrectionRecord[];
}

/** Nobody may publish for the attempt any more before its objects go. */
async function end(context: WorkerContext, attempt: RerunAttempt, failure: string | null) {
  const isPublished = await unlessGone(() =>
    context.store.as(TAPE_WORKER, (session) => endRerun(session, { attempt, failure })),
  );
  if (isPublished) {
    await context.objects.delete(rerunRequestKey(attempt));
    return { published: true };
  }
  await deletePrefix(context.objects, attempt.objectPrefix);
  await context.store.as(TAPE_WORKER, (session) => forgetGeneration(session, attempt));
  return { published: false };
}

/** False where the tape was removed meanwhile. */
async function unlessGone(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'notFound') throw error;
    return false;
  }
}

async function previewRerun(context: WorkerContext, input: PreviewRerunInput): Promise<PreviewedRerun> {
  const base = await openRerunBase(context, input.tapeId);
  return withLake(context, async (lake) => {
    const corrections =
      'rows' in input.corrections
        ? input.corrections.rows
        : await readCorrections(context, lake, base, input.corrections);
    const { rows, changes } = await applyCorrections(lake, base, corrections);
    const corrected = await correctedInput(context, base, rows);
    return lake.connected(async (connection) => {
      const made = await mapCorrected(connection, corrected);
      const preview = await previewRows(connection, base.compiled, CORRECTED.staged, input.shownRows);
      const faulty = await connection.runAndReadAll(
        `SELECT "row", CAST(to_json(errors) AS VARCHAR) FROM ${CORRECTED.errored}`,
      );
      const errors = new Map(faulty.getRows().map(([row, found]) => [Number(row), JSON.parse(String(found))]));
      return {
        rows: rows.length,
        changedCells: changes.reduce((sum, { cells }) => sum + Object.keys(cells).length, 0),
        ...made,
        shown: preview.rows.map(({ row, cells }) => ({
          row,
          cells: cells.map(({ value }, index) => {
            const { target = '', label = '' } = preview.columns[index] ?? {};
            return { target, label, value };
          }),
          errors: errors.get(row) ?? [],
        })),
      };
    });
  });
}
