import { add } from '@tapeline/domain/money/decimal.ts';
import {
  type Measurement,
  measureRounds,
  medianCpuMs,
  medianMs,
  numberOption,
  peakMb,
  printLoad,
  report,
  say,
  script,
} from '../measuring/rounds.ts';
import { makeTapes } from './tapes.ts';

interface Rolling extends Measurement {
  readonly opening: string;
  readonly closing: string;
  readonly changed: string;
  readonly lines: number;
}

const rows = numberOption('rows', 1_000_000);
const rounds = numberOption('rounds', 5);
await makeTapes(rows);
const measure = new URL('measure.ts', import.meta.url);
const contenders = [
  script('join the same columns', measure, 'join', String(rows)),
  script('roll forward', measure, 'roll', String(rows)),
];
printLoad();
const [joining = [], rolling = []] = await measureRounds<Rolling>(contenders, rounds);
const size = `two tapes of ${rows.toLocaleString('en')} assets`;
say(`${size}; medians of ${rounds}, fresh processes`);
report(contenders[0]!.name, joining);
report(contenders[1]!.name, rolling);
for (const { opening, closing, changed, lines } of rolling) {
  if (opening !== joining[0]?.opening || closing !== joining[0].closing)
    throw new Error('the balances are not those of the tapes');
  if (add(opening, changed) !== closing) throw new Error('the lines do not add up');
  if (lines < 5) throw new Error(`only ${lines} lines have assets`);
}
const byCpu = medianCpuMs(rolling) / medianCpuMs(joining);
say(`${byCpu.toFixed(2)} by processor time; peak ${peakMb(rolling)} MB`);
say(
  `ratio roll-forward ${(medianMs(rolling) / medianMs(joining)).toFixed(2)} (${size}, against one DuckDB full join of the same columns)`,
);
