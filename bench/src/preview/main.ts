import {
  type Measurement,
  measureRounds,
  median,
  medianCpuMs,
  medianMs,
  numberOption,
  printLoad,
  report,
  say,
  script,
} from '../measuring/rounds.ts';
import { pythonPeers, pythonScript } from '../python-peers/environment.ts';
import { HEADERS, makeTapeWorkbook } from '../tape-data/workbook.ts';

interface Preview extends Measurement {
  readonly rows: number;
  readonly cells: number;
  readonly inspectedMs?: number;
}

const SHOWN_ROWS = 100;

const rows = numberOption('rows', 500_000);
const rounds = numberOption('rounds', 5);
const path = await makeTapeWorkbook(rows);
const contenders = [script('inspect and map the first rows', new URL('measure.ts', import.meta.url), path)];
const python = await pythonPeers();
if (python !== null) {
  contenders.push(pythonScript('fastexcel reads them', python, 'read_workbook.py', path, String(SHOWN_ROWS)));
}
printLoad();
const runs = await measureRounds<Preview>(contenders, rounds);
const [previewing = [], peer] = runs;
for (const run of runs.flat()) {
  if (run.rows !== SHOWN_ROWS || run.cells !== SHOWN_ROWS * HEADERS.length) {
    throw new Error(`previewed ${run.rows} rows and ${run.cells} cells`);
  }
}
say(
  `the first ${SHOWN_ROWS} rows of ${rows.toLocaleString('en')} x ${HEADERS.length}; medians of ${rounds}, fresh processes`,
);
for (const [index, contender] of contenders.entries()) report(contender.name, runs[index]!);
const inspectedMs = median(previewing.map((run) => run.inspectedMs ?? Number.NaN));
say(`shown as they are after ${inspectedMs.toFixed(0)} ms, mapped after ${medianMs(previewing).toFixed(0)} ms`);
if (peer === undefined) {
  say(
    `ratio preview ${(medianMs(previewing) / 2000).toFixed(2)} (mapped rows against the 2 seconds that a person readily waits)`,
  );
} else {
  say(`by processor time: ${(medianCpuMs(peer) / medianCpuMs(previewing)).toFixed(2)} times as fast`);
  const times = (medianMs(peer) / medianMs(previewing)).toFixed(2);
  say(`ratio preview ${times} (times as fast as fastexcel reads the same rows without mapping them)`);
}
