import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchPacker, unpackColumn } from './batch-column.ts';
import { CellTag } from './cell-tag.ts';
import type { RawColumn } from './raw-batch.ts';
import { packPlainly } from './testing/plain-packing.ts';

/** Codes of texts. */
const CODES = 300;

/** The columns of a batch as they are packed, copied from the packer's memory. */
function packColumns(columns: readonly RawColumn[]) {
  const rowCount = columns[0]!.tags.length;
  const packer = BatchPacker.take({ rowCount, columns: columns.length, codes: CODES });
  try {
    const packed = columns.map((column) => {
      const { form, bytes } = packer.pack(column);
      return { form, bytes: new Uint8Array(bytes) };
    });
    return { packed, codes: [...packer.metCodes] };
  } finally {
    packer.giveBack();
  }
}

const packColumn = (column: RawColumn) => packColumns([column]).packed[0]!;

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
  ['not a finite number', [Number.POSITIVE_INFINITY], 'double', 1],
])('%s', (_, values, numbers, scale) => {
  const column = columnOf(values);
  const { form, bytes } = packColumn(column);
  expect(form).toMatchObject({ numbers, scale, tags: [CellTag.number] });
  const unpacked = unpackColumn(form, bytes, values.length);
  expect([...new Set([...unpacked.values].map((value, row) => Object.is(value, values[row])))]).toEqual([true]);
  expect(unpacked.tags).toEqual(column.tags);
});

const family = fc.constantFrom(
  fc.constant(0),
  fc.integer({ min: -130, max: 130 }),
  fc.integer({ min: -40_000, max: 40_000 }),
  fc.integer(),
  fc.integer({ min: -5_000_000, max: 5_000_000 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 10_000 }).map((points) => points / 10_000),
  fc.integer().map((cents) => cents / 100),
  fc.constantFrom(-0, 2 ** 31, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31) - 1, 2 ** 31 / 100, 0.005, 1.005, 127.5, 1e300),
  fc.double({ noNaN: true }),
);
const someTags = fc.constantFrom([1], [0, 1], [0, 2], [1, 4], [2], [5, 1], [2, 5], [0, 1, 2, 3, 4, 5]);

/** A column with this many rows; its texts and errors have codes, some of them repeated. */
const columnArbitrary = (rowCount: number): fc.Arbitrary<RawColumn> =>
  fc.tuple(fc.array(family, { minLength: 1, maxLength: 2 }), someTags).chain(([values, tags]) =>
    fc
      .array(fc.tuple(fc.oneof(...values), fc.constantFrom(...tags), fc.integer({ min: 0, max: CODES - 1 })), {
        minLength: rowCount,
        maxLength: rowCount,
      })
      .map((cells) => ({
        values: Float64Array.from(cells, ([value, tag, code]) =>
          tag === CellTag.text || tag === CellTag.error ? code : value,
        ),
        tags: Uint8Array.from(cells, ([, tag]) => tag),
      })),
  );
const columnsArbitrary = fc
  .integer({ min: 1, max: 70 })
  .chain((rowCount) => fc.array(columnArbitrary(rowCount), { minLength: 1, maxLength: 4 }));

test('property: every bit of every number and every tag is restored, whatever they have in common', () => {
  fc.assert(
    fc.property(columnsArbitrary, (columns) => {
      const { packed, codes } = packColumns(columns);
      for (const [index, { tags, values }] of columns.entries()) {
        const { form, bytes } = packed[index]!;
        const unpacked = unpackColumn(form, bytes, tags.length);
        expect([...unpacked.tags]).toEqual([...tags]);
        const before = unpacked.values.map((value, row) =>
          tags[row] === CellTag.text || tags[row] === CellTag.error ? codes[value]! : value,
        );
        expect(new BigUint64Array(before.buffer)).toEqual(new BigUint64Array(values.buffer));
      }
    }),
    { numRuns: 300 },
  );
});

test('property: the compiled packer and the plain one produce the same bytes', () => {
  fc.assert(
    fc.property(columnsArbitrary, (columns) => {
      expect(packColumns(columns)).toEqual(packPlainly(columns));
    }),
    { numRuns: 500 },
  );
});

test('a packer that was used for a larger batch gives the same result for a smaller one', () => {
  const large = columnOf(
    Array.from({ length: 5000 }, (_, row) => row % CODES),
    CellTag.text,
  );
  const small = columnOf([7, 3, 7, 250], CellTag.text);
  packColumns([large, large]);
  expect(packColumns([small])).toEqual(packPlainly([small]));
});

test('two batches are packed at the same time without affecting each other', () => {
  const [one, other] = [columnOf([1, 2, 3]), columnOf([1000.25, 2, -7])];
  const size = { rowCount: 3, columns: 1, codes: 0 };
  const packers = [BatchPacker.take(size), BatchPacker.take(size)] as const;
  const packed = [packers[0].pack(one), packers[1].pack(other)];
  expect(packed.map(({ form, bytes }) => ({ form, bytes: new Uint8Array(bytes) }))).toEqual([
    ...packPlainly([one]).packed,
    ...packPlainly([other]).packed,
  ]);
  for (const packer of packers) packer.giveBack();
});

test('a column whose size contradicts its form is rejected', () => {
  const { form, bytes } = packColumn(columnOf([1, 2, 300]));
  expect(() => unpackColumn(form, bytes.slice(0, 4), 3)).toThrow('wrong size');
  expect(() => unpackColumn(form, bytes, 4)).toThrow('wrong size');
});
