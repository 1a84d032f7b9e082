import { absolute, decimalOf, round, subtract } from '@tapeline/domain/money/decimal.ts';
import type { Held } from './held.ts';
import { calculate, calculateExactly, roundSeen, type TwoSided } from './plain-arithmetic.ts';
import { heldDigits, keptDigits, readNumber, withinBound } from './plain-reads.ts';

/** A value that was read as a number, and its digits for calculations with an amount. */
export interface NumberRead {
  readonly number: number | null;
  readonly digits: string | null;
  readonly carriesDigits: boolean;
}

export const numberOf = (held: Held): NumberRead => {
  const number = readNumber(held);
  // Whether the value is an amount, or a number derived from one.
  const carriesDigits = held.kind === 'amount' || (held.exact ?? null) !== null;
  return { number, digits: number === null ? null : heldDigits(held), carriesDigits };
};

export function combine(type: TwoSided['type'], left: NumberRead, right: NumberRead): Held {
  if (left.number === null || right.number === null) return { kind: 'number', data: null };
  const data = calculate(type, left.number, right.number);
  if (!left.carriesDigits && !right.carriesDigits) return { kind: 'number', data };
  return { kind: 'number', data, exact: calculateExactly(type, left.digits, right.digits) };
}

/** A change of a number, and of its exact digits. */
type Change = readonly [change: (value: number) => number, changeExact: (digits: string) => string | null];

export const ABSOLUTE: Change = [Math.abs, absolute];
export const NEGATED: Change = [(value) => 0 - value, (digits) => subtract('0', digits)];
export const rounded = (places: number): Change => [
  (value) => roundSeen(value, places),
  (digits) => round(digits, places, 'halfUp'),
];

export function perNumber(held: Held, ...[change, changeExact]: Change): Held {
  const value = readNumber(held);
  if (value === null) return { kind: 'number', data: null };
  const digits = withinBound(keptDigits(held));
  return { kind: 'number', data: change(value), exact: digits === null ? null : changeExact(digits) };
}

/** A number of the mapping. */
export const constant = (value: number): NumberRead => ({
  number: value,
  digits: withinBound(decimalOf(value)),
  carriesDigits: false,
});
