import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findDuplicates } from '@tapeline/lake/duplicates.ts';
import { openLake, readParquet } from '@tapeline/lake/lake.ts';
import { printMeasured } from '../measuring/rounds.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { COMPARED, makeBook } from './book.ts';

// One measurement in a separate process: `find` searches the book as the nightly run does, `join` joins the same
// columns with themselves by equality.
const [mode, rows, planted] = process.argv.slice(2);
const sources = await makeBook(Number(rows), Number(planted));
const folder = await mkdtemp(join(DATA_FOLDER, 'duplicates-'));
const lake = await openLake({ spillFolder: join(folder, 'spill'), memoryLimit: '450MB' });
const started = performance.now();
const figures = { right: 0, wrong: 0, loans: 0 };
if (mode === 'find') {
  const { pairs, loans } = await findDuplicates(lake, sources);
  figures.loans = loans;
  for (const { certainty, loans: pair } of pairs) {
    if (certainty === 'possible') continue;
    const [first, second] = pair.map(({ assetId }) => String(assetId).split('-')[0]);
    figures[first === second ? 'right' : 'wrong'] += 1;
  }
} else {
  await lake.connected(async (connection) => {
    const tapes = readParquet(sources.flatMap(({ paths }) => paths));
    const read = await connection.runAndReadAll(
      `SELECT count(*) FROM (SELECT ${COMPARED.join(', ')} FROM ${tapes}) l JOIN (SELECT ${COMPARED.join(', ')} FROM ${tapes}) r
         USING (${COMPARED.join(', ')})`,
    );
    figures.loans = Number(read.getRows()[0]?.[0]);
  });
}
const elapsedMs = performance.now() - started;
lake.close();
await rm(folder, { recursive: true, force: true });
printMeasured({ elapsedMs, ...figures });
