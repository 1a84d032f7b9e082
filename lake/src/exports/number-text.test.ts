import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeDecimal, writeDouble, writeWhole } from './number-text.ts';

const bytes = new Uint8Array(64);
const textTo = (end: number | null): string => Buffer.from(bytes.subarray(1, end ?? 1)).toString();
const whole = (value: number): string => textTo(writeWhole(bytes, 1, value));
const double = (value: number): string | null => {
  const end = writeDouble(bytes, 1, value);
  return end === null ? null : textTo(end);
};
function decimal(value: bigint, limbs: 2 | 4, scale: number, zeros?: 'written'): string {
  const words = new Int32Array(limbs + 1);
  for (let limb = 0; limb < limbs; limb += 1) words[limb + 1] = Number(BigInt.asIntN(32, value >> BigInt(32 * limb)));
  return textTo(writeDecimal(bytes, 1, words, 1, limbs, scale, zeros));
}
/** The same with text operations only. */
function plain(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const [before, after] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  return `${value < 0n ? '-' : ''}${before}${scale > 0 ? `.${after}`.replace(/\.?0+$/, '') : ''}`;
}

describe('numbers as text', () => {
  it.each([0, 1, 9, 10, 99, 999_999_999, 1_000_000_000, 1_000_000_001, 9_007_199_254_740_991, -42])(
    '%d as it is',
    (value) => {
      expect(whole(value)).toBe(String(value));
    },
  );

  it('whole numbers read back unchanged', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (value) => whole(value) === String(value)));
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [97, '97'],
    [6513.625, '6513.625'],
    [-0.0001, '-0.0001'],
    [0.00001, '0.00001'],
    [1 / 7, '0.14285714285714285'],
    [900_719_925_474.0991, '900719925474.0991'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [Number.NaN, null],
    [Number.NEGATIVE_INFINITY, null],
  ])('the double %d is written %s', (value, text) => expect(double(value)).toBe(text));

  it('a double reads back as the same double', () => {
    const values = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 1e4),
      fc.maxSafeInteger().map((value) => value / 1e3),
    );
    fc.assert(fc.property(values, (value) => Number(double(value)) === value + 0));
  });

  it.each([
    [0n, 4, '0'],
    [1n, 4, '0.0001'],
    [-1n, 4, '-0.0001'],
    [375_731_800n, 4, '37573.18'],
    [-1_445_891_661_000n, 4, '-144589166.1'],
    [999_999_999_999_999_999n, 4, '99999999999999.9999'],
    [-(2n ** 53n), 0, '-9007199254740992'],
    [2n ** 53n, 0, '9007199254740992'],
    [10_000n, 4, '1'],
  ] as const)('the decimal %d of scale %d is %s in 64 bits and in 128', (value, scale, text) => {
    expect([decimal(value, 2, scale), decimal(value, 4, scale)]).toEqual([text, text]);
  });

  it.each([
    [0n, 4, '0.0000'],
    [0n, 0, '0'],
    [-1n, 4, '-0.0001'],
    [375_731_800n, 4, '37573.1800'],
    [-(10n ** 18n), 4, '-100000000000000.0000'],
    [100_000n, 8, '0.00100000'],
  ] as const)('the decimal %d of scale %d is %s with trailing zeros', (value, scale, text) => {
    expect([decimal(value, 2, scale, 'written'), decimal(value, 4, scale, 'written')]).toEqual([text, text]);
  });

  it('every decimal keeps all its digits', () => {
    const scale = fc.integer({ min: 0, max: 14 });
    fc.assert(
      fc.property(
        fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        scale,
        (value, places) => decimal(value, 2, places) === plain(value, places),
      ),
    );
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 38n), 10n ** 38n),
        scale,
        (value, places) => decimal(value, 4, places) === plain(value, places),
      ),
    );
    fc.assert(
      fc.property(
        fc.bigInt(-(2n ** 54n), 2n ** 54n),
        scale,
        (value, places) => decimal(value, 4, places) === plain(value, places),
      ),
    );
  });
});
