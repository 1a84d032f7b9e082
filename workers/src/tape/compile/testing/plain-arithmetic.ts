import {
  absolute,
  add,
  compare,
  decimalOf,
  multiply,
  round,
  subtract,
  toNumber,
} from '@tapeline/domain/money/decimal.ts';
import type { SerializationOf } from '@tapeline/domain/tapes/serialization.schema.ts';
import { shownNumber } from '@tapeline/sheets/shown-number.ts';
import { REASONS } from '../values.ts';
import { fail } from './held.ts';

export type TwoSided = SerializationOf<'add' | 'subtract' | 'multiply' | 'divide' | 'power' | 'min' | 'max'>;

export const finite = (value: number, reason: string): number => (Number.isFinite(value) ? value : fail(reason));

export function calculate(type: TwoSided['type'], left: number, right: number): number {
  if (type === 'divide' && right === 0) fail(REASONS.divisionByZero);
  const results = {
    add: left + right,
    subtract: left - right,
    multiply: left * right,
    divide: left / right,
    power: left ** right,
    min: Math.min(left, right),
    max: Math.max(left, right),
  };
  return finite(results[type], REASONS.noResult);
}

/** The same operation on exact decimals. Null if the result is not finite or does not fit. */
export function calculateExactly(type: TwoSided['type'], left: string | null, right: string | null): string | null {
  if (left === null || right === null) return null;
  switch (type) {
    case 'add':
      return add(left, right);
    case 'subtract':
      return subtract(left, right);
    case 'multiply':
      return productOf(left, right);
    case 'min':
      return compare(left, right) <= 0 ? left : right;
    case 'max':
      return compare(left, right) >= 0 ? left : right;
    default:
      return null;
  }
}

/**
 * The product of two decimals, one with at most four decimal places and the other with at most eight, both within 18
 * digits.
 */
export function productOf(left: string, right: string): string | null {
  const fits = (value: string, places: number): boolean =>
    compare(round(value, places), value) === 0 && compare(absolute(value), `1${'0'.repeat(18 - places)}`) < 0;
  if (!((fits(left, 4) && fits(right, 8)) || (fits(right, 4) && fits(left, 8)))) return null;
  const product = multiply(left, right);
  return compare(absolute(product), `1${'0'.repeat(18)}`) < 0 ? product : null;
}

/** Rounds the 15 significant digits of a double, half away from zero. */
export const roundSeen = (value: number, digits: number): number =>
  Math.abs(value) >= 1e15 ? value : toNumber(round(decimalOf(shownNumber(value)), digits, 'halfUp'));
