import {
  type Measurement,
  measureRounds,
  medianCpuMs,
  medianMs,
  numberOption,
  option,
  printLoad,
  report,
  say,
  script,
} from '../measuring/rounds.ts';
import { pythonPeers, pythonScript } from '../python-peers/environment.ts';
import { HEADERS, makeTapeWorkbook } from '../tape-data/workbook.ts';

interface Reading extends Measurement {
  readonly rows: number;
  readonly cells: number;
  readonly bytes: number;
}

const rows = numberOption('rows', 100_000);
const rounds = numberOption('rounds', 5);
const peer = option('peer');
if (peer !== undefined && peer !== 'calamine') throw new Error(`--peer must be calamine or omitted, not ${peer}`);

const path = await makeTapeWorkbook(rows);
const measure = new URL('measure.ts', import.meta.url);
const contenders = [
  script('inflate the sheet', measure, 'inflate', path),
  script('read it into typed columns', measure, 'read', path),
];
const python = await pythonPeers();
if (python !== null) contenders.push(pythonScript('fastexcel (calamine) to polars', python, 'read_workbook.py', path));
printLoad();
const runs = await measureRounds<Reading>(contenders, rounds);
const [inflating = [], reading = [], calamine] = runs;
const cells = rows * HEADERS.length;
for (const run of [...reading, ...(calamine ?? [])]) {
  if (run.rows !== rows || run.cells !== cells) {
    throw new Error(`read ${run.rows} rows and ${run.cells} cells instead of ${rows} rows and ${cells} cells`);
  }
}
const size = `${rows.toLocaleString('en')} x ${HEADERS.length}`;
say(`${size}, ${Math.round(inflating[0]!.bytes / 2 ** 20)} MB of XML; medians of ${rounds}, fresh processes`);
for (const [index, contender] of contenders.entries()) report(contender.name, runs[index]!);
const readMs = medianMs(reading);
say(`${(cells / readMs / 1000).toFixed(1)} million cells a second`);
say(`by processor time: ${(medianCpuMs(reading) / medianCpuMs(inflating)).toFixed(2)} of inflating`);
const againstInflate = `${(readMs / medianMs(inflating)).toFixed(2)} (reading a ${size} sheet into typed columns against only inflating it)`;
const againstCalamine = calamine && `${(medianMs(calamine) / readMs).toFixed(2)} times as fast as fastexcel (calamine)`;
if (peer === 'calamine') {
  if (againstCalamine) say(`ratio xlsx-calamine ${againstCalamine.replace(' times', ` (${size}: times`)})`);
} else {
  if (againstCalamine) say(againstCalamine);
  say(`ratio xlsx ${againstInflate}`);
}
