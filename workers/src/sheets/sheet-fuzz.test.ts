import { expect, test } from 'vitest';
import { diceOf, mutate, partsOf, zip } from './fuzz/mutate.ts';
import { fuzzReader } from './fuzz/run-fuzz.ts';
import { fuzzSources } from './fuzz/sources.ts';

/** Fixed, so that a run is the same everywhere; `npm run fuzz` takes others. */
const SEED = 20_261_121;
const FILES = 1_000;

test('no mutation of a workbook crashes, hangs or fills the reader, or makes it answer wrongly', async () => {
  const { outcomes, failures } = await fuzzReader(SEED, FILES);
  expect(failures, `seed ${SEED}`).toEqual([]);
  // The mutations reach all the reader does: many files are still workbooks, some of them others than before.
  expect(outcomes.refused).toBeGreaterThan(FILES / 4);
  expect(outcomes.same).toBeGreaterThan(FILES / 10);
  expect(outcomes.right).toBeGreaterThan(FILES / 50);
  expect(outcomes.refused + outcomes.same + outcomes.right).toBe(FILES);
}, 600_000);

test('the same seed and number are the same file, whatever was made before it', () => {
  const sources = fuzzSources();
  for (const index of [0, 1, 999]) {
    expect(mutate(sources, 5, index).bytes.equals(mutate(fuzzSources(), 5, index).bytes)).toBe(true);
  }
  expect(mutate(sources, 5, 0).bytes.equals(mutate(sources, 6, 0).bytes)).toBe(false);
  const dice = diceOf(1);
  expect(Array.from({ length: 1000 }, () => dice(6)).every((value) => value >= 0 && value < 6)).toBe(true);
});

test('a zip file taken apart and put together again holds what it held', () => {
  for (const { bytes } of fuzzSources()) {
    const parts = partsOf(bytes);
    expect(partsOf(zip(parts)).map(({ name, content }) => [name, content.toString('hex')])).toEqual(
      parts.map(({ name, content }) => [name, content.toString('hex')]),
    );
  }
});
