import { decimalOf, round, toNumber } from '@tapeline/domain/money/decimal.ts';
import type { SerializationOf } from '@tapeline/domain/tapes/serialization.schema.ts';
import { shownNumber } from '@tapeline/domain/tapes/shown-number.ts';
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

/** What a person would round: the 15 digits that are seen, half away from zero. */
export const roundSeen = (value: number, digits: number): number =>
  Math.abs(value) >= 1e15 ? value : toNumber(round(decimalOf(shownNumber(value)), digits, 'halfUp'));
