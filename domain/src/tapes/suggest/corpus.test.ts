import { describe, expect, test } from 'vitest';
import { findTargetField } from '../target-schema.ts';
import { MIN_ON } from './rule-suggestion.ts';
import { otherSheet } from './sheet-kind.ts';
import { HOLDOUT, TUNED } from './testing/corpus.ts';
import { bandsOf, type CorpusScore, LIMITS, scoreTape, totalOf } from './testing/corpus-score.ts';
import { type CorpusTape, columnsOfTape, fieldsOf } from './testing/corpus-tape.ts';

const scoreOf = (tapes: readonly CorpusTape[], seed: number): CorpusScore =>
  totalOf(tapes.map((tape) => scoreTape(tape, seed)));

/** The suggestions of a band that are wrong, if they are too many for its limit. */
const tooWrong = (score: CorpusScore): string[] =>
  bandsOf(score).flatMap(({ from, right, wrong }) => {
    const least = LIMITS.precision.find((limit) => limit.from === from);
    const isMet = !least || right >= (right + wrong.length) * least.share;
    return isMet
      ? []
      : wrong.map(({ tape, header, path, confidence }) => `${confidence} ${tape}: ${header} -> ${path}`);
  });

describe('suggestions for the columns of public schemas', () => {
  test('are made for 80 tapes and more, a third of which nothing was tuned on', () => {
    expect(TUNED.length + HOLDOUT.length).toBeGreaterThanOrEqual(80);
    expect(HOLDOUT.length * 3).toBeGreaterThanOrEqual(TUNED.length + HOLDOUT.length);
    const names = [...TUNED, ...HOLDOUT].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('are compared with fields that exist', () => {
    const tapes = [...TUNED, ...HOLDOUT];
    const targets = tapes.flatMap(({ columns }) => columns.flatMap(([, target]) => fieldsOf(target)));
    expect([...new Set(targets)].filter((path) => findTargetField(path) === undefined)).toEqual([]);
    expect(targets.length).toBeGreaterThan(1_000);
  });

  test.each([
    ['tuned', TUNED, 7],
    ['hold-out', HOLDOUT, 11],
  ] as const)('are as often right as their confidence says, on the %s tapes', (_, tapes, seed) => {
    const score = scoreOf(tapes, seed);
    expect(tooWrong(score)).toEqual([]);
    const share = (score.labelled - score.missed.length) / score.labelled;
    if (share < LIMITS.recall) expect(score.missed).toEqual([]);
    expect(score.labelled).toBeGreaterThan(200);
    // Below the confidence from which suggestions are on, a person decides.
    const unsure = score.suggestions.filter(({ confidence }) => confidence < MIN_ON);
    expect(unsure.filter(({ isOn }) => isOn)).toEqual([]);
    expect(unsure.length).toBeGreaterThan(2);
  });

  test.each([7, 23])('recognize all of them as tapes (values of seed %i)', (seed) => {
    const others = [...TUNED, ...HOLDOUT].flatMap((tape) => {
      const other = otherSheet(columnsOfTape(tape, seed));
      return other ? [[tape.name, other]] : [];
    });
    expect(others).toEqual([]);
  });
});
