import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Lake, openLake, readParquet } from '@tapeline/db/lake/lake.ts';
import { tapeStatistics } from '@tapeline/db/lake/statistics.ts';
import { writeBatchFile } from '@tapeline/workers/sheets/batch-file.ts';
import { inspectSheetFile } from '@tapeline/workers/sheets/inspect-sheet.ts';
import type { RawBatch } from '@tapeline/workers/sheets/raw-batch.ts';
import { readSheetBatches } from '@tapeline/workers/sheets/read-sheet.ts';
import { type CompiledMapping, compileMapping } from '@tapeline/workers/tape/compile/compile.ts';
import { MappingEngines } from '@tapeline/workers/tape/mapping-engines.ts';
import { transformPart } from '@tapeline/workers/tape/parts.ts';
import { settle } from '@tapeline/workers/tape/settle.ts';
import { TAPE_FACTS, TAPE_MAPPING } from '../tape-data/mapping.ts';
import { PartQueue } from './part-queue.ts';

const BATCH_ROWS = 100_000;

export interface PublishedFile {
  readonly assetsFile: string;
  readonly assets: number;
  readonly errored: number;
  readonly compiled: CompiledMapping;
  /** Milliseconds until every row was staged, transformed and settled. */
  readonly stagedMs: number;
  readonly transformedMs: number;
  readonly settledMs: number;
}

/** Where a staged part lies, and where what becomes of it does. */
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

/** The head of a workbook as the bench's mapping is compiled for it. */
export async function compileFor(workbook: string): Promise<{ headerRow: number; compiled: CompiledMapping }> {
  const head = await inspectSheetFile(workbook, { sheetName: TAPE_MAPPING.loanTapeSheetName });
  const sheet = { headers: head.columns.map((column) => column.header), epoch: head.epoch };
  return { headerRow: head.headerRow, compiled: compileMapping(TAPE_MAPPING, sheet, TAPE_FACTS) };
}

/** A process keeps its engines from part to part, as a worker does. */
let engines: MappingEngines | undefined;

/** One part by the mapping, with an engine of one thread, as the activity does it. */
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

/** Settles the parts, with an engine of all cores. */
export async function settleParts(lake: Lake, folder: string, compiled: CompiledMapping, parts: readonly PartFiles[]) {
  const assetsFile = join(folder, 'assets.parquet');
  const counts = await settle(lake, {
    assetsPaths: parts.map((files) => files.assets),
    erroredPaths: parts.map((files) => files.errored),
    stagedPath: async (place) => parts[place]!.staged,
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
 * A workbook to published parts with the functions that the workers' activities call, in their order and with their
 * engines. One process reads; the parts are transformed meanwhile, and by the reader as well once it is done reading.
 * @param helper transforms parts in another process, one at a time, as the product's second worker does; this process
 *   transforms while it reads where it is left out.
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
  const settled = await withLake(folder, async (lake) => {
    const made = await settleParts(lake, folder, compiled, parts);
    await addUp(lake, compiled, made.assetsFile);
    return made;
  });
  return { ...settled, compiled, stagedMs, transformedMs, settledMs: performance.now() - started };
}

/** The engine that a tape is settled with, and its statistics made. */
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
