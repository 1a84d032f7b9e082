import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DATA_FOLDER, makeTapeWorkbook } from '../tape-data/workbook.ts';
import { publishTape } from './publish-tape.ts';

/** The generated tape as published; generated once and cached. */
export async function publishedTape(rows: number): Promise<string> {
  const kept = join(DATA_FOLDER, `published-${rows}-2.parquet`);
  if (!existsSync(kept)) {
    const folder = join(DATA_FOLDER, `publishing-${rows}`);
    const { assetsFile } = await publishTape(await makeTapeWorkbook(rows), folder);
    await rename(assetsFile, kept);
    await rm(folder, { recursive: true });
  }
  return kept;
}
