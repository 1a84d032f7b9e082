import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanRows } from './testing/scan-rows.ts';

/** Scans texts as the numbers of one column, in chunks of this size. */
function scanNumbers(texts: readonly string[], chunkBytes: number): Float64Array {
  const rows = texts.map((text, row) => `<row r="${row + 1}"><c r="A${row + 1}"><v>${text}</v></c></row>`);
  const { target } = scanRows(rows.join(''), chunkBytes, [0], texts.length + 1, {
    tagOfStyle: new Uint8Array(),
    sharedCount: 0,
    hasBlankShared: false,
    isBlankShared: () => false,
    epoch: 1900,
    headerRow: 0,
  });
  expect(target.rowCount).toBe(texts.length);
  return target.values;
}

function expectExact(texts: readonly string[], chunkBytes = 1 << 20): void {
  const values = scanNumbers(texts, chunkBytes);
  const wrong = texts.filter((text, row) => !Object.is(values[row], Number(text)));
  expect(wrong).toEqual([]);
}

/** A seeded stream of integers below a bound. */
function integers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

test('400,000 random decimals are read exactly as Number() reads them', () => {
  const next = integers(7);
  const digits = (count: number) => Array.from({ length: count }, () => next(10)).join('');
  const bits = new DataView(new ArrayBuffer(8));
  const anyDouble = () => {
    bits.setUint32(0, next(2 ** 32));
    bits.setUint32(4, next(2 ** 32));
    const value = bits.getFloat64(0);
    return Number.isFinite(value) ? value : 0.5;
  };
  const forms = [
    () => `${digits(1 + next(9))}.${digits(1 + next(9))}`,
    () => `-${digits(1 + next(15))}.${digits(1 + next(4))}`,
    () => `0.${digits(1 + next(20))}`,
    () => digits(1 + next(22)),
    // as Excel writes doubles: 17 significant digits, small numbers with an exponent
    () => ((next(2 ** 31) + next(1000) / 1000) / 10 ** next(8)).toPrecision(17).toUpperCase(),
    () => (next(2 ** 31) / 2 ** 33).toExponential(16).toUpperCase(),
    () => `${1 + next(9)}.${digits(1 + next(17))}E-${next(12)}`,
    () => String(anyDouble()),
    () => anyDouble().toExponential(16).toUpperCase(),
    () => (next(100_000_000) / 100).toString(),
  ];
  for (let round = 0; round < 4; round += 1) {
    expectExact(Array.from({ length: 100_000 }, (_, index) => forms[index % forms.length]!()));
  }
});

test('halfway cases, neighbours of powers of two and other hard decimals are read exactly', () => {
  const next = integers(11);
  const hard = [
    '0',
    '-0',
    '0.0',
    '00012.50',
    '1.',
    '.5',
    '9007199254740993',
    '9007199254740992.5',
    '4503599627370496.5',
    '1e22',
    '1E23',
    '123456789012345678',
  ];
  const bits = new DataView(new ArrayBuffer(8));
  for (let index = 0; index < 20_000; index += 1) {
    // the exact midpoint between two neighboring doubles near 2^k, written with up to 18 digits
    const base = 2 ** (30 + next(24)) + next(2 ** 20);
    bits.setFloat64(0, base);
    bits.setBigUint64(0, bits.getBigUint64(0) + 1n);
    const gap = bits.getFloat64(0) - base;
    hard.push(`${BigInt(base)}${(gap / 2).toFixed(20).slice(1, 20)}`.slice(0, 19).replace(/\.$/, ''));
  }
  expectExact(hard);
});

test('property: any double is read back unchanged, whatever the chunks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 700 }),
      (values, chunkBytes) => {
        const texts = values.flatMap((value) => [String(value), value.toExponential(16)]);
        expectExact(texts, chunkBytes);
      },
    ),
    { numRuns: 200 },
  );
});
