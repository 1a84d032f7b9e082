import {
  type Measurement,
  measureRounds,
  medianMs,
  numberOption,
  peakMb,
  printLoad,
  report,
  say,
  script,
} from '../measuring/rounds.ts';
import { HEADERS, makeTapeWorkbook } from '../tape-data/workbook.ts';

const [small, large] = [numberOption('rows', 1_000_000) / 10, numberOption('rows', 1_000_000)];
const rounds = numberOption('rounds', 5);
const measure = new URL('../tape/measure.ts', import.meta.url);
const contenders = [
  script(`${small.toLocaleString('en')} rows`, measure, await makeTapeWorkbook(small)),
  script(`${large.toLocaleString('en')} rows`, measure, await makeTapeWorkbook(large)),
];
printLoad();
const [few = [], many = []] = await measureRounds<Measurement>(contenders, rounds);
say(`file to published parts, ${HEADERS.length} columns, 16 rules; medians of ${rounds}, fresh processes`);
report(contenders[0]!.name, few);
report(contenders[1]!.name, many);
const times = large / small;
say(
  `ratio growth ${(medianMs(many) / medianMs(few) / times).toFixed(2)} (time of ${large.toLocaleString('en')} rows against ${times} times that of ${small.toLocaleString('en')}; peak RSS ${peakMb(few)} to ${peakMb(many)} MB)`,
);
