import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { DuckDBConnection } from '@duckdb/node-api';
import { getStoredFile, removeFile } from '@tapeline/db/operations/files/files.ts';
import { getProposal } from '@tapeline/db/operations/tapes/proposals.ts';
import { endRerun, publishRerun, rerunRequestKey } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { MAX_STAYED, type RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import {
  correctionsOf,
  MAX_PROPOSED_CHARACTERS,
  MAX_PROPOSED_ROWS,
  proposalTooLarge,
} from '@tapeline/domain/tapes/proposal.schema.ts';
import type { Lake } from '@tapeline/lake/lake.ts';
import { discardAttempt, publishOffered } from '@tapeline/lake/storage/attempt-objects.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { keepSheetShape } from '@tapeline/lake/storage/sheet-shape.ts';
import type {
  CorrectionComputeActivities,
  CorrectionIoActivities,
  CorrectionPreviewActivities,
  PreviewRerunInput,
  RerunAttempt,
  RerunCommand,
  RerunResult,
} from '@tapeline/workflows/corrections/activities.ts';
import type { PreviewedRerun, ReviewedProposal } from '@tapeline/workflows/corrections/preview.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';
import { searchAfterTape } from '../duplicates/search-after-tape.ts';
import { withJobLake } from '../job-lake.ts';
import type { Answering } from '../preview/by-reference.ts';
import { withScratchFolder } from '../scratch.ts';
import { previewRows } from '../tape/compile/run.ts';
import { statisticsOf } from '../tape/made-of.ts';
import { makeAssetsSearchable } from '../tape/search-assets.ts';
import { tapeKeys } from '../tape/tape-objects.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { readCorrectionFile } from './correction-file.ts';
import { CORRECTED, type CorrectedInput, mapCorrected } from './map-corrected.ts';
import { writeNextAssets, writeNextErrored } from './next-parts.ts';
import {
  applyCorrections,
  type CorrectedRows,
  correctedInput,
  erroredRowsOf,
  openRerunBase,
  type RerunBase,
  storeCorrections,
  storedCorrections,
} from './open-rerun.ts';
import { calculatesAgain, reviewNotes } from './review-notes.ts';

/** Maximum number of rows that the review of a proposal shows. */
const MAX_REVIEWED_ROWS = 100;

const RERUNNING = { what: 'Reprocessing the corrected rows', seconds: 1_740 };
const PREVIEWING = { what: 'The preview', seconds: 45 };

/** Creates the compute activities of a re-run. */
export const createCorrectionComputeActivities = (
  context: WorkerContext,
  remapRows: CorrectionComputeActivities['remapRows'],
): CorrectionComputeActivities => ({
  rerunRows: (command) => rerunRows(context, command, Context.current().cancellationSignal),
  remapRows,
});

/** Creates the activities of a re-run that write records. */
export const createCorrectionIoActivities = (context: WorkerContext): CorrectionIoActivities => ({
  endRerun: ({ attempt, failure }) => end(context, attempt, failure),
  rerunFollowUp: async ({ tapeId, isReviewed = false }) => {
    const calculateBB = await calculatesAgain(context, tapeId, isReviewed);
    // The borrowing base does not wait for it in vain: the next tape adds the ids as well.
    await makeAssetsSearchable(context, tapeId).catch((error) =>
      Context.current().log.error('the corrected assets are not searchable', { error }),
    );
    await searchAfterTape(context, tapeId);
    return { calculateBB };
  },
});

/** Creates the activities that preview corrections, and those that read a correction file or review a proposal. */
export const createCorrectionPreviewActivities = (context: WorkerContext): Answering<CorrectionPreviewActivities> => ({
  previewRerun: (input) => previewRerun(context, input),
  readCorrections: ({ tapeId, fileId }) => correctionsToPropose(context, tapeId, fileId),
  reviewProposal: ({ proposalId }) => reviewProposal(context, proposalId, Context.current().cancellationSignal),
});

async function rerunRows(context: WorkerContext, command: RerunCommand, signal: AbortSignal): Promise<RerunResult> {
  const { attempt, by, acceptedBy, at } = command;
  const base = await openRerunBase(context, attempt.tapeId);
  if (base.generationId === attempt.generationId) return published(base);
  if (base.generationId !== attempt.baseGenerationId) {
    throw new Refusal('badRequest', 'The tape has been republished');
  }
  return withJobLake(context, RERUNNING, async (lake, folder) => {
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
        `SELECT "row" FROM ${CORRECTED.errored} ORDER BY 1 LIMIT ${MAX_STAYED}`,
      );
      return {
        ...mapped,
        stayed: (stayed.getColumns()[0] ?? []).map(Number),
        statistics: await statisticsOf(connection, files.assets, compiled),
      };
    });
    const people = { by, ...(acceptedBy ? { acceptedBy } : {}) };
    const outcome = { ...people, at, rows: rows.length, assets: made.assets, stayed: made.stayed };
    const records = [
      ...(await storedCorrections(context, base)),
      ...changes.filter(({ cells }) => Object.keys(cells).length > 0).map((change) => ({ ...change, ...people, at })),
    ];
    await keepSheetShape(context.objects, attempt, base.shape);
    const stored = await storeCorrections(context, attempt, records);
    await context.objects.putFile(keys.assets, files.assets);
    await context.objects.putFile(keys.errored, files.errored);
    // This is the last point at which the re-run can be cancelled. Publishing cannot be undone.
    signal.throwIfAborted();
    const publish = (session: Session) =>
      publishRerun(session, {
        attempt,
        manifest: {
          assets: [keys.assets],
          errored: [keys.errored],
          columns: base.manifest.columns,
          customFields: base.manifest.customFields,
          ...(base.manifest.mapping ? { mapping: base.manifest.mapping } : {}),
          ...(base.manifest.unstableIds ? { unstableIds: true as const } : {}),
          rerun: outcome,
          corrections: stored,
        },
        rows: rows.map(({ row }) => row),
        made: made.assets,
        statistics: made.statistics,
      });
    await publishOffered(context.objects, attempt, () => context.store.as(TAPE_WORKER, publish));
    if ('fileId' in command.corrections) await forgetFile(context, command.corrections.fileId);
    return { rows: rows.length, assets: made.assets, errored: made.errored };
  });
}

/** Removes a correction file. Its changes are stored with the tape by now, and the file is not read again. */
async function forgetFile(context: WorkerContext, fileId: string): Promise<void> {
  const { bucket, key } = await context.store.as(TAPE_WORKER, (session) => getStoredFile(session, fileId));
  await context.store.as(TAPE_WORKER, (session) => removeFile(session, { bucket, key }));
}

/** The result of a re-run that published before its worker was lost. */
function published({ manifest: { rerun } }: RerunBase): RerunResult {
  if (!rerun) throw new Error('a generation of a re-run says what it came to');
  return { rows: rerun.rows, assets: rerun.assets, errored: rerun.rows - rerun.assets };
}

async function readCorrections(
  context: WorkerContext,
  lake: Lake,
  base: RerunBase,
  from: RerunCommand['corrections'],
): Promise<RowCorrection[]> {
  if ('key' in from) return (await json(await context.objects.getStream(from.key))) as RowCorrection[];
  if ('proposalId' in from) return correctionsOf((await proposalOf(context, from.proposalId)).correctedRows);
  const file = await context.store.as(TAPE_WORKER, (session) => getStoredFile(session, from.fileId));
  const path = await context.objects.localPath(objectKey(file.bucket, file.key));
  return readCorrectionFile(path, (rows) => erroredRowsOf(lake, base, rows), base.facts.isCsv);
}

const proposalOf = (context: WorkerContext, id: string) =>
  context.store.as(TAPE_WORKER, (session) => getProposal(session, id));

/** Ends the attempt. Revokes its right to publish before its objects are removed. */
async function end(context: WorkerContext, attempt: RerunAttempt, failure: string | null) {
  const isPublished = await unlessGone(() =>
    context.store.as(TAPE_WORKER, (session) => endRerun(session, { attempt, failure })),
  );
  if (isPublished) {
    await context.objects.delete(rerunRequestKey(attempt));
    return { published: true };
  }
  await discardAttempt(context.objects, attempt);
  return { published: false };
}

/** Returns false if the tape was removed in the meantime. */
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
  return withJobLake(context, PREVIEWING, async (lake) => {
    const corrections =
      'rows' in input.corrections
        ? input.corrections.rows
        : await readCorrections(context, lake, base, input.corrections);
    const { rows, changes } = await applyCorrections(lake, base, corrections);
    const corrected = await correctedInput(context, base, rows);
    return lake.connected((connection) => previewMapped(connection, base, corrected, changes, input.shownRows));
  });
}

/** Maps the corrected rows in the connection, and summarizes the result. */
async function previewMapped(
  connection: DuckDBConnection,
  base: RerunBase,
  corrected: CorrectedInput,
  changes: CorrectedRows['changes'],
  shownRows: number,
): Promise<PreviewedRerun> {
  const made = await mapCorrected(connection, corrected);
  const preview = await previewRows(connection, base.compiled, CORRECTED.staged, shownRows);
  const invalid = await connection.runAndReadAll(
    `SELECT "row", CAST(to_json(errors) AS VARCHAR) FROM ${CORRECTED.errored}`,
  );
  const errors = new Map(invalid.getRows().map(([row, found]) => [Number(row), JSON.parse(String(found))]));
  return {
    rows: corrected.rows.length,
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
}

/** Reads the corrections of a file. They are returned by a workflow, so their number is limited here already. */
async function correctionsToPropose(context: WorkerContext, tapeId: string, fileId: string): Promise<RowCorrection[]> {
  const base = await openRerunBase(context, tapeId);
  const corrections = await withJobLake(context, PREVIEWING, (lake) =>
    readCorrections(context, lake, base, { fileId }),
  );
  if (corrections.length > MAX_PROPOSED_ROWS || JSON.stringify(corrections).length > MAX_PROPOSED_CHARACTERS) {
    throw proposalTooLarge();
  }
  return corrections;
}

async function reviewProposal(
  context: WorkerContext,
  proposalId: string,
  signal: AbortSignal,
): Promise<ReviewedProposal> {
  const proposal = await proposalOf(context, proposalId);
  const base = await openRerunBase(context, proposal.tapeId);
  if (proposal.status !== 'Proposed' || proposal.generationId !== base.generationId) {
    throw new Refusal('badRequest', 'The proposal is no longer open. Reload it');
  }
  return withScratchFolder(context, async (kept) => {
    const next = join(kept, 'assets.parquet');
    // Release the job's memory before the borrowing bases allocate theirs.
    const preview = await withJobLake(context, PREVIEWING, async (lake, folder) => {
      const { rows, changes } = await applyCorrections(lake, base, correctionsOf(proposal.correctedRows));
      const input = await correctedInput(context, base, rows);
      return lake.connected(async (connection) => {
        const made = await previewMapped(connection, base, input, changes, MAX_REVIEWED_ROWS);
        signal.throwIfAborted();
        if (made.assets > 0) await writeNextAssets(connection, base.compiled, base.assetsPaths, folder, next);
        return made;
      });
    });
    signal.throwIfAborted();
    return {
      ...preview,
      notes: await reviewNotes(
        context,
        base,
        { manifest: base.manifest, parquetFiles: preview.assets > 0 ? [next] : base.assetsPaths },
        { ...PREVIEWING, signal },
      ),
      calculates: await calculatesAgain(context, proposal.tapeId, true),
    };
  });
}
