import { MAX_PAIRS } from '@tapeline/domain/duplicates/rules.ts';
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
import { makeBook } from './book.ts';

interface Searching extends Measurement {
  readonly right: number;
  readonly wrong: number;
  readonly loans: number;
}

const rows = numberOption('rows', 500_000);
const planted = numberOption('planted', 2000);
const rounds = numberOption('rounds', 3);
/** Limits of a search of this many loans or more, in seconds and MB. */
const LARGE = { rows: 5_000_000, seconds: 90, mb: 1024 };
if (planted > MAX_PAIRS) throw new Error(`a search names at most ${MAX_PAIRS} pairs`);
await makeBook(rows, planted);
const measure = new URL('measure.ts', import.meta.url);
const contenders = [
  script('join the same columns', measure, 'join', String(rows), String(planted)),
  script('find the same loan twice', measure, 'find', String(rows), String(planted)),
];
printLoad();
const [joining = [], finding = []] = await measureRounds<Searching>(contenders, rounds);
const size = `${rows.toLocaleString('en')} loans on four tapes, ${planted.toLocaleString('en')} planted`;
say(`${size}; medians of ${rounds}, fresh processes`);
report(contenders[0]!.name, joining);
report(contenders[1]!.name, finding);
if (joining.some(({ loans }) => loans < rows)) throw new Error('the join lost loans');
for (const { right, wrong, loans } of finding) {
  if (loans !== rows) throw new Error(`${loans} loans were searched, not ${rows}`);
  if (right < planted * 0.95) throw new Error(`only ${right} of ${planted} were found as certain or likely`);
  // Chance brings together more loans of a larger book: the limit is for books of 500,000.
  if (rows <= 500_000 && wrong > (right + wrong) * 0.05) throw new Error(`${wrong} of ${right + wrong} are false`);
}
if (rows >= LARGE.rows) {
  const seconds = medianMs(finding) / 1000;
  if (seconds > LARGE.seconds) throw new Error(`it took ${seconds.toFixed(0)} s, not ${LARGE.seconds}`);
  if (peakMb(finding) > LARGE.mb) throw new Error(`it took ${peakMb(finding)} MB, not ${LARGE.mb}`);
}
const { right = 0, wrong = 0 } = finding[0] ?? {};
const share = (part: number, of: number) => `${((100 * part) / of).toFixed(2)}%`;
say(
  `found ${right} of ${planted} planted (recall ${share(right, planted)}) and ${wrong} others (precision ${share(right, right + wrong)}); peak ${peakMb(finding)} MB`,
);
say(
  `ratio duplicates ${(medianMs(finding) / medianMs(joining)).toFixed(2)} (${size}, searched, against one DuckDB hash join of the same columns)`,
);
