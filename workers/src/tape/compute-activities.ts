import { join } from 'node:path';
import { publishGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import type { Session } from '@tapeline/db/store.ts';
import { type Lake, readParquet } from '@tapeline/lake/lake.ts';
import { tapeStatistics } from '@tapeline/lake/statistics.ts';
import { publishOffered } from '@tapeline/lake/storage/attempt-objects.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import { tapeWarnings } from '@tapeline/lake/tape-warnings.ts';
import type {
  PublishedTape,
  ReadResult,
  StagedBatch,
  TapeAttempt,
  TapeComputeActivities,
  TransformedBatch,
} from '@tapeline/workflows/loan-tape/activities.ts';
import { Context } from '@temporalio/activity';
import { calculateBorrowingBase } from '../borrowing-base/calculate.ts';
import type { WorkerContext } from '../context.ts';
import { withJobLake } from '../job-lake.ts';
import { withinLimits } from '../job-limits.ts';
import { withScratchFolder } from '../scratch.ts';
import type { CompiledMapping } from './compile/compile.ts';
import { CompiledAttempts } from './compiled-attempts.ts';
import { earlierTape } from './earlier-tape.ts';
import { finalize } from './finalize.ts';
import { MappingEngines } from './mapping-engines.ts';
import { transformPart } from './parts.ts';
import { readSheetShape, tapeKeys } from './tape-objects.ts';
import { compileForTape, readTapeRecord, TAPE_WORKER } from './tape-record.ts';

/** Time limits. A batch normally takes seconds. Both limits end before Temporal would retry. */
const MAPPING = { what: 'Mapping a part of the tape', seconds: 600 };
const SETTLING = { what: 'Comparing all rows of the tape', seconds: 1_740 };

/** The tape activities that compute. A worker runs as many of them at once as it has cores available. */
export function createTapeComputeActivities(context: WorkerContext): TapeComputeActivities {
  const engines = new MappingEngines(context.scratchFolder, context.jobMemory, context.jobSpill);
  const compiled = new CompiledAttempts(context);
  return {
    transformBatch: async ({ batch, ...attempt }) =>
      transformBatch(context, engines, await compiled.of(attempt), attempt, batch),
    finalizeTape: ({ read, transformed, ...attempt }) =>
      withJobLake(context, SETTLING, (lake, folder) =>
        finalizeTape(context, { lake, folder }, attempt, read, transformed),
      ),
    calculateBorrowingBase: ({ tapeId, note }) =>
      withScratchFolder(context, (folder) =>
        calculateBorrowingBase(context, folder, tapeId, note, Context.current().cancellationSignal),
      ),
  };
}

async function transformBatch(
  context: WorkerContext,
  engines: MappingEngines,
  compiled: CompiledMapping,
  attempt: TapeAttempt,
  batch: StagedBatch,
): Promise<TransformedBatch> {
  return withScratchFolder(context, async (folder) => {
    const staged = await context.objects.localPath(batch.key);
    const files = { assets: join(folder, 'assets.parquet'), errored: join(folder, 'errored.parquet') };
    const { cancellationSignal: signal } = Context.current();
    const counts = await engines.use((engine) =>
      withinLimits({ ...MAPPING, signal }, (watch) => {
        watch(engine.connection);
        return transformPart(engine, compiled, staged, files);
      }),
    );
    const keys = tapeKeys(attempt);
    const [assetsKey, erroredKey] = [keys.candidateAssets(batch.index), keys.candidateErrored(batch.index)];
    // Run both in parallel, because each waits for the disk.
    await Promise.all([
      context.objects.putFile(assetsKey, files.assets),
      context.objects.putFile(erroredKey, files.errored),
    ]);
    return { index: batch.index, assetsKey, erroredKey, ...counts };
  });
}

async function finalizeTape(
  context: WorkerContext,
  { lake, folder }: { lake: Lake; folder: string },
  attempt: TapeAttempt,
  read: ReadResult,
  transformed: readonly TransformedBatch[],
): Promise<PublishedTape> {
  const { tape, mapping } = await readTapeRecord(context, attempt.tapeId);
  const compiled = compileForTape(tape, mapping, await readSheetShape(context, attempt));
  const local = (keys: readonly string[]) => localPaths(context.objects, keys);
  const files = { assets: join(folder, 'assets.parquet'), errored: join(folder, 'errored.parquet') };
  const inOrder = [...transformed].sort((a, b) => a.index - b.index);
  const staged = new Map(read.batches.map((batch) => [batch.index, batch.key]));
  const input = {
    assetsPaths: await local(inOrder.map((batch) => batch.assetsKey)),
    erroredPaths: await local(inOrder.map((batch) => batch.erroredKey)),
    stagedPath: (part: number) => context.objects.localPath(staged.get(inOrder[part]!.index)!),
    originJson: compiled.originJson,
    columns: compiled.columns,
    unique: compiled.uniqueTargets,
    consistent: compiled.consistentTargets,
    earlier: await earlierTape(context, tape.companyId, tape.cutOffDate),
    folder,
    assetsFile: files.assets,
    erroredFile: files.errored,
  };
  const finalized = await finalize(lake, input);
  const names = new Set(compiled.columns.map((column) => column.name));
  const statistics = await lake.connected(async (connection) => ({
    ...(await tapeStatistics(connection, readParquet([files.assets]), names)),
    warnings: await tapeWarnings(connection, readParquet([files.assets]), names),
  }));
  const keys = tapeKeys(attempt);
  await Promise.all([
    context.objects.putFile(keys.assets, files.assets),
    context.objects.putFile(keys.errored, files.errored),
  ]);
  const publish = (session: Session) =>
    publishGeneration(session, {
      ...attempt,
      manifest: {
        assets: [keys.assets],
        errored: [keys.errored],
        columns: compiled.columns.map((column) => column.name),
        customFields: compiled.fields
          .filter((field) => field.custom)
          .map(({ path, kind, label }) => ({ path, kind, label })),
      },
      counts: {
        dataRows: read.dataRows,
        ...finalized,
        discarded: 0,
        blankRows: read.blankRows,
        ...(read.sheet ? { sheet: read.sheet } : {}),
      },
      statistics,
    });
  await publishOffered(context.objects, attempt, () => context.store.as(TAPE_WORKER, publish));
  return { generationId: attempt.generationId, ...finalized };
}
