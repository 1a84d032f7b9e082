// AssemblyScript, compiled to ../src/sheets/batch-packer.wasm by build.mjs. Packs the columns of a batch, one at a time,
// as ../src/sheets/batch-column.ts describes. It allocates nothing: the caller says where everything lies. Columns are
// followed by zeros up to a multiple of `STRIDE` cells, and there is as much room behind what is written.

/** Cells that are looked at together at most. */
const STRIDE: i32 = 16;

const TEXT: u8 = 2;
const ERROR: u8 = 5;

/** The smallest and the largest of the numbers that were made whole, 0 among them. */
export let lowest: i32 = 0;
export let highest: i32 = 0;

/** The tags there are: bit t is set where a cell has tag t. */
export function tagsOf(tags: usize, count: i32): i32 {
  let seen = i8x16.splat(0);
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const whole = count & ~(STRIDE - 1);
  for (let row = 0; row < whole; row += STRIDE) {
    seen = v128.or(seen, i8x16.swizzle(bits, v128.load(tags + <usize>row)));
  }
  let both = v128.extract_lane<u64>(seen, 0) | v128.extract_lane<u64>(seen, 1);
  both |= both >> 32;
  both |= both >> 16;
  both |= both >> 8;
  let found = <i32>(both & 0xff);
  for (let row = whole; row < count; row += 1) {
    found |= 1 << (<i32>load<u8>(tags + <usize>row));
  }
  return found;
}

/** Writes a bit a cell, the first in the lowest: whether it has that tag. */
export function packTags(tags: usize, count: i32, tag: i32, target: usize): void {
  const wanted = i8x16.splat(<i8>tag);
  let to = target;
  for (let row = 0; row < count; row += STRIDE) {
    store<u16>(to, <u16>i8x16.bitmask(i8x16.eq(v128.load(tags + <usize>row), wanted)));
    to += 2;
  }
  const rest = count & 7;
  if (rest !== 0) {
    const last = target + (<usize>count >> 3);
    store<u8>(last, <u8>(<i32>load<u8>(last) & ((1 << rest) - 1)));
  }
}

/**
 * Puts codes of the batch's own in the place of the codes that texts and errors have: 0 for the first one met, and so on.
 * @param ownCodes own code + 1 by code, 0 where not met yet
 * @param met the codes met so far, by own code
 * @returns how many were met by now
 */
export function mapTexts(values: usize, tags: usize, count: i32, ownCodes: usize, met: usize, metCount: i32): i32 {
  let known = metCount;
  for (let row = 0; row < count; row += 1) {
    const tag = load<u8>(tags + <usize>row);
    if (tag !== TEXT && tag !== ERROR) continue;
    const cell = values + ((<usize>row) << 3);
    const code = <u32>load<f64>(cell);
    const place = ownCodes + ((<usize>code) << 2);
    let own = load<u32>(place);
    if (own === 0) {
      store<u32>(met + ((<usize>known) << 2), code);
      known += 1;
      own = <u32>known;
      store<u32>(place, own);
    }
    store<f64>(cell, <f64>(own - 1));
  }
  return known;
}

function narrow(low: v128, high: v128): void {
  lowest = min(
    min(i32x4.extract_lane(low, 0), i32x4.extract_lane(low, 1)),
    min(i32x4.extract_lane(low, 2), i32x4.extract_lane(low, 3)),
  );
  highest = max(
    max(i32x4.extract_lane(high, 0), i32x4.extract_lane(high, 1)),
    max(i32x4.extract_lane(high, 2), i32x4.extract_lane(high, 3)),
  );
}

/** Writes the numbers as 32-bit integers. @returns whether all of them are such, to the last bit. */
export function makeWhole(values: usize, count: i32, target: usize): bool {
  let low = i32x4.splat(0);
  let high = i32x4.splat(0);
  let to = target;
  const end = values + ((<usize>count) << 3);
  for (let from = values; from < end; from += 32) {
    const one = v128.load(from);
    const other = v128.load(from, 16);
    const wholeOne = i32x4.trunc_sat_f64x2_s_zero(one);
    const wholeOther = i32x4.trunc_sat_f64x2_s_zero(other);
    // compared as bits: -0 equals 0 but is another number
    const changed = v128.or(
      v128.xor(f64x2.convert_low_i32x4_s(wholeOne), one),
      v128.xor(f64x2.convert_low_i32x4_s(wholeOther), other),
    );
    if (v128.any_true(changed)) return false;
    const whole = v128.shuffle<i64>(wholeOne, wholeOther, 0, 2);
    low = i32x4.min_s(low, whole);
    high = i32x4.max_s(high, whole);
    v128.store(to, whole);
    to += 16;
  }
  narrow(low, high);
  return true;
}

/** Writes the numbers times the scale as 32-bit integers. @returns whether dividing these by the scale gives every bit of all of them back. */
export function makeScaled(values: usize, count: i32, scale: f64, target: usize): bool {
  let low = i32x4.splat(0);
  let high = i32x4.splat(0);
  let to = target;
  const scales = f64x2.splat(scale);
  const end = values + ((<usize>count) << 3);
  for (let from = values; from < end; from += 32) {
    const one = v128.load(from);
    const other = v128.load(from, 16);
    const wholeOne = i32x4.trunc_sat_f64x2_s_zero(f64x2.nearest(f64x2.mul(one, scales)));
    const wholeOther = i32x4.trunc_sat_f64x2_s_zero(f64x2.nearest(f64x2.mul(other, scales)));
    const changed = v128.or(
      v128.xor(f64x2.div(f64x2.convert_low_i32x4_s(wholeOne), scales), one),
      v128.xor(f64x2.div(f64x2.convert_low_i32x4_s(wholeOther), scales), other),
    );
    if (v128.any_true(changed)) return false;
    const whole = v128.shuffle<i64>(wholeOne, wholeOther, 0, 2);
    low = i32x4.min_s(low, whole);
    high = i32x4.max_s(high, whole);
    v128.store(to, whole);
    to += 16;
  }
  narrow(low, high);
  return true;
}

/** Makes 16-bit integers of 32-bit ones, in their place. */
export function narrowToTwoBytes(numbers: usize, count: i32): void {
  let to = numbers;
  const end = numbers + ((<usize>count) << 2);
  for (let from = numbers; from < end; from += 32) {
    v128.store(to, i16x8.narrow_i32x4_s(v128.load(from), v128.load(from, 16)));
    to += 16;
  }
}

/** Makes 8-bit integers of 32-bit ones, in their place. */
export function narrowToOneByte(numbers: usize, count: i32): void {
  let to = numbers;
  const end = numbers + ((<usize>count) << 2);
  for (let from = numbers; from < end; from += 64) {
    const one = i16x8.narrow_i32x4_s(v128.load(from), v128.load(from, 16));
    const other = i16x8.narrow_i32x4_s(v128.load(from, 32), v128.load(from, 48));
    v128.store(to, i8x16.narrow_i16x8_s(one, other));
    to += 16;
  }
}
