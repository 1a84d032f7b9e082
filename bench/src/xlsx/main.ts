import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeTapeWorkbook } from './tape-workbook.ts';

const ROWS = 100_000;
const COLUMNS = 40;
const ROUNDS = 5;

interface Measurement {
  readonly elapsedMs: number;
  readonly rows: number;
  readonly cells: number;
  readonly bytes: number;
  readonly peakBytes: number;
}

const run = promisify(execFile);

/** Measures once in a fresh process, so that neither warm code nor a grown heap carries over. */
async function measure(mode: 'inflate' | 'read', path: string): Promise<Measurement> {
  const script = fileURLToPath(new URL('measure.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [script, mode, path]);
  return JSON.parse(stdout) as Measurement;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}

const cache = join(fileURLToPath(new URL('../../..', import.meta.url)), '.cache', 'bench');
const path = await makeTapeWorkbook(cache, ROWS, COLUMNS);
const inflating: Measurement[] = [];
const reading: Measurement[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  // interleaved, so that a busy machine slows both
  inflating.push(await measure('inflate', path));
  reading.push(await measure('read', path));
}
const { bytes } = inflating[0]!;
const { rows, cells } = reading[0]!;
if (rows !== ROWS || cells !== ROWS * COLUMNS) {
  throw new Error(`read ${rows} rows and ${cells} cells instead of ${ROWS} rows of ${COLUMNS}`);
}
const floorMs = median(inflating.map((run) => run.elapsedMs));
const readMs = median(reading.map((run) => run.elapsedMs));
const peakMb = (runs: readonly Measurement[]): string =>
  `${Math.round(Math.max(...runs.map((run) => run.peakBytes)) / 2 ** 20)} MB`;
const line = (name: string, ms: number, runs: readonly Measurement[]): string =>
  `${name.padEnd(28)} ${ms.toFixed(0).padStart(6)} ms   peak RSS ${peakMb(runs)}   (${runs.map((run) => run.elapsedMs.toFixed(0)).join(', ')})`;
process.stdout.write(
  `${ROWS.toLocaleString('en')} rows x ${COLUMNS} columns, ${Math.round(bytes / 2 ** 20)} MB of XML; medians of ${ROUNDS}, fresh processes\n`,
);
process.stdout.write(`${line('inflate the sheet', floorMs, inflating)}\n`);
process.stdout.write(`${line('read it into typed columns', readMs, reading)}\n`);
process.stdout.write(`${(cells / readMs / 1000).toFixed(1)} million cells a second\n`);
process.stdout.write(
  `ratio xlsx ${(readMs / floorMs).toFixed(2)} (reading a 100,000 x 40 sheet into typed columns against merely inflating it)\n`,
);
