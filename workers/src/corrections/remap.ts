import { join } from 'node:path';
import { ASSET_IDS_AT_ONCE, removeAssetIds } from '@tapeline/db/operations/search/asset-ids.ts';
import { visiblePublishedTapes } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { publishRemap } from '@tapeline/db/operations/tapes/remap-tape.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import { outstandingByCurrency } from '@tapeline/domain/tapes/outstanding.ts';
import { hasFacts } from '@tapeline/domain/tapes/sheet-facts.ts';
import type { AssetStatistics, TapeCounts } from '@tapeline/domain/tapes/tape.schema.ts';
import { assetIdsOnlyIn } from '@tapeline/lake/asset-ids.ts';
import { findErroredRows } from '@tapeline/lake/errored-assets.ts';
import type { Lake } from '@tapeline/lake/lake.ts';
import { publishOffered } from '@tapeline/lake/storage/attempt-objects.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import { keepSheetShape } from '@tapeline/lake/storage/sheet-shape.ts';
import { writeBatchFile } from '@tapeline/sheets/batch-file.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { NO_FACTS, type SheetFacts } from '@tapeline/sheets/sheet-facts.ts';
import { CHECK_SECONDS } from '@tapeline/workflows/check/activities.ts';
import type { RemapCommand, RemapInput, RerunResult } from '@tapeline/workflows/corrections/activities.ts';
import type { ReviewedCounts, ReviewedRemap } from '@tapeline/workflows/corrections/preview.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';
import { progressInSteps } from '../heartbeat.ts';
import { withJobLake } from '../job-lake.ts';
import { withScratchFolder } from '../scratch.ts';
import type { CompiledMapping } from '../tape/compile/compile.ts';
import { originKeys } from '../tape/compile/origin.ts';
import { earlierTape } from '../tape/earlier-tape.ts';
import { finalize } from '../tape/finalize.ts';
import { manifestOf, statisticsOf } from '../tape/made-of.ts';
import type { MappingEngine } from '../tape/mapping-engine.ts';
import type { MappingEngines } from '../tape/mapping-engines.ts';
import { transformPart } from '../tape/parts.ts';
import { mapSheetFile } from '../tape/read-sheet-file.ts';
import { tapeKeys, uploadKey } from '../tape/tape-objects.ts';
import { compileForTape, readTapeRecord, TAPE_WORKER, type TapeRecord } from '../tape/tape-record.ts';
import { comparedFields } from './compared-fields.ts';
import { cellsAfter, correctBatch } from './correct-batch.ts';
import { openRerunBase, type RerunBase, storeCorrections, storedCorrections } from './open-rerun.ts';
import { calculatesAgain, reviewNotes } from './review-notes.ts';

const REMAPPING = { what: 'Processing the tape with the other mapping version', seconds: 1_740 };
const REVIEWING = { what: 'Reviewing the other mapping version', seconds: CHECK_SECONDS };

/** Creates the activities that map the stored file of a tape again. */
export const createRemap = (context: WorkerContext, engines: MappingEngines) => ({
  remapRows: (command: RemapCommand) => remapRows(context, engines, command),
  reviewRemap: (input: RemapInput) => reviewRemap(context, engines, input),
});

/** What another version of the mapping makes of a tape. */
interface Remapped {
  readonly compiled: CompiledMapping;
  readonly version: TapeRecord['version'];
  readonly files: { readonly assets: string; readonly errored: string };
  readonly counts: TapeCounts;
  readonly discarded: GenerationManifest['discarded'];
  readonly statistics: AssetStatistics;
  readonly corrections: Awaited<ReturnType<typeof storedCorrections>>;
}

interface Tools {
  readonly lake: Lake;
  /** For files of this job; the caller removes it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly withEngine: <T>(work: (engine: MappingEngine) => Promise<T>) => Promise<T>;
  /** @param share how much of the sheet is read, 0 to 1 */
  readonly onRead?: (share: number) => void;
}

/**
 * Maps every row of the stored file with a version of a mapping, as a tape is processed: with the corrections of its
 * cells so far. Rows that a person discarded stay discarded if they are errored again.
 * @throws Refusal if headers that the mapping reads are missing
 */
async function mapAgain(
  context: WorkerContext,
  base: RerunBase,
  { tape, mapping, version }: TapeRecord,
  { lake, folder, signal, withEngine, onRead }: Tools,
): Promise<Remapped> {
  const { shape, facts } = base;
  const compiled = compileForTape(tape, mapping, shape);
  const corrections = await storedCorrections(context, base);
  const corrected = cellsAfter(corrections);
  const keys = originKeys(shape.columns);
  const path = await context.objects.localPath(uploadKey(tape.attachment));
  const fileOf = (kind: string, index: number) => join(folder, `${kind}-${index}`);
  const counts = { dataRows: 0, blankRows: 0 };
  let batches = 0;
  let sheet = NO_FACTS;
  const map = async (read: RawBatch): Promise<void> => {
    const { index } = read;
    const batch = correctBatch(read, keys, corrected, facts);
    const staged = fileOf('staged', index);
    await writeBatchFile(batch, staged);
    const files = { assets: fileOf('assets', index), errored: fileOf('errored', index) };
    await withEngine((engine) => transformPart(engine, compiled, staged, files));
    batches += 1;
    counts.dataRows += batch.rowCount;
    counts.blankRows += batch.blankRows;
  };
  const { sheetName, headerRow, batchRows } = shape;
  const onFacts = (found: SheetFacts) => {
    sheet = found;
  };
  const options = { sheetName, headerRow, batchRows, signal, onFacts, ...(onRead ? { onRead } : {}) };
  await mapSheetFile(path, options, map);
  const parts = Array.from({ length: batches }, (_, index) => index);
  const files = { assets: join(folder, 'assets.parquet'), errored: join(folder, 'errored.parquet') };
  const finalized = await finalize(lake, {
    assetsPaths: parts.map((index) => fileOf('assets', index)),
    erroredPaths: parts.map((index) => fileOf('errored', index)),
    stagedPath: async (index) => fileOf('staged', index),
    originJson: compiled.originJson,
    columns: compiled.columns,
    unique: compiled.uniqueTargets,
    consistent: compiled.consistentTargets,
    earlier: await earlierTape(context, tape.companyId, tape.cutOffDate),
    folder,
    assetsFile: files.assets,
    erroredFile: files.errored,
  });
  signal.throwIfAborted();
  const statistics = await lake.connected((connection) => statisticsOf(connection, files.assets, compiled));
  const { discarded: before = [] } = base.manifest;
  const gone = before === 'all' ? await findErroredRows(lake, base.erroredPaths, null) : before;
  const still = await findErroredRows(lake, [files.errored], gone);
  return {
    compiled,
    version,
    files,
    counts: {
      ...counts,
      assets: finalized.assets,
      errored: finalized.errored - still.length,
      discarded: still.length,
      ...(hasFacts(sheet) ? { sheet } : {}),
    },
    discarded: still.length === 0 ? undefined : still.length === finalized.errored ? 'all' : still,
    statistics,
    corrections,
  };
}

async function remapRows(
  context: WorkerContext,
  engines: MappingEngines,
  { attempt, mappingId }: RemapCommand,
): Promise<RerunResult> {
  const { tapeId } = attempt;
  const base = await openRerunBase(context, tapeId);
  if (base.generationId === attempt.generationId) return resultOf(base.tape.counts);
  if (base.generationId !== attempt.baseGenerationId) throw new Refusal('badRequest', 'The tape has been republished');
  const record = await readTapeRecord(context, tapeId, mappingId);
  return withJobLake(context, REMAPPING, async (lake, folder) => {
    const { stop: signal, watch } = lake;
    const withEngine: Tools['withEngine'] = (work) => engines.use(work, watch);
    const made = await mapAgain(context, base, record, { lake, folder, signal, withEngine });
    const { version, files, counts, statistics, discarded } = made;
    const keys = tapeKeys(attempt);
    await keepSheetShape(context.objects, attempt, base.shape);
    const corrections =
      made.corrections.length > 0 ? await storeCorrections(context, attempt, made.corrections) : undefined;
    await context.objects.putFile(keys.assets, files.assets);
    await context.objects.putFile(keys.errored, files.errored);
    // This is the last point at which it can be cancelled. Publishing cannot be undone.
    signal.throwIfAborted();
    const manifest = {
      assets: [keys.assets],
      errored: [keys.errored],
      ...manifestOf(made.compiled, version),
      ...(discarded === undefined ? {} : { discarded }),
      ...(corrections === undefined ? {} : { corrections }),
    };
    await publishOffered(context.objects, attempt, () =>
      context.store.as(TAPE_WORKER, (session) =>
        publishRemap(session, { attempt, mapping: version, manifest, counts, statistics }),
      ),
    );
    await forgetIds(context, lake, base).catch((error) =>
      context.log.error({ err: error, tapeId }, 'the search still finds ids that no asset has'),
    );
    return resultOf(counts);
  });
}

function resultOf(counts: TapeCounts | null | undefined): RerunResult {
  if (!counts) throw new Error('a published tape has counts');
  const { dataRows, assets, errored } = counts;
  return { rows: dataRows, assets, errored };
}

/** The search no longer finds the ids that only the replaced assets have. */
async function forgetIds(context: WorkerContext, lake: Lake, { tape, assetsPaths }: RerunBase): Promise<void> {
  const { companyId } = tape;
  const published = await context.store.as(TAPE_WORKER, (session) => visiblePublishedTapes(session, { companyId }));
  const others = await localPaths(
    context.objects,
    published.flatMap(({ manifest }) => manifest.assets),
  );
  await assetIdsOnlyIn(lake, { paths: assetsPaths, others, atOnce: ASSET_IDS_AT_ONCE }, (ids) =>
    context.store.as(TAPE_WORKER, (session) => removeAssetIds(session, { companyId, ids })),
  );
}

async function reviewRemap(
  context: WorkerContext,
  engines: MappingEngines,
  { tapeId, mappingId }: RemapInput,
): Promise<ReviewedRemap> {
  const base = await openRerunBase(context, tapeId);
  const record = await readTapeRecord(context, tapeId, mappingId);
  const { cancellationSignal: signal } = Context.current();
  return withScratchFolder(context, async (folder) => {
    // Release the job's memory before the borrowing bases allocate theirs.
    const { made, compared } = await withJobLake(context, REVIEWING, async (lake) => {
      const withEngine: Tools['withEngine'] = (work) => engines.use(work, lake.watch);
      const tools = { lake, folder, signal: lake.stop, withEngine, onRead: progressInSteps() };
      const mapped = await mapAgain(context, base, record, tools);
      const before = { paths: base.assetsPaths, fields: base.compiled.fields };
      const after = { paths: [mapped.files.assets], fields: mapped.compiled.fields };
      return {
        made: mapped,
        compared: await lake.connected((connection) => comparedFields(connection, before, after)),
      };
    });
    signal.throwIfAborted();
    const { tape } = base;
    if (!tape.counts) throw new Error('a published tape has counts');
    const next = {
      manifest: { ...base.manifest, ...manifestOf(made.compiled, made.version) },
      parquetFiles: [made.files.assets],
    };
    return {
      before: countsOf(tape.counts),
      after: countsOf(made.counts),
      ...compared,
      balances: balancesOf(tape.statistics ?? null, made.statistics),
      correctedRows: cellsAfter(made.corrections).size,
      notes: await reviewNotes(context, base, next, { ...REVIEWING, signal }),
      calculates: await calculatesAgain(context, tapeId, true),
    };
  });
}

const countsOf = ({ assets, errored, discarded }: TapeCounts): ReviewedCounts => ({ assets, errored, discarded });

function balancesOf(before: AssetStatistics | null, after: AssetStatistics): ReviewedRemap['balances'] {
  const [was, is] = [before ? outstandingByCurrency(before) : [], outstandingByCurrency(after)];
  const inCurrency = (balances: typeof is, currency: string) =>
    balances.find((balance) => balance.currency === currency)?.sum ?? null;
  return [...new Set([...was, ...is].map(({ currency }) => currency))].sort().map((currency) => ({
    currency,
    before: inCurrency(was, currency),
    after: inCurrency(is, currency),
  }));
}
