import { expect, test } from 'vitest';
import { diceOf, mutate, partsOf, zip } from './fuzz/mutate.ts';
import { fuzzReader } from './fuzz/run-fuzz.ts';
import { fuzzSources } from './fuzz/sources.ts';

/** A fixed seed, so that every run is the same; `npm run fuzz` uses others. */
const SEED = 20_261_121;
const FILES = 1_000;

test('no mutation of a workbook crashes or hangs the reader, fills memory, or gives a wrong result', async () => {
  const { outcomes, failures } = await fuzzReader(SEED, FILES);
  expect(failures, `seed ${SEED}`).toEqual([]);
  // The mutations reach all of the reader: many files are still workbooks, some of them different ones.
  expect(outcomes.refused).toBeGreaterThan(FILES / 4);
  expect(outcomes.same).toBeGreaterThan(FILES / 10);
  expect(outcomes.right).toBeGreaterThan(FILES / 50);
  expect(outcomes.refused + outcomes.same + outcomes.right).toBe(FILES);
}, 600_000);

test('the same seed and number give the same file, whatever was generated before', () => {
  const sources = fuzzSources();
  for (const index of [0, 1, 999]) {
    expect(mutate(sources, 5, index).bytes.equals(mutate(fuzzSources(), 5, index).bytes)).toBe(true);
  }
  expect(mutate(sources, 5, 0).bytes.equals(mutate(sources, 6, 0).bytes)).toBe(false);
  const dice = diceOf(1);
  expect([...new Set(Array.from({ length: 1000 }, () => dice(6)).map((value) => value >= 0 && value < 6))]).toEqual([
    true,
  ]);
});

test('a zip file taken apart and reassembled has the same content', () => {
  for (const { bytes } of fuzzSources()) {
    const parts = partsOf(bytes);
    expect(partsOf(zip(parts)).map(({ name, content }) => [name, content.toString('hex')])).toEqual(
      parts.map(({ name, content }) => [name, content.toString('hex')]),
    );
  }
});
