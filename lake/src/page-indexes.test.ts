import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexesOfPage, type RankedKey } from './page-indexes.ts';

const key = (values: readonly (number | null)[], direction: 1 | -1): RankedKey => {
  const distinct = [...new Set(values.filter((value) => value !== null))].sort((a, b) => a - b);
  // Ranks as in SQL's rank(): gaps after ties.
  const rankOf = new Map(distinct.map((value) => [value, values.filter((one) => one !== null && one < value).length]));
  const missing = values.filter((value) => value !== null).length;
  return {
    ranks: Int32Array.from(values, (value) => (value === null ? missing : rankOf.get(value)!)),
    missing,
    direction,
  };
};

const bitsOf = (passes: readonly boolean[]) => {
  const bits = new Uint32Array(Math.ceil(passes.length / 32));
  passes.forEach((yes, index) => {
    if (yes) bits[index >> 5]! |= 1 << (index & 31);
  });
  return { bits, count: passes.filter(Boolean).length };
};

/** The page of the fully sorted list, by values. */
function sortedWhole(
  columns: readonly { values: readonly (number | null)[]; direction: 1 | -1 }[],
  passes: readonly boolean[],
): number[] {
  const indexes = passes.flatMap((yes, index) => (yes ? [index] : []));
  return indexes.sort((left, right) => {
    for (const { values, direction } of columns) {
      const [a, b] = [values[left]!, values[right]!];
      if (a === b) continue;
      if (a === null) return 1;
      if (b === null) return -1;
      return direction * (a - b);
    }
    return left - right;
  });
}

test('a page equals the same slice of the fully sorted list, with any filter, ties and missing values', () => {
  const rows = fc.integer({ min: 0, max: 400 });
  const column = (length: number) =>
    fc.record({
      values: fc.oneof(
        fc.array(fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }), { minLength: length, maxLength: length }),
        fc.array(fc.option(fc.integer(), { nil: null, freq: 9 }), { minLength: length, maxLength: length }),
      ),
      direction: fc.constantFrom(1 as const, -1 as const),
    });
  const list = rows.chain((length) =>
    fc.record({
      columns: fc.array(column(length), { maxLength: 3 }),
      passes: fc.option(fc.array(fc.boolean(), { minLength: length, maxLength: length }), { nil: null }),
      length: fc.constant(length),
      skip: fc.nat(450),
      limit: fc.integer({ min: 1, max: 450 }),
    }),
  );
  fc.assert(
    fc.property(list, ({ columns, passes, length, skip, limit }) => {
      const whole = sortedWhole(columns, passes ?? Array(length).fill(true));
      const keys = columns.map(({ values, direction }) => key(values, direction));
      const indexes = indexesOfPage(length, passes && bitsOf(passes), keys, { skip, limit });
      expect([...indexes]).toEqual(whole.slice(skip, skip + limit));
    }),
    { numRuns: 300 },
  );
});

test('ranks too far apart for one pass are separated by the next pass', () => {
  const rows = 300_000;
  const values = Array.from({ length: rows }, (_, index) => (index * 7919) % rows);
  const ranks = Int32Array.from(values);
  for (const direction of [1, -1] as const) {
    const whole = values
      .map((value, index) => ({ value, index }))
      .sort((a, b) => direction * (a.value - b.value))
      .map(({ index }) => index);
    for (const skip of [0, 16_380, 150_001, rows - 50]) {
      const indexes = indexesOfPage(rows, null, [{ ranks, missing: rows, direction }], { skip, limit: 100 });
      expect([...indexes]).toEqual(whole.slice(skip, skip + 100));
    }
  }
});
