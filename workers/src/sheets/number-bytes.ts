/** Powers of ten that a double holds exactly. */
export const EXACT_POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
const POWERS = EXACT_POWERS_OF_TEN;

/** Veltkamp's splitter for a 53-bit mantissa. */
const SPLITTER = 134217729;

/**
 * (head * 10^tailDigits + tail) / 10^fractionDigits, rounded once as IEEE 754 asks, or NaN where the last bit cannot be
 * proved here and the caller must ask `Number()`.
 *
 * `head` and `tail` are integers below 10^9 (nine digits each), so that their combination splits exactly into a
 * high and a low double. The quotient is formed in double-double arithmetic (about 106 bits); it is taken only when the
 * remainder lies provably off the midpoint between two doubles.
 */
export function divideDigits(head: number, tail: number, tailDigits: number, fractionDigits: number): number {
  const scale = POWERS[tailDigits]!;
  const headHigh = Math.floor(head / 32768);
  const large = headHigh * scale * 32768;
  const small = (head - headHigh * 32768) * scale + tail;
  const high = large + small;
  const low = small - (high - large);
  if (fractionDigits === 0) {
    return high;
  }
  if (fractionDigits > 22) {
    return Number.NaN;
  }
  const divisor = POWERS[fractionDigits]!;
  const quotient = high / divisor;
  // quotient * divisor as an exact sum of two doubles (Dekker's product)
  const product = quotient * divisor;
  let spread = SPLITTER * quotient;
  const quotientHigh = spread - (spread - quotient);
  const quotientLow = quotient - quotientHigh;
  spread = SPLITTER * divisor;
  const divisorHigh = spread - (spread - divisor);
  const divisorLow = divisor - divisorHigh;
  const productError =
    quotientHigh * divisorHigh -
    product +
    quotientHigh * divisorLow +
    quotientLow * divisorHigh +
    quotientLow * divisorLow;
  const remainder = high - product - productError + low;
  const correction = remainder / divisor;
  const result = quotient + correction;
  const leftOver = correction - (result - quotient);
  // A slightly larger left-over that still rounds to the same double proves the rounding.
  return result + leftOver * 1.000000001 === result ? result : Number.NaN;
}

/**
 * The number whose text stands in bytes[start, end): exactly what `Number()` makes of it.
 * @returns NaN where the text is no plain decimal (surrounding blanks are allowed, as XML writers indent).
 */
export function parseNumberBytes(bytes: Uint8Array, start: number, end: number): number {
  const text = latinText(bytes, start, end).trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function latinText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
