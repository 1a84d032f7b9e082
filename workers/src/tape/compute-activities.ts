import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { localPaths } from '@tapeline/db/files/object-store.ts';
import { type Lake, openLake, readParquet } from '@tapeline/db/lake/lake.ts';
import { tapeStatistics } from '@tapeline/db/lake/statistics.ts';
import { publishGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import type {
  PublishedTape,
  ReadResult,
  StagedBatch,
  TapeAttempt,
  TapeComputeActivities,
  TransformedBatch,
} from '@tapeline/workflows/loan-tape/activities.ts';
import { calculateBorrowingBase } from '../borrowing-base/calculate.ts';
import type { WorkerContext } from '../context.ts';
import { withScratchFolder } from '../scratch.ts';
import type { CompiledMapping } from './compile/compile.ts';
import { CompiledAttempts } from './compiled-attempts.ts';
import { earlierTape } from './earlier-tape.ts';
import { MappingEngines } from './mapping-engines.ts';
import { transformPart } from './parts.ts';
import { settle } from './settle.ts';
import { readSheetShape, tapeKeys } from './tape-objects.ts';
import { compileForTape, readTapeRecord, TAPE_WORKER } from './tape-record.ts';

/** The tape's activities that compute; a worker runs as many at once as it has cores to give. */
export function createTapeComputeActivities(context: WorkerContext): TapeComputeActivities {
  const engines = new MappingEngines(context.scratchFolder);
  const compiled = new CompiledAttempts(context);
  return {
    transformBatch: async ({ batch, ...attempt }) =>
      transformBatch(context, engines, await compiled.of(attempt), attempt, batch),
    settleTape: ({ read, transformed, ...attempt }) =>
      withJob(context, (job) => settleTape(context, job, attempt, read, transformed)),
    calculateBorrowingBase: ({ tapeId, note }) =>
      withScratchFolder(context, (folder) => calculateBorrowingBase(context, folder, tapeId, note)),
  };
}

/** A DuckDB of the job's own, and a folder for its files; both end with it. */
interface Job {
  lake: Lake;
  folder: string;
}

async function withJob<T>(context: WorkerContext, work: (job: Job) => Promise<T>): Promise<T> {
  return withScratchFolder(context, async (folder) => {
    const spillFolder = join(folder, 'spill');
    await mkdir(spillFolder);
    const lake = await openLake({ spillFolder });
    try {
      return await work({ lake, folder });
    } finally {
      lake.close();
    }
  });
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
    const counts = await engines.use((engine) => transformPart(engine, compiled, staged, files));
    const keys = tapeKeys(attempt);
    const [assetsKey, erroredKey] = [keys.candidateAssets(batch.index), keys.candidateErrored(batch.index)];
    // Each waits for the disk: together they wait once.
    await Promise.all([
      context.objects.putFile(assetsKey, files.assets),
      context.objects.putFile(erroredKey, files.errored),
    ]);
    return { index: batch.index, assetsKey, erroredKey, ...counts };
  });
}

async function settleTape(
  context: WorkerContext,
  { lake, folder }: Job,
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
  const settled = await settle(lake, input);
  const names = new Set(compiled.columns.map((column) => column.name));
  const statistics = await lake.connected((connection) =>
    tapeStatistics(connection, readParquet([files.assets]), names),
  );
  const keys = tapeKeys(attempt);
  await Promise.all([
    context.objects.putFile(keys.assets, files.assets),
    context.objects.putFile(keys.errored, files.errored),
  ]);
  await context.store.as(TAPE_WORKER, (session) =>
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
      counts: { dataRows: read.dataRows, ...settled, discarded: 0, blankRows: read.blankRows },
      statistics,
    }),
  );
  return { generationId: attempt.generationId, ...settled };
}
