import {
  type Measurement,
  measureRounds,
  median,
  medianMs,
  numberOption,
  printLoad,
  say,
  script,
} from '../measuring/rounds.ts';
import { BODIES, WORST_BODY } from './bodies.ts';

interface Parsing extends Measurement {
  readonly bytes: number;
  /** Until the body was there, threads included; `elapsedMs` is the processor time of the event loop's thread. */
  readonly wholeMs: number;
}

const rounds = numberOption('rounds', 5);
const times = String(numberOption('times', 20));
const measure = new URL('measure.ts', import.meta.url);
const ratios: number[] = [];
printLoad();
for (const name of [...Object.keys(BODIES), WORST_BODY]) {
  const contenders = [
    script('JSON.parse', measure, 'plain', name, times),
    script('the reader', measure, 'exact', name, times),
  ];
  const [plain = [], exact = []] = await measureRounds<Parsing>(contenders, rounds);
  const ratio = medianMs(exact) / medianMs(plain);
  ratios.push(ratio);
  const size = ((plain[0]?.bytes ?? 0) / 2 ** 20).toFixed(1);
  say(
    `${name}, ${size} MB: ${medianMs(exact).toFixed(1)} ms against ${medianMs(plain).toFixed(1)} ms of JSON.parse, ${ratio.toFixed(2)} times; there after ${median(exact.map(({ wholeMs }) => wholeMs)).toFixed(1)} ms`,
  );
}
say(
  `ratio json ${Math.max(...ratios).toFixed(2)} (JSON with exact numbers against JSON.parse, by the processor time of the event loop's thread, the slowest of ${ratios.length} bodies, medians of ${rounds})`,
);
