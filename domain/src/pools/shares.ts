import { type DecimalText, fromScaled, toScaled } from '../money/decimal.ts';

const digitsOf = (value: DecimalText): number => value.split('.')[1]?.length ?? 0;
const floorDivide = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((-a + b - 1n) / b));

/**
 * Each part's share of their sum to `digits` decimal places, adding up to exactly `whole`: rounded down, and the
 * remaining units go to the largest remainders (ties: the earlier part). A credit balance is a negative part and has a
 * negative share.
 * @param whole what all shares add up to: 1, or 100 for points
 * @returns null if the parts add up to zero or less, since there is then nothing to share
 */
export function sharesOf(parts: readonly DecimalText[], digits: number, whole = 1): DecimalText[] | null {
  const scale = Math.max(0, ...parts.map(digitsOf));
  const weights = parts.map((part) => toScaled(part, scale));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total <= 0n) return null;
  const units = BigInt(whole) * 10n ** BigInt(digits);
  const floors = weights.map((weight) => floorDivide(weight * units, total));
  const remainders = weights.map((weight, index) => ({ index, rest: weight * units - (floors[index] ?? 0n) * total }));
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  const left = Number(units - floors.reduce((sum, floor) => sum + floor, 0n));
  for (const { index } of remainders.slice(0, left)) floors[index] = (floors[index] ?? 0n) + 1n;
  return floors.map((floor) => fromScaled(floor, digits));
}
