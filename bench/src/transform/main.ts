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
import { HEADERS } from '../tape-data/workbook.ts';
import { makeStagedParts } from './staged-parts.ts';

interface Transforming extends Measurement {
  readonly assets: number;
  readonly errored: number;
}

const rows = numberOption('rows', 500_000);
const rounds = numberOption('rounds', 5);
const parts = await makeStagedParts(rows, 'workbook');
await makeStagedParts(rows, 'csv');
const measure = new URL('measure.ts', import.meta.url);
const contenders = [
  script('scan and write the raw columns', measure, 'scan', String(rows)),
  script('transform by 16 rules', measure, 'transform', String(rows)),
  script('transform, every row errored', measure, 'errored', String(rows)),
  script('transform, sent as CSV', measure, 'csv', String(rows)),
];
printLoad();
const [scanning = [], transforming = [], erring = [], ofCsv = []] = await measureRounds<Transforming>(
  contenders,
  rounds,
);
for (const { assets, errored } of [...transforming, ...erring, ...ofCsv]) {
  if (assets + errored !== rows) throw new Error(`${assets} assets and ${errored} errored rows are not ${rows}`);
}
const size = `${rows.toLocaleString('en')} x ${HEADERS.length}`;
say(`${size} in ${parts.length} staged parts; medians of ${rounds}, fresh processes`);
report(contenders[0]!.name, scanning);
report(contenders[1]!.name, transforming);
report(contenders[2]!.name, erring);
report(contenders[3]!.name, ofCsv);
if (erring.some(({ assets }) => assets > 0)) throw new Error('a row that fails a rule became an asset');
say(
  `CSV ${(medianCpuMs(ofCsv) / medianCpuMs(transforming)).toFixed(2)} times the processor time of the workbook, ${(medianMs(ofCsv) / medianMs(transforming)).toFixed(2)} times as long`,
);
say(
  `errored rows ${(medianCpuMs(erring) / medianCpuMs(transforming)).toFixed(2)} times the processor time of assets, ${(medianMs(erring) / medianMs(transforming)).toFixed(2)} times as long`,
);
say(
  `ratio transform ${(medianMs(transforming) / medianMs(scanning)).toFixed(2)} (${size}, 16 rules, staged parts to asset parts, against a bare DuckDB scan and write of the columns the rules read)`,
);
