import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLake, quoteText } from '@tapeline/lake/lake.ts';
import { readBatchFile, writeBatchFile } from '@tapeline/sheets/batch-file.ts';
import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import { type CompiledMapping, compileMapping } from '@tapeline/workers/tape/compile/compile.ts';
import { stageBatch } from '@tapeline/workers/tape/stage-batch.ts';
import { CSV_MAPPING, TAPE_FACTS, TAPE_MAPPING } from '../tape-data/mapping.ts';
import { CSV_HEADERS, DATA_FOLDER, HEADERS, makeTapeCsv, makeTapeWorkbook } from '../tape-data/workbook.ts';

export type TapeFormat = 'workbook' | 'csv';

const TAPES = {
  workbook: { make: makeTapeWorkbook, headers: HEADERS, mapping: TAPE_MAPPING },
  csv: { make: makeTapeCsv, headers: CSV_HEADERS, mapping: CSV_MAPPING },
} as const;

export const compileTapeMapping = (format: TapeFormat = 'workbook', mapping = TAPES[format].mapping): CompiledMapping =>
  compileMapping(mapping, { headers: TAPES[format].headers, epoch: 1900 }, TAPE_FACTS);

/** A staged part in two forms: as the worker stages it, and as Parquet with the raw columns that the mapping reads. */
export interface StagedPart {
  readonly batchFile: string;
  readonly parquetFile: string;
}

/** The staged parts of a generated tape, generated once and cached. */
export async function makeStagedParts(rows: number, format: TapeFormat): Promise<StagedPart[]> {
  const folder = join(DATA_FOLDER, `staged-${format}-${rows}-2`);
  if (!existsSync(folder)) {
    const making = `${folder}.part`;
    await rm(making, { recursive: true, force: true });
    await mkdir(making, { recursive: true });
    const { usedColumns } = compileTapeMapping(format);
    const lake = await openLake();
    for await (const batch of readSheetBatches(await TAPES[format].make(rows))) {
      const file = join(making, String(batch.index).padStart(5, '0'));
      await writeBatchFile(batch, `${file}.batch`);
      const read = await readBatchFile(`${file}.batch`, usedColumns);
      await lake.connected(async (connection) => {
        await stageBatch(connection, read, 'staged', usedColumns);
        await connection.run(`COPY staged TO ${quoteText(`${file}.parquet`)} (FORMAT parquet, COMPRESSION lz4)`);
        await connection.run('DROP TABLE staged');
      });
    }
    lake.close();
    await rename(making, folder);
  }
  const names = (await readdir(folder)).filter((name) => name.endsWith('.batch')).sort();
  return names.map((name) => ({
    batchFile: join(folder, name),
    parquetFile: join(folder, name.replace(/batch$/, 'parquet')),
  }));
}
