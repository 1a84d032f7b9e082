import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Lake, openLake, readParquet } from '@tapeline/lake/lake.ts';
import { tapeStatistics } from '@tapeline/lake/statistics.ts';
import { writeBatchFile } from '@tapeline/sheets/batch-file.ts';
import { inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import { type CompiledMapping, compileMapping } from '@tapeline/workers/tape/compile/compile.ts';
import { finalize } from '@tapeline/workers/tape/finalize.ts';
import { MappingEngines } from '@tapeline/workers/tape/mapping-engines.ts';
import { transformPart } from '@tapeline/workers/tape/parts.ts';
import { TAPE_FACTS, TAPE_MAPPING } from '../tape-data/mapping.ts';
import { PartQueue } from './part-queue.ts';

const BATCH_ROWS = 100_000;

export interface PublishedFile {
  readonly assetsFile: string;
  readonly assets: number;
  readonly errored: number;
  readonly compiled: CompiledMapping;
  /** Milliseconds until every row was staged, transformed and finalized. */
  readonly stagedMs: number;
  readonly transformedMs: number;
  readonly finalizedMs: number;
}

/** The paths of a staged part and of its results. */
export interface PartFiles {
  readonly staged: string;
  readonly assets: string;
  readonly errored: string;
}

const filesOf = (folder: string, index: number): PartFiles => ({
  staged: join(folder, `${index}.batch`),
  assets: join(folder, `assets-${index}.parquet`),
  errored: join(folder, `errored-${index}.parquet`),
});

/** The head of a workbook, for which the bench's mapping is compiled. */
export async function compileFor(workbook: string): Promise<{ headerRow: number; compiled: CompiledMapping }> {
  const head = await inspectSheetFile(workbook, { sheetName: TAPE_MAPPING.loanTapeSheetName });
  const sheet = { headers: head.columns.map((column) => column.header), epoch: head.epoch };
  return { headerRow: head.headerRow, compiled: compileMapping(TAPE_MAPPING, sheet, TAPE_FACTS) };
}

/** A process reuses its engines for all parts, like a worker. */
let engines: MappingEngines | undefined;

/** Maps one part with a single-threaded engine, like the activity. */
export const transformFile = (compiled: CompiledMapping, files: PartFiles): Promise<unknown> => {
  engines ??= new MappingEngines(dirname(files.staged));
  return engines.use((engine) => transformPart(engine, compiled, files.staged, files));
};

/** Batches staged one after another, each stored while the next is read. */
export async function stageTape(
  workbook: string,
  folder: string,
  headerRow: number,
  onStaged: (files: PartFiles) => void,
): Promise<PartFiles[]> {
  const parts: PartFiles[] = [];
  const store = async (batch: RawBatch): Promise<void> => {
    const files = filesOf(folder, batch.index);
    await writeBatchFile(batch, files.staged);
    parts.push(files);
    onStaged(files);
  };
  let storing = Promise.resolve();
  for await (const batch of readSheetBatches(workbook, { headerRow, batchRows: BATCH_ROWS })) {
    await storing;
    storing = store(batch);
  }
  await storing;
  return parts;
}

/** Finalizes the parts, with an engine that uses all cores. */
export async function finalizeParts(
  lake: Lake,
  folder: string,
  compiled: CompiledMapping,
  parts: readonly PartFiles[],
) {
  const assetsFile = join(folder, 'assets.parquet');
  const counts = await finalize(lake, {
    assetsPaths: parts.map((files) => files.assets),
    erroredPaths: parts.map((files) => files.errored),
    stagedPath: async (index) => parts[index]!.staged,
    originJson: compiled.originJson,
    columns: compiled.columns,
    unique: compiled.uniqueTargets,
    consistent: compiled.consistentTargets,
    earlier: null,
    folder,
    assetsFile,
    erroredFile: join(folder, 'errored.parquet'),
  });
  return { ...counts, assetsFile };
}

/** The statistics that are published with the assets. */
export function addUp(lake: Lake, compiled: CompiledMapping, assetsFile: string) {
  const names = new Set(compiled.columns.map((column) => column.name));
  return lake.connected((connection) => tapeStatistics(connection, readParquet([assetsFile]), names));
}

/**
 * From a workbook to published parts with the functions that the workers' activities call, in the same order and with
 * the same engines. One process reads; the parts are transformed at the same time, and also by the reader once it has
 * finished reading.
 * @param helper transforms parts in another process, one at a time, like the product's second worker; if omitted, this
 *   process transforms while it reads
 */
export async function publishTape(
  workbook: string,
  folder: string,
  helper?: (files: PartFiles) => Promise<unknown>,
): Promise<PublishedFile> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const started = performance.now();
  const { headerRow, compiled } = await compileFor(workbook);
  const queue = new PartQueue<PartFiles>();
  const here = (files: PartFiles) => transformFile(compiled, files);
  const helping = queue.each(helper ?? here);
  const parts = await stageTape(workbook, folder, headerRow, (files) => queue.add(files));
  queue.end();
  const stagedMs = performance.now() - started;
  await Promise.all([helping, helper ? queue.each(here) : undefined]);
  const transformedMs = performance.now() - started;
  const finalized = await withLake(folder, async (lake) => {
    const made = await finalizeParts(lake, folder, compiled, parts);
    await addUp(lake, compiled, made.assetsFile);
    return made;
  });
  return { ...finalized, compiled, stagedMs, transformedMs, finalizedMs: performance.now() - started };
}

/** The engine that finalizes a tape and computes its statistics. */
export async function withLake<T>(folder: string, work: (lake: Lake) => Promise<T>): Promise<T> {
  const spillFolder = `${folder}-spill`;
  const lake = await openLake({ spillFolder });
  try {
    return await work(lake);
  } finally {
    lake.close();
    await rm(spillFolder, { recursive: true, force: true });
  }
}
