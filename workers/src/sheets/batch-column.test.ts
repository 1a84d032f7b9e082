import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packColumn, unpackColumn } from './batch-column.ts';
import { CellTag } from './raw-batch.ts';

const columnOf = (values: readonly number[], tag: number = CellTag.number) => ({
  values: Float64Array.from(values),
  tags: new Uint8Array(values.length).fill(tag),
});

test.each([
  ['nothing', [0, 0, 0], 'none', 1],
  ['counts', [0, 127, -128], 'int8', 1],
  ['more than a byte', [0, 128], 'int16', 1],
  ['days', [46_203, 46_204], 'int32', 1],
  ['fewer than a byte below zero', [-129], 'int16', 1],
  ['two bytes', [32_767, -32_768], 'int16', 1],
  ['more than two bytes', [-32_769], 'int32', 1],
  ['money in cents', [1234.56, 0.1, 21_474_836.47], 'int32', 100],
  ['money beyond four bytes of cents', [21_474_836.48], 'double', 1],
  ['whole numbers beyond four bytes', [2_147_483_648], 'double', 1],
  ['the largest whole number of four bytes', [2_147_483_647, -2_147_483_648], 'int32', 1],
  ['rates', [0.0725, 0.5], 'int16', 10_000],
  ['a rate of many digits', [0.12345678901234568], 'double', 1],
  ['a negative zero', [-0, 1], 'double', 1],
  ['a sum with a binary fraction', [0.1 + 0.2], 'double', 1],
  ['no finite number', [Number.POSITIVE_INFINITY], 'double', 1],
])('%s', (_, values, numbers, scale) => {
  const column = columnOf(values);
  const { form, bytes } = packColumn(column);
  expect(form).toMatchObject({ numbers, scale, tags: [CellTag.number] });
  const unpacked = unpackColumn(form, bytes, values.length);
  expect([...unpacked.values].every((value, row) => Object.is(value, values[row]))).toBe(true);
  expect(unpacked.tags).toEqual(column.tags);
});

test('property: every bit of every number and every tag comes back, whatever they have in common', () => {
  const family = fc.constantFrom(
    fc.constant(0),
    fc.integer({ min: -130, max: 130 }),
    fc.integer({ min: -40_000, max: 40_000 }),
    fc.integer(),
    fc.integer({ min: -5_000_000, max: 5_000_000 }).map((cents) => cents / 100),
    fc.integer({ min: 0, max: 10_000 }).map((points) => points / 10_000),
    fc.double({ noNaN: true }),
  );
  const tags = fc
    .constantFrom([1], [0, 1], [0, 2], [1, 4], [0, 1, 2, 3, 4, 5])
    .chain((some) => fc.constant(fc.constantFrom(...some)));
  fc.assert(
    fc.property(
      fc.tuple(family, tags).chain(([value, tag]) => fc.array(fc.tuple(value, tag), { minLength: 1, maxLength: 70 })),
      (cells) => {
        const column = {
          values: Float64Array.from(cells, ([value]) => value),
          tags: Uint8Array.from(cells, ([, tag]) => tag),
        };
        const { form, bytes } = packColumn(column);
        const unpacked = unpackColumn(form, bytes, cells.length);
        expect(new BigUint64Array(unpacked.values.slice().buffer)).toEqual(new BigUint64Array(column.values.buffer));
        expect([...unpacked.tags]).toEqual([...column.tags]);
      },
    ),
    { numRuns: 300 },
  );
});

test('a column of another size than its form says is refused', () => {
  const { form, bytes } = packColumn(columnOf([1, 2, 300]));
  expect(() => unpackColumn(form, bytes.slice(0, 4), 3)).toThrow('wrong size');
  expect(() => unpackColumn(form, bytes, 4)).toThrow('wrong size');
});
