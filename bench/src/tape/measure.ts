import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sayMeasured } from '../measuring/rounds.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { publishTape } from './publish-tape.ts';

// One measurement in a process of its own: a workbook to published parts.
const [workbook] = process.argv.slice(2);
if (workbook === undefined) throw new Error('usage: measure.ts WORKBOOK');
const folder = await mkdtemp(join(DATA_FOLDER, 'published-'));
try {
  const started = performance.now();
  const { assets, errored, stagedMs, transformedMs } = await publishTape(workbook, folder);
  const elapsedMs = performance.now() - started;
  sayMeasured({ elapsedMs, assets, errored, stagedMs, transformedMs });
} finally {
  await rm(folder, { recursive: true, force: true });
}
