import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { printMeasured } from '../measuring/rounds.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { startHelper } from './helper.ts';
import { publishTape } from './publish-tape.ts';

// One measurement in fresh processes: from a workbook to published parts with two workers, as the product uses on two
// cores.
const [workbook] = process.argv.slice(2);
if (workbook === undefined) throw new Error('usage: measure.ts WORKBOOK');
const folder = await mkdtemp(join(DATA_FOLDER, 'published-'));
const helper = await startHelper(workbook);
try {
  const started = performance.now();
  const { assets, errored, stagedMs, transformedMs } = await publishTape(workbook, folder, helper.transform);
  const elapsedMs = performance.now() - started;
  printMeasured({ elapsedMs, assets, errored, stagedMs, transformedMs }, await helper.end());
} finally {
  await rm(folder, { recursive: true, force: true });
}
