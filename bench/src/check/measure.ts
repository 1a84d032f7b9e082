import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLake } from '@tapeline/lake/lake.ts';
import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import { checkFile } from '@tapeline/workers/check/check-file.ts';
import { MappingEngine } from '@tapeline/workers/tape/mapping-engine.ts';
import { transformPart } from '@tapeline/workers/tape/parts.ts';
import { printMeasured } from '../measuring/rounds.ts';
import { compileFor, stageTape } from '../tape/publish-tape.ts';
import { TAPE_FACTS, TAPE_MAPPING } from '../tape-data/mapping.ts';
import { DATA_FOLDER, makeTapeWorkbook } from '../tape-data/workbook.ts';
import { compileTapeMapping, makeStagedParts } from '../transform/staged-parts.ts';

// One measurement in a separate process, with a single-threaded engine as in the activities: `read` reads every row,
// `transform` maps rows that are staged, `process` reads, stages and maps them as a tape, and `check` counts them.
const [mode, rows] = process.argv.slice(2);
const workbook = await makeTapeWorkbook(Number(rows));
const staged = mode === 'transform' ? await makeStagedParts(Number(rows), 'workbook') : [];
const folder = await mkdtemp(join(DATA_FOLDER, 'check-'));
const started = performance.now();
const total = { rows: 0, assets: 0, errored: 0 };
const openEngine = () => MappingEngine.open(folder, '2GiB', '20GB');
const count = (made: { assets: number; errored: number }): void => {
  total.assets += made.assets;
  total.errored += made.errored;
  total.rows += made.assets + made.errored;
};
if (mode === 'read') {
  for await (const batch of readSheetBatches(workbook)) total.rows += batch.rowCount;
} else if (mode === 'transform') {
  const engine = await openEngine();
  const files = { assets: join(folder, 'assets.parquet'), errored: join(folder, 'errored.parquet') };
  for (const { batchFile } of staged) count(await transformPart(engine, compileTapeMapping(), batchFile, files));
  engine.close();
} else if (mode === 'process') {
  const { headerRow, compiled } = await compileFor(workbook);
  const engine = await openEngine();
  for (const part of await stageTape(workbook, folder, headerRow, () => {})) {
    count(await transformPart(engine, compiled, part.staged, part));
  }
  engine.close();
} else {
  const engine = await openEngine();
  const lake = await openLake({ spillFolder: join(folder, 'spill') });
  const input = { path: workbook, sheetName: TAPE_MAPPING.loanTapeSheetName, rules: TAPE_MAPPING.rules };
  count(
    await checkFile(
      { ...input, facts: TAPE_FACTS, earlier: null, batchRows: 100_000 },
      {
        withEngine: (work) => work(engine),
        connected: lake.connected,
        folder,
        signal: new AbortController().signal,
      },
    ),
  );
  lake.close();
  engine.close();
}
const elapsedMs = performance.now() - started;
await rm(folder, { recursive: true, force: true });
printMeasured({ elapsedMs, ...total });
