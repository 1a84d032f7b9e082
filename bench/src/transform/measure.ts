import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLake, quoteText, readParquet } from '@tapeline/db/lake/lake.ts';
import { transformPart } from '@tapeline/workers/tape/parts.ts';
import { sayMeasured } from '../measuring/rounds.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { compileTapeMapping, makeStagedParts } from './staged-parts.ts';

// One measurement in a process of its own, part after part, each with an engine of one thread as the activities have it:
// `scan` reads the raw columns and writes them away, `transform` maps them.
const [mode, rows] = process.argv.slice(2);
const parts = await makeStagedParts(Number(rows));
const folder = await mkdtemp(join(DATA_FOLDER, 'transform-'));
const started = performance.now();
const total = { assets: 0, errored: 0 };
const compiled = compileTapeMapping();
for (const { batchFile, parquetFile } of parts) {
  const lake = await openLake({ threads: 1, spillFolder: join(folder, 'spill') });
  await lake.connected(async (connection) => {
    const files = { assets: join(folder, 'assets.parquet'), errored: join(folder, 'errored.parquet') };
    if (mode === 'scan') {
      const scan = `SELECT * FROM ${readParquet([parquetFile])}`;
      await connection.run(`COPY (${scan}) TO ${quoteText(files.assets)} (FORMAT parquet, COMPRESSION lz4)`);
      return;
    }
    const { assets, errored } = await transformPart(connection, compiled, batchFile, files);
    total.assets += assets;
    total.errored += errored;
  });
  lake.close();
}
const elapsedMs = performance.now() - started;
await rm(folder, { recursive: true, force: true });
sayMeasured({ elapsedMs, ...total });
