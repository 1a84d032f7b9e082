import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLake, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import { MappingEngine } from '@tapeline/workers/tape/mapping-engine.ts';
import { PART_PARQUET } from '@tapeline/workers/tape/part-format.ts';
import { transformPart } from '@tapeline/workers/tape/parts.ts';
import { printMeasured } from '../measuring/rounds.ts';
import { ERRORED_MAPPING } from '../tape-data/mapping.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { compileTapeMapping, makeStagedParts } from './staged-parts.ts';

// One measurement in a separate process, part after part, with a single-threaded engine as in the activities: `scan`
// reads the raw columns and writes them like parts, `transform` maps them, `errored` maps them by rules that every row
// fails, and `csv` maps the same tape sent as CSV, in which every cell is a text.
const [mode, rows] = process.argv.slice(2);
const format = mode === 'csv' ? 'csv' : 'workbook';
const parts = await makeStagedParts(Number(rows), format);
const folder = await mkdtemp(join(DATA_FOLDER, 'transform-'));
const started = performance.now();
const total = { assets: 0, errored: 0 };
const compiled = compileTapeMapping(format, mode === 'errored' ? ERRORED_MAPPING : undefined);
const files = { assets: join(folder, 'assets.parquet'), errored: join(folder, 'errored.parquet') };
if (mode === 'scan') {
  const lake = await openLake({ threads: 1, spillFolder: join(folder, 'spill') });
  for (const { parquetFile } of parts) {
    const scan = `SELECT * FROM ${readParquet([parquetFile])}`;
    await lake.connected((connection) =>
      connection.run(`COPY (${scan}) TO ${quoteText(files.assets)} ${PART_PARQUET}`),
    );
  }
  lake.close();
} else {
  const engine = await MappingEngine.open(folder, '2GiB', '20GB');
  for (const { batchFile } of parts) {
    const { assets, errored } = await transformPart(engine, compiled, batchFile, files);
    total.assets += assets;
    total.errored += errored;
  }
  engine.close();
}
const elapsedMs = performance.now() - started;
await rm(folder, { recursive: true, force: true });
printMeasured({ elapsedMs, ...total });
