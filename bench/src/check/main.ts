import {
  type Measurement,
  measureRounds,
  medianCpuMs,
  medianMs,
  numberOption,
  printLoad,
  report,
  say,
  script,
} from '../measuring/rounds.ts';
import { HEADERS, makeTapeWorkbook } from '../tape-data/workbook.ts';
import { makeStagedParts } from '../transform/staged-parts.ts';

interface Checking extends Measurement {
  readonly rows: number;
  readonly assets: number;
  readonly errored: number;
}

const rows = numberOption('rows', 100_000);
const rounds = numberOption('rounds', 5);
await makeTapeWorkbook(rows);
await makeStagedParts(rows, 'workbook');
const measure = new URL('measure.ts', import.meta.url);
const contenders = [
  script('read every row', measure, 'read', String(rows)),
  script('transform the staged rows', measure, 'transform', String(rows)),
  script('read, stage and transform', measure, 'process', String(rows)),
  script('check', measure, 'check', String(rows)),
];
printLoad();
const measured = await measureRounds<Checking>(contenders, rounds);
const [reading = [], transforming = [], processing = [], checking = []] = measured;
if (measured.flat().some((each) => each.rows !== rows)) throw new Error(`Some rows of ${rows} were not read`);
const counts = [...transforming, ...processing].map(({ assets, errored }) => `${assets} and ${errored}`);
// Rows with an id that another row has are errored only once all rows are known, which the generated ids never need.
if (new Set([...counts, ...checking.map(({ assets, errored }) => `${assets} and ${errored}`)]).size !== 1) {
  throw new Error('The check counts other rows than the tape has');
}
const size = `${rows.toLocaleString('en')} x ${HEADERS.length}`;
say(`${size}; medians of ${rounds}, fresh processes`);
for (const [index, runs] of measured.entries()) report(contenders[index]!.name, runs);
const ratio = (of: (runs: readonly Measurement[]) => number, floor: readonly Measurement[]) =>
  (of(checking) / of(floor)).toFixed(2);
say(`check against reading ${ratio(medianMs, reading)}, ${ratio(medianCpuMs, reading)} by processor time`);
const beyond = (of: (runs: readonly Measurement[]) => number) =>
  ((of(checking) - of(reading)) / of(transforming)).toFixed(2);
say(`beyond reading, against transforming alone ${beyond(medianMs)}, ${beyond(medianCpuMs)} by processor time`);
say(
  `ratio check ${ratio(medianMs, processing)} (${size}, 16 rules, the counts and groups of every row of a file, against reading, staging and transforming it)`,
);
