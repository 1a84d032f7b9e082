import { type DecimalText, divide, fromScaled, isZero, multiply, toScaled } from './decimal.ts';

/**
 * Splits `total` over `weights` so that the parts add up to it exactly: each part is rounded down to `digits`,
 * then the units left over go to the largest remainders (ties: the earlier part).
 * @param total decimal with at most `digits` decimals; may be negative
 * @param weights non-negative, at least one above zero
 */
export function splitByLargestRemainder(
  total: DecimalText,
  weights: readonly DecimalText[],
  digits: number,
): DecimalText[] {
  const units = toScaled(total, digits);
  const magnitude = units < 0n ? -units : units;
  const scale = Math.max(0, ...weights.map((weight) => weight.split('.')[1]?.length ?? 0));
  const scaledWeights = weights.map((weight) => toScaled(weight, scale));
  if (scaledWeights.some((weight) => weight < 0n)) throw new RangeError('a weight cannot be negative');
  const whole = scaledWeights.reduce((a, b) => a + b, 0n);
  if (whole === 0n) throw new RangeError('cannot split: every weight is zero');

  const parts = scaledWeights.map((weight) => (magnitude * weight) / whole);
  const remainders = scaledWeights.map((weight, index) => ({ index, rest: (magnitude * weight) % whole }));
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  let left = magnitude - parts.reduce((a, b) => a + b, 0n);
  for (const { index } of remainders) {
    if (left === 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts.map((part) => fromScaled(units < 0n ? -part : part, digits));
}

/**
 * Rounds exact parts to `digits` so that they add up to their rounded total: each is rounded down, and the missing
 * units go to the parts with the largest truncated fractions.
 */
export function publishParts(parts: readonly bigint[], total: bigint, dropDigits: number): bigint[] {
  const step = 10n ** BigInt(dropDigits);
  const floorDivide = (value: bigint) => (value >= 0n ? value / step : -((-value + step - 1n) / step));
  const floors = parts.map(floorDivide);
  const fractions = parts.map((part, index) => ({ index, rest: part - (floors[index] ?? 0n) * step }));
  fractions.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  let left = total - floors.reduce((a, b) => a + b, 0n);
  const published = [...floors];
  for (let k = 0; left > 0n && fractions.length > 0; k = (k + 1) % fractions.length, left -= 1n) {
    const index = fractions[k]?.index ?? 0;
    published[index] = (published[index] ?? 0n) + 1n;
  }
  return published;
}

/** A part of a whole in per cent at 6 digits; null where the whole is zero. */
export function shareOf(part: DecimalText, whole: DecimalText): DecimalText | null {
  return isZero(whole) ? null : divide(multiply(part, '100'), whole, 6);
}
