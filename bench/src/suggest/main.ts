import { HOLDOUT, TUNED } from '@tapeline/domain/tapes/suggest/testing/corpus.ts';
import {
  bandsOf,
  type CorpusScore,
  LIMITS,
  scoreTape,
  totalOf,
} from '@tapeline/domain/tapes/suggest/testing/corpus-score.ts';
import type { CorpusTape } from '@tapeline/domain/tapes/suggest/testing/corpus-tape.ts';
import { numberOption, say } from '../measuring/rounds.ts';
import { tableOf } from './table.ts';

const seeds = numberOption('seeds', 3);
/** Every tape is measured, or every second, every third and so on. */
const every = numberOption('every', 1);
const percent = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
const recallOf = ({ labelled, missed }: CorpusScore): number => (labelled - missed.length) / labelled;
const BAND_NAMES: Readonly<Record<number, string>> = { 0.9: '90 % and more', 0.6: '60 to 90 %', 0: 'below 60 %, off' };

/** Prints how often the suggestions of each confidence are right, and how many columns have theirs: both have limits. */
function measured(name: string, corpus: readonly CorpusTape[]): CorpusScore {
  const tapes = corpus.filter((_, index) => index % every === 0);
  const score = totalOf(
    Array.from({ length: seeds }, (_, seed) => totalOf(tapes.map((tape) => scoreTape(tape, seed + 7)))),
  );
  say(`${name}: ${tapes.length} tapes, values of ${seeds} seeds`);
  for (const { from, right, wrong, on } of bandsOf(score)) {
    const all = right + wrong.length;
    say(`  ${(BAND_NAMES[from] ?? '').padEnd(16)} right ${percent(right, all)}`);
    if (from === 0 && on > 0) throw new Error(`${on} suggestions below 60 % are on`);
    const least = LIMITS.precision.find((limit) => limit.from === from);
    if (least && right < all * least.share) throw new Error(`fewer than ${least.share} of ${name} are right`);
  }
  say(`  ${'recall'.padEnd(16)} ${percent(score.labelled - score.missed.length, score.labelled)} at 60 % and more`);
  if (recallOf(score) < LIMITS.recall) throw new Error(`the recall of ${name} is below ${LIMITS.recall}`);
  return score;
}

if (process.argv.includes('--table')) {
  say(tableOf(HOLDOUT));
} else {
  measured('tuned', TUNED);
  const holdout = measured('hold-out', HOLDOUT);
  say(
    `ratio suggest ${recallOf(holdout).toFixed(2)} (columns of hold-out tapes with their field at 60 % and more, against those that an analyst maps)`,
  );
}
