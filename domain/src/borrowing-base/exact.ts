import { type DecimalText, decimalOf, fromScaled, toScaled } from '../money/decimal.ts';
import { AMOUNT_SCALE } from './result.ts';

/** Decimal places at which numbers that are not money are summed. */
export const NUMBER_SCALE = 8;

/** An exact fraction with a positive denominator. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const fraction = (numerator: bigint, denominator = 1n): Fraction =>
  denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator };

export const compareFractions = (a: Fraction, b: Fraction): -1 | 0 | 1 => {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
};

export const addFractions = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);

export const subtractFractions = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);

export const multiplyFractions = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.numerator, a.denominator * b.denominator);

/** Divides and rounds toward minus infinity. */
export function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator !== 0n && numerator < 0n !== denominator < 0n ? quotient - 1n : quotient;
}

/** Rounds to the nearest integer, ties to even. The denominator must be positive. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const floor = floorDivide(numerator, denominator);
  const twice = (numerator - floor * denominator) * 2n;
  if (twice < denominator || (twice === denominator && floor % 2n === 0n)) return floor;
  return floor + 1n;
}

/** Formats the fraction as decimal text with `digits` decimal places, ties to even. */
export function fractionToDecimal(value: Fraction, digits: number): DecimalText {
  return fromScaled(divideHalfEven(value.numerator * 10n ** BigInt(digits), value.denominator), digits);
}

/** Reduces the fraction to lowest terms, so that equal fractions have the same representation. */
export function reduceFraction({ numerator, denominator }: Fraction): Fraction {
  const divisor = commonDivisor(denominator, numerator < 0n ? -numerator : numerator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

const LARGEST_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);

/** The remainders soon fit in a number, which divides much faster than a bigint. */
function commonDivisor(a: bigint, b: bigint): bigint {
  let [divisor, rest] = [a, b];
  while (rest !== 0n && (divisor > LARGEST_NUMBER || rest > LARGEST_NUMBER)) [divisor, rest] = [rest, divisor % rest];
  if (rest === 0n) return divisor;
  let [small, left] = [Number(divisor), Number(rest)];
  while (left !== 0) {
    const next = small % left;
    small = left;
    left = next;
  }
  return BigInt(small);
}

/** Converts any finite decimal text or number to an exact fraction. */
export function decimalToFraction(value: DecimalText | number): Fraction {
  const text = decimalOf(value);
  const digits = text.split('.')[1]?.length ?? 0;
  return fraction(toScaled(text, digits), 10n ** BigInt(digits));
}

/** Converts a scaled integer amount with `digits` decimal places to AMOUNT_SCALE by `factor`; rounds ties to even. */
export function convertScaled(value: bigint, digits: number, factor: Fraction): bigint {
  return divideHalfEven(value * 10n ** BigInt(AMOUNT_SCALE - digits) * factor.numerator, factor.denominator);
}

/** Converts a floating-point number to the nearest integer at NUMBER_SCALE, ties up. */
export function scaleNumber(value: number): bigint {
  return BigInt(Math.floor(value * 10 ** NUMBER_SCALE + 0.5));
}
