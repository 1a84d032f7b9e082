import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { rollForwardOf } from '@tapeline/domain/pools/roll-forward.ts';
import { openLake, readParquet } from '@tapeline/lake/lake.ts';
import { pairedTapes, rollCells } from '@tapeline/lake/roll-forward.ts';
import { printMeasured } from '../measuring/rounds.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { makeTapes, READ } from './tapes.ts';

// One measurement in a separate process: `roll` explains the change between two tapes, `join` joins the same columns by
// id and adds up both balances.
const [mode, rows] = process.argv.slice(2);
const pair = await makeTapes(Number(rows));
const folder = await mkdtemp(join(DATA_FOLDER, 'roll-forward-'));
const lake = await openLake({ spillFolder: join(folder, 'spill'), memoryLimit: '450MB' });
const started = performance.now();
let figures = { opening: '', closing: '', changed: '', lines: 0 };
if (mode === 'roll') {
  const paired = await pairedTapes(lake, pair);
  if (!paired) throw new Error('the tapes cannot be compared');
  const [roll] = rollForwardOf(await rollCells(lake, paired)).currencies;
  figures = {
    opening: roll?.opening.balance ?? '',
    closing: roll?.closing.balance ?? '',
    changed: sum(roll?.changes.map(({ change }) => change) ?? []),
    lines: roll?.changes.length ?? 0,
  };
} else {
  await lake.connected(async (connection) => {
    const tape = ({ paths }: typeof pair.before) => `(SELECT ${READ.join(', ')} FROM ${readParquet(paths)})`;
    const lowest = READ.map((name) => `min(b.${name}), min(a.${name})`).join(', ');
    const read = await connection.runAndReadAll(
      `SELECT sum(b."sums.outstandingSum")::VARCHAR, sum(a."sums.outstandingSum")::VARCHAR, ${lowest}
       FROM ${tape(pair.before)} b FULL JOIN ${tape(pair.after)} a ON a."assetId" = b."assetId"`,
    );
    const [opening, closing] = (read.getRows()[0] ?? []).slice(0, 2).map((value) => sum([String(value)]));
    figures = { ...figures, opening: opening ?? '', closing: closing ?? '' };
  });
}
const elapsedMs = performance.now() - started;
lake.close();
await rm(folder, { recursive: true, force: true });
printMeasured({ elapsedMs, ...figures });
