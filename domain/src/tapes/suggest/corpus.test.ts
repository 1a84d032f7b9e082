import { describe, expect, test } from 'vitest';
import { otherSheet } from './sheet-kind.ts';
import { CORPUS, HELD_OUT } from './testing/corpus.ts';
import { scoreTape, totalOf } from './testing/corpus-score.ts';
import { columnsOfTape } from './testing/corpus-tape.ts';

const LEAST_RIGHT = 0.9;
const MAX_WRONG = 0.02;

describe('suggestions for the columns of public schemas', () => {
  test.each([7, 11])('are right for nine of ten columns, and hardly ever wrong and on (values of seed %i)', (seed) => {
    const { labelled, right, on, wrong, missed } = totalOf(CORPUS.map((tape) => scoreTape(tape, seed)));
    // Compare the texts first, so that a failure names the columns.
    if (right / labelled < LEAST_RIGHT) expect(missed).toEqual([]);
    if (wrong.length / on > MAX_WRONG) expect(wrong).toEqual([]);
    expect(labelled).toBeGreaterThan(150);
  });

  test('do nearly as well on schemas that they were not tuned on', () => {
    const { labelled, right, on, wrong, missed } = totalOf(HELD_OUT.map((tape) => scoreTape(tape)));
    if (right / labelled < LEAST_RIGHT - 0.05) expect(missed).toEqual([]);
    if (wrong.length / on > MAX_WRONG) expect(wrong).toEqual([]);
    expect(labelled).toBeGreaterThan(45);
  });

  test.each([7, 11, 23])('take none of them for something else than a tape (values of seed %i)', (seed) => {
    const others = [...CORPUS, ...HELD_OUT].flatMap((tape) => {
      const other = otherSheet(columnsOfTape(tape, seed));
      return other ? [[tape.name, other]] : [];
    });
    expect(others).toEqual([]);
  });
});
