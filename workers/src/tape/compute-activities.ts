import { join } from 'node:path';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { publishGeneration, recordEnd, updateProgress } from '@tapeline/db/operations/tapes/generations.ts';
import { earlierTapesInProgress, generationPrefix } from '@tapeline/db/operations/tapes/tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import type { Lake } from '@tapeline/lake/lake.ts';
import { publishOffered } from '@tapeline/lake/storage/attempt-objects.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import type {
  ProcessedTape,
  PublishedTape,
  ReadResult,
  StagedBatch,
  TapeAttempt,
  TapeComputeActivities,
  TransformedBatch,
} from '@tapeline/workflows/loan-tape/activities.ts';
import { advance, carry, resume, type TapeEvent, type TapeState } from '@tapeline/workflows/loan-tape/state.ts';
import { Context } from '@temporalio/activity';
import { calculateNote } from '../borrowing-base/calculate.ts';
import type { WorkerContext } from '../context.ts';
import { searchAfterTape } from '../duplicates/search-after-tape.ts';
import { withJobLake } from '../job-lake.ts';
import { withinLimits } from '../job-limits.ts';
import { withScratchFolder } from '../scratch.ts';
import { beginTape, type OpenAttempt, openAttempt } from './begin-tape.ts';
import { changesDoubtOf } from './changes-doubt.ts';
import type { CompiledMapping } from './compile/compile.ts';
import { CompiledAttempts } from './compiled-attempts.ts';
import { earlierTape } from './earlier-tape.ts';
import { finalize } from './finalize.ts';
import { manifestOf, statisticsOf } from './made-of.ts';
import { MappingEngines } from './mapping-engines.ts';
import { signalNextTape } from './next-tape.ts';
import { transformPart } from './parts.ts';
import { readTape } from './read-tape.ts';
import { reportEnded } from './report-ended.ts';
import { storeAssetIds } from './search-assets.ts';
import { discardStaged, tapeKeys } from './tape-objects.ts';
import { readTapeRecord, TAPE_WORKER } from './tape-record.ts';

/** Time limits. A batch normally takes seconds. Both limits end before Temporal would retry. */
const MAPPING = { what: 'Mapping a part of the tape', seconds: 600 };
const SETTLING = { what: 'Comparing all rows of the tape', seconds: 1_740 };

/** The tape activities that compute. A worker runs as many of them at once as it has cores available. */
export function createTapeComputeActivities(context: WorkerContext): TapeComputeActivities {
  const engines = new MappingEngines(context.scratchFolder, context.jobMemory, context.jobSpill);
  const compiled = new CompiledAttempts(context);
  const oneByOne: Publish = async (attempt, opened, made, following) => {
    // A worker that published this attempt was gone before it could tell. What it published is not written again.
    if (opened.tape.generationId === attempt.generationId) return publishedOf(context, opened.tape);
    return withJobLake(context, SETTLING, (lake, folder) =>
      finalizeTape(context, { lake, folder }, attempt, opened, made, following),
    );
  };
  return {
    processTape: ({ tapeId, progress }) => processTape(context, engines, tapeId, progress, oneByOne),
    async publishTape({ read, transformed, ...attempt }) {
      if (await waitsForEarlier(context, attempt.tapeId)) return null;
      return oneByOne(attempt, await openAttempt(context, attempt), { read, transformed });
    },
    transformBatch: async ({ batch, ...attempt }) =>
      transformBatch(context, engines, await compiled.of(attempt), attempt, batch),
    finalizeTape: async ({ read, transformed, ...attempt }) =>
      oneByOne(attempt, await openAttempt(context, attempt), { read, transformed }),
    calculateBorrowingBase: ({ tapeId, note }) =>
      withScratchFolder(context, (folder) =>
        calculateNote(context, folder, tapeId, note, Context.current().cancellationSignal),
      ),
  };
}

/** All that an attempt has read and transformed. */
interface MadeParts {
  readonly read: ReadResult;
  readonly transformed: readonly TransformedBatch[];
}

/** What is done with a tape that is published, while its files are still open. */
interface Following {
  /** In the transaction that publishes it. */
  readonly atOnce: (session: Session, published: PublishedTape) => Promise<void>;
  readonly after: (lake: Lake, assetsFile: string) => Promise<void>;
}

type Publish = (
  attempt: TapeAttempt,
  opened: Pick<OpenAttempt, 'tape' | 'compiled'>,
  made: MadeParts,
  following?: Following,
) => Promise<PublishedTape>;

const waitsForEarlier = (context: WorkerContext, tapeId: string): Promise<boolean> =>
  context.store.read(TAPE_WORKER, async (session) => (await earlierTapesInProgress(session, tapeId)).length > 0);

/**
 * Parts of a tape that are transformed in one step. The others of a small file that expands to more gain from several
 * workers, and would take longer together than a step may.
 */
const MAX_PARTS_AT_ONCE = 3;

/** Progress that is written down no more often than this, in milliseconds: most small tapes are done before. */
const RECORD_EVERY_MS = 1000;

/**
 * Takes a small tape as far as it goes: to its end, unless borrowing bases follow, until it waits for earlier tapes of the
 * company, or until it is read, if it has many parts.
 */
async function processTape(
  context: WorkerContext,
  engines: MappingEngines,
  tapeId: string,
  begunProgress: TapeProgress,
  publish: Publish,
): Promise<ProcessedTape> {
  const record = await readTapeRecord(context, tapeId);
  // A worker that published the tape was gone before it could tell.
  if (record.tape.generationId !== null) return publishedBefore(context, record.tape, begunProgress);
  const started = await beginTape(context, record);
  // Nor could one that published it since the record was read.
  if (!started) return publishedBefore(context, (await readTapeRecord(context, tapeId)).tape, begunProgress);
  const { attempt, ...opened } = started;
  let state = resume({ staged: [], transformed: [], read: null, progress: begunProgress });
  let recordedAt = Date.now();
  const happen = async (event: TapeEvent) => {
    state = advance(state, event, Date.now());
    Context.current().cancellationSignal.throwIfAborted();
    if (Date.now() - recordedAt >= RECORD_EVERY_MS) await keep();
  };
  const keep = async () => {
    recordedAt = Date.now();
    const { progress } = state;
    await context.store.as(TAPE_WORKER, (session) => updateProgress(session, { tapeId, progress }));
  };
  const read = await readTape(context, attempt, opened, (batch) => happen({ type: 'batchStaged', batch }));
  await happen({ type: 'readFinished', read });
  const { calculateBB } = opened.tape;
  const begun = { attempt, calculateBB };
  if (read.batches.length > MAX_PARTS_AT_ONCE) return { begun, state: carry(state), published: null };
  const transformed: TransformedBatch[] = [];
  for (const batch of read.batches) {
    const made = await transformBatch(context, engines, opened.compiled, attempt, batch);
    transformed.push(made);
    await happen({ type: 'batchTransformed', batch: made });
  }
  await happen({ type: 'stageReached', stage: 'finalize' });
  const waits = await waitsForEarlier(context, tapeId);
  // The sweep finds those that wait by what is recorded.
  if (waits) await keep();
  if (waits || calculateBB) {
    const published = waits ? null : await publish(attempt, opened, { read, transformed });
    return { begun, state: carry(state), published };
  }
  let ended = state;
  let isSearchable = false;
  const published = await publish(
    attempt,
    opened,
    { read, transformed },
    {
      async atOnce(session, made) {
        ended = endOf(state, made);
        await recordEnd(session, { tapeId, progress: ended.progress });
      },
      async after(lake, assetsFile) {
        isSearchable = await isDone(context, () => storeAssetIds(context, lake, { tapeId, paths: [assetsFile] }));
      },
    },
  );
  const isEnded = isSearchable && (await isDone(context, () => discardStaged(context, attempt)));
  if (!isEnded) return { begun, state: carry(state), published };
  await searchAfterTape(context, tapeId);
  reportEnded(context, tapeId, 'done', ended.progress);
  return { begun, state: carry(ended), published, isEnded };
}

/** The state of a tape with which its job ends: no borrowing base follows. */
const endOf = (state: TapeState, { errored }: PublishedTape): TapeState =>
  [
    { type: 'stageReached', stage: 'publish' } as const,
    { type: 'published', errored } as const,
    { type: 'finished' } as const,
  ].reduce((reached: TapeState, event) => advance(reached, event, Date.now()), state);

/**
 * Whether what follows the publication could be done. If not, the workflow ends the tape, which repeats it until it can:
 * a published tape must not fail.
 */
async function isDone({ log }: Pick<WorkerContext, 'log'>, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    log.warn({ err: error }, 'what follows the publication of a tape is left to its workflow');
    return false;
  }
}

/** What was published of a tape. Tells the next tape, as whoever published it may not have. */
async function publishedOf(context: WorkerContext, { id, generationId, counts }: LoanTape): Promise<PublishedTape> {
  if (!generationId || !counts) throw new Error(`the tape ${id} is not published`);
  await signalNextTape(context, id);
  return { generationId, assets: counts.assets, errored: counts.errored };
}

async function publishedBefore(
  context: WorkerContext,
  tape: LoanTape,
  begunProgress: TapeProgress,
): Promise<ProcessedTape> {
  const published = await publishedOf(context, tape);
  const { id: tapeId, fence, calculateBB } = tape;
  const { generationId, errored } = published;
  const dataRows = tape.counts?.dataRows ?? 0;
  const done = { rowsRead: dataRows, rowsTransformed: dataRows, rowsErrored: errored };
  const state = resume({ staged: [], transformed: [], read: null, progress: { ...begunProgress, ...done } });
  return {
    begun: {
      attempt: { tapeId, generationId, fencingToken: fence, objectPrefix: generationPrefix(tapeId, generationId) },
      calculateBB,
    },
    state: carry(state),
    published,
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
  { tape, compiled }: Pick<OpenAttempt, 'tape' | 'compiled'>,
  { read, transformed }: MadeParts,
  following?: Following,
): Promise<PublishedTape> {
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
  const statistics = await lake.connected((connection) => statisticsOf(connection, files.assets, compiled));
  const manifest = manifestOf(compiled, { id: tape.mappingId, version: tape.mappingVersion });
  const made = { paths: [files.assets], columns: manifest.columns };
  const earlier = manifest.unstableIds ? null : input.earlier;
  const changes = await changesDoubtOf(context, lake, tape, { after: made, earlier });
  const keys = tapeKeys(attempt);
  await Promise.all([
    context.objects.putFile(keys.assets, files.assets),
    context.objects.putFile(keys.errored, files.errored),
  ]);
  const published = { generationId: attempt.generationId, ...finalized };
  let isAsked = false;
  const publish = async (session: Session) => {
    const { questions } = await publishGeneration(session, {
      ...attempt,
      manifest: {
        assets: [keys.assets],
        errored: [keys.errored],
        ...manifest,
      },
      changes,
      counts: {
        dataRows: read.dataRows,
        ...finalized,
        discarded: 0,
        blankRows: read.blankRows,
        ...(read.sheet ? { sheet: read.sheet } : {}),
      },
      statistics,
    });
    isAsked = questions.length > 0;
    if (!isAsked) await following?.atOnce(session, published);
  };
  await publishOffered(context.objects, attempt, () => context.store.as(TAPE_WORKER, publish));
  // The job ends as if it had failed: nothing of it is published, and it starts again once a person has answered.
  if (isAsked) throw new Refusal('badRequest', 'The tape has an open question');
  await signalNextTape(context, attempt.tapeId);
  await following?.after(lake, files.assets);
  return published;
}
