import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Lake, openLake, readParquet } from '@tapeline/db/lake/lake.ts';
import { tapeStatistics } from '@tapeline/db/lake/statistics.ts';
import { writeBatchFile } from '@tapeline/workers/sheets/batch-file.ts';
import { inspectSheetFile } from '@tapeline/workers/sheets/inspect-sheet.ts';
import type { RawBatch } from '@tapeline/workers/sheets/raw-batch.ts';
import { readSheetBatches } from '@tapeline/workers/sheets/read-sheet.ts';
import { type CompiledMapping, compileMapping } from '@tapeline/workers/tape/compile/compile.ts';
import { transformPart } from '@tapeline/workers/tape/parts.ts';
import { settle } from '@tapeline/workers/tape/settle.ts';
import { TAPE_FACTS, TAPE_MAPPING } from '../tape-data/mapping.ts';

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

/**
 * A workbook to published parts with the functions that a worker's activities call, in their order and with their
 * engines: batches are transformed one at a time while the reader reads on, settled when all are there.
 */
export async function publishTape(workbook: string, folder: string): Promise<PublishedFile> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const started = performance.now();
  const head = await inspectSheetFile(workbook, { sheetName: TAPE_MAPPING.loanTapeSheetName });
  const sheet = { headers: head.columns.map((column) => column.header), epoch: head.epoch };
  const compiled = compileMapping(TAPE_MAPPING, sheet, TAPE_FACTS);

  const staged: string[] = [];
  const candidates: { assets: string; errored: string }[] = [];
  let transforming = Promise.resolve();
  const transform = async (index: number, part: string): Promise<void> => {
    const files = {
      assets: join(folder, `assets-${index}.parquet`),
      errored: join(folder, `errored-${index}.parquet`),
    };
    await inEngine(folder, 1, (lake) =>
      lake.connected((connection) => transformPart(connection, compiled, part, files)),
    );
    candidates.push(files);
  };
  const store = async (batch: RawBatch): Promise<void> => {
    const part = join(folder, `${batch.index}.batch`);
    await writeBatchFile(batch, part);
    staged.push(part);
    transforming = transforming.then(() => transform(batch.index, part));
  };
  let storing = Promise.resolve();
  for await (const batch of readSheetBatches(workbook, { headerRow: head.headerRow, batchRows: BATCH_ROWS })) {
    await storing;
    storing = store(batch);
  }
  await storing;
  const stagedMs = performance.now() - started;
  await transforming;
  const transformedMs = performance.now() - started;

  const assetsFile = join(folder, 'assets.parquet');
  const settled = await inEngine(folder, undefined, async (lake) => {
    const counts = await settle(lake, {
      assetsPaths: candidates.map((files) => files.assets),
      erroredPaths: candidates.map((files) => files.errored),
      stagedPath: async (place) => staged[place]!,
      originJson: compiled.originJson,
      columns: compiled.columns,
      unique: compiled.uniqueTargets,
      consistent: compiled.consistentTargets,
      earlier: null,
      folder,
      assetsFile,
      erroredFile: join(folder, 'errored.parquet'),
    });
    const names = new Set(compiled.columns.map((column) => column.name));
    await lake.connected((connection) => tapeStatistics(connection, readParquet([assetsFile]), names));
    return counts;
  });
  return { assetsFile, ...settled, compiled, stagedMs, transformedMs, settledMs: performance.now() - started };
}

async function inEngine<T>(folder: string, threads: number | undefined, work: (lake: Lake) => Promise<T>): Promise<T> {
  const spillFolder = join(folder, 'spill');
  const lake = await openLake({ spillFolder, ...(threads === undefined ? {} : { threads }) });
  try {
    return await work(lake);
  } finally {
    lake.close();
  }
}
