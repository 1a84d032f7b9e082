import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '../measuring/rounds.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { addUp, compileFor, finalizeParts, stageTape, transformFile, withLake } from './publish-tape.ts';

// The cost of each phase: one after another instead of overlapping, in one process.
const [workbook] = process.argv.slice(2);
if (workbook === undefined) throw new Error('usage: phases.ts WORKBOOK');
const folder = await mkdtemp(join(DATA_FOLDER, 'phases-'));

async function phase<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [before, started] = [process.cpuUsage(), performance.now()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const elapsed = (performance.now() - started).toFixed(0).padStart(7);
  say(`${name.padEnd(24)} ${((user + system) / 1000).toFixed(0).padStart(6)} ms of CPU, ${elapsed} ms`);
  return result;
}

try {
  const { headerRow, compiled } = await phase('inspect the head', () => compileFor(workbook));
  const parts = await phase('read and stage', () => stageTape(workbook, folder, headerRow, () => {}));
  await phase('transform', async () => {
    for (const part of parts) await transformFile(compiled, part);
  });
  await withLake(folder, async (lake) => {
    const { assetsFile } = await phase('finalize', () => finalizeParts(lake, folder, compiled, parts));
    await phase('statistics', () => addUp(lake, compiled, assetsFile));
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
