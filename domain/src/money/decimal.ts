import Big from 'big.js';

/**
 * An exact decimal as text: optional minus, digits, optional fraction, no exponent ("144589166.10").
 * Text travels safely through JSON, loaders and the database; arithmetic goes through the functions below.
 */
export type DecimalText = string;

export type Rounding = 'halfEven' | 'halfUp' | 'down';

const ROUNDING = { down: 0, halfUp: 1, halfEven: 2 } as const;
const PATTERN = /^-?\d+(\.\d+)?$/;

const big = (value: DecimalText | number): Big => new Big(value);
const text = (value: Big): DecimalText => (value.eq(0) ? value.abs() : value).toFixed();

export function isDecimal(value: unknown): value is DecimalText {
  return typeof value === 'string' && PATTERN.test(value);
}

/** The exact decimal of a number as JavaScript prints it (0.1 gives "0.1"). Throws on NaN and infinities. */
export function decimalOf(value: number | bigint | DecimalText): DecimalText {
  return text(new Big(typeof value === 'bigint' ? value.toString() : value));
}

export const add = (a: DecimalText, b: DecimalText): DecimalText => text(big(a).plus(b));
export const subtract = (a: DecimalText, b: DecimalText): DecimalText => text(big(a).minus(b));
export const multiply = (a: DecimalText, b: DecimalText): DecimalText => text(big(a).times(b));
export const negate = (a: DecimalText): DecimalText => text(big(a).times(-1));
export const absolute = (a: DecimalText): DecimalText => text(big(a).abs());
export const compare = (a: DecimalText, b: DecimalText): -1 | 0 | 1 => big(a).cmp(b);
export const isZero = (a: DecimalText): boolean => big(a).eq(0);
export const isNegative = (a: DecimalText): boolean => big(a).lt(0);
export const min = (a: DecimalText, b: DecimalText): DecimalText => (compare(a, b) <= 0 ? a : b);
export const max = (a: DecimalText, b: DecimalText): DecimalText => (compare(a, b) >= 0 ? a : b);

/**
 * Rounded to `digits` decimal places, by banker's rounding unless specified otherwise. Trailing zeros are kept
 * ("5.00").
 */
export function round(a: DecimalText, digits: number, rounding: Rounding = 'halfEven'): DecimalText {
  const rounded = big(a).round(digits, ROUNDING[rounding]);
  return (rounded.eq(0) ? rounded.abs() : rounded).toFixed(digits);
}

/** a / b to `digits` decimal places. Throws on division by zero: check first. */
export function divide(a: DecimalText, b: DecimalText, digits: number, rounding: Rounding = 'halfEven'): DecimalText {
  // big.js divides and rounds to the constructor's DP: a separate constructor keeps the setting local.
  const Divider = Big();
  Divider.DP = digits;
  Divider.RM = ROUNDING[rounding];
  return text(new Divider(a).div(b));
}

export function sum(values: Iterable<DecimalText>): DecimalText {
  let total = new Big(0);
  for (const value of values) total = total.plus(value);
  return text(total);
}

/** The decimal times 10^digits as an integer; throws if digits would be lost. */
export function toScaled(value: DecimalText, digits: number): bigint {
  const scaled = big(value).times(new Big(10).pow(digits));
  if (!scaled.eq(scaled.round(0, 0))) throw new RangeError(`${value} has more than ${digits} decimals`);
  return BigInt(scaled.toFixed(0));
}

/** The inverse of toScaled: 12345n at 2 digits is "123.45". */
export function fromScaled(value: bigint, digits: number): DecimalText {
  const negative = value < 0n;
  const padded = (negative ? -value : value).toString().padStart(digits + 1, '0');
  const whole = padded.slice(0, padded.length - digits);
  const body = digits === 0 ? whole : `${whole}.${padded.slice(padded.length - digits)}`;
  return negative && value !== 0n ? `-${body}` : body;
}

/** Only for charts and comparing magnitudes: a float, never written back. */
export function toNumber(value: DecimalText): number {
  return Number(value);
}
