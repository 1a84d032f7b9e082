/** Digits of the current number, most significant first. */
const DIGITS = new Uint8Array(48);
const [ZERO, POINT, MINUS] = [48, 46, 45];
const BILLION = 1e9;
const TWO_32 = 2 ** 32;

/** Writes a whole number of up to 2^53 in digits. @returns the next position, like all writers here */
export function writeWhole(bytes: Uint8Array, at: number, value: number): number {
  if (value < 0) {
    bytes[at] = MINUS;
    return writeWhole(bytes, at + 1, -value);
  }
  const count = digitsOf(value);
  for (let index = 0; index < count; index += 1) bytes[at + index] = DIGITS[index]!;
  return at + count;
}

/**
 * Writes a double with the fewest digits that read back as the same double; returns `null` if it is not finite. Most
 * numbers on tapes have at most four decimal places, which is verified by converting back.
 */
export function writeDouble(bytes: Uint8Array, at: number, value: number): number | null {
  const scaled = Math.round(value * 1e4);
  if (scaled / 1e4 === value && Math.abs(scaled) <= Number.MAX_SAFE_INTEGER) {
    const count = digitsOf(Math.abs(scaled));
    return placePoint(bytes, at, scaled < 0, count, 4, 'left out');
  }
  if (!Number.isFinite(value)) return null;
  const text = String(value);
  for (let index = 0; index < text.length; index += 1) bytes[at + index] = text.charCodeAt(index);
  return at + text.length;
}

/**
 * Writes a decimal of `limbs` 32-bit words in two's complement with every digit. Either trailing zeros are left out, or
 * all `scale` decimal places are written.
 */
export function writeDecimal(
  bytes: Uint8Array,
  at: number,
  words: Int32Array,
  first: number,
  limbs: 2 | 4,
  scale: number,
  zeros: 'left out' | 'written' = 'left out',
): number {
  const isNegative = words[first + limbs - 1]! < 0;
  // A double holds 53 bits exactly.
  const high = words[first + 1]!;
  if (high >= -0x20_0000 && high < 0x20_0000 && (limbs === 2 || isSpread(words, first, high < 0 ? -1 : 0))) {
    const value = high * TWO_32 + (words[first]! >>> 0);
    return placePoint(bytes, at, isNegative, digitsOf(Math.abs(value)), scale, zeros);
  }
  return placePoint(bytes, at, isNegative, longDigits(words, first, limbs, isNegative), scale, zeros);
}

const isSpread = (words: Int32Array, first: number, sign: number): boolean =>
  words[first + 2] === sign && words[first + 3] === sign;

/**
 * Writes the digits of a whole number of up to 2^53 into DIGITS, without leading zeros.
 * @returns the number of digits
 */
function digitsOf(value: number): number {
  if (value < BILLION) return smallDigits(value, 0);
  const high = Math.floor(value / BILLION);
  return paddedDigits(value - high * BILLION, smallDigits(high, 0));
}

function smallDigits(value: number, from: number): number {
  let count = 1;
  for (let bound = 10; count < 9 && value >= bound; bound *= 10) count += 1;
  let rest = value | 0;
  for (let index = from + count - 1; index >= from; index -= 1) {
    const tenth = (rest / 10) | 0;
    DIGITS[index] = ZERO + rest - tenth * 10;
    rest = tenth;
  }
  return from + count;
}

/** Nine digits, with leading zeros. */
function paddedDigits(value: number, from: number): number {
  let rest = value | 0;
  for (let index = from + 8; index >= from; index -= 1) {
    const tenth = (rest / 10) | 0;
    DIGITS[index] = ZERO + rest - tenth * 10;
    rest = tenth;
  }
  return from + 9;
}

const HALVES = new Float64Array(8);
const BILLIONS = new Float64Array(5);

/** Digits of a number with more than 53 bits: divided by 10^9 repeatedly, 16 bits at a time. */
function longDigits(words: Int32Array, first: number, limbs: 2 | 4, isNegative: boolean): number {
  let carry = isNegative ? 1 : 0;
  for (let limb = 0; limb < limbs; limb += 1) {
    const word = isNegative ? ~words[first + limb]! : words[first + limb]!;
    const low = (word & 0xffff) + carry;
    HALVES[2 * limb] = low & 0xffff;
    const high = (word >>> 16) + (low >>> 16);
    HALVES[2 * limb + 1] = high & 0xffff;
    carry = high >>> 16;
  }
  let [groups, length] = [0, 2 * limbs];
  while (length > 0) {
    let rest = 0;
    for (let half = length - 1; half >= 0; half -= 1) {
      const part = rest * 0x1_0000 + HALVES[half]!;
      const quotient = Math.floor(part / BILLION);
      HALVES[half] = quotient;
      rest = part - quotient * BILLION;
    }
    BILLIONS[groups] = rest;
    groups += 1;
    while (length > 0 && HALVES[length - 1] === 0) length -= 1;
  }
  let count = smallDigits(BILLIONS[groups - 1]!, 0);
  for (let group = groups - 2; group >= 0; group -= 1) count = paddedDigits(BILLIONS[group]!, count);
  return count;
}

/** Writes DIGITS with a decimal point before the last `places` of them. */
function placePoint(
  bytes: Uint8Array,
  start: number,
  isNegative: boolean,
  digits: number,
  places: number,
  zeros: 'left out' | 'written',
): number {
  let [at, count, scale] = [start, digits, places];
  if (zeros === 'left out') {
    while (scale > 0 && count > 0 && DIGITS[count - 1] === ZERO) {
      count -= 1;
      scale -= 1;
    }
    // Only zeros after the point.
    if (count === 0) {
      bytes[at] = ZERO;
      return at + 1;
    }
  }
  if (isNegative) {
    bytes[at] = MINUS;
    at += 1;
  }
  let from = 0;
  if (count <= scale) {
    bytes[at] = ZERO;
    bytes[at + 1] = POINT;
    at += 2;
    for (let missing = scale - count; missing > 0; missing -= 1, at += 1) bytes[at] = ZERO;
  } else {
    const whole = count - scale;
    for (; from < whole; from += 1, at += 1) bytes[at] = DIGITS[from]!;
    if (scale > 0) {
      bytes[at] = POINT;
      at += 1;
    }
  }
  for (; from < count; from += 1, at += 1) bytes[at] = DIGITS[from]!;
  return at;
}
