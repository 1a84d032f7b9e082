import type { RuleOperand } from '../facilities/contract.schema.ts';
import {
  compareFractions,
  decimalToFraction,
  type Fraction,
  fraction,
  multiplyFractions,
  reduceFraction,
  subtractFractions,
} from './exact.ts';
import type { PreparedConcentration } from './prepare.ts';

/**
 * The limit that a rule's measure is compared with. `base` is the value that a percentage refers to; null counts as 0.
 */
export function limitOf(rule: PreparedConcentration, base: Fraction | null): Fraction {
  const value = decimalToFraction(rule.equator.value);
  if (rule.equator.unit !== 'percentage') return value;
  // In lowest terms, because every breaching group calculates with it.
  return reduceFraction(multiplyFractions(multiplyFractions(value, fraction(1n, 100n)), base ?? fraction(0n)));
}

function satisfies(measure: Fraction, operand: RuleOperand, limit: Fraction): boolean {
  const order = compareFractions(measure, limit);
  switch (operand) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'eq':
      return order === 0;
    case 'neq':
      return order !== 0;
  }
}

/**
 * Whether a measure breaches the limit. If excess is removed, a measure equal to the limit leaves nothing to remove, so
 * it is not a breach, with lt as well as lte. A null measure is never a breach.
 */
export function breaches(rule: PreparedConcentration, measure: Fraction | null, limit: Fraction): boolean {
  if (measure === null) return false;
  if (rule.removes) return compareFractions(measure, limit) > 0;
  return !satisfies(measure, rule.equator.operand, limit);
}

/** The absolute distance between a measure and the limit. */
export function distanceOf(measure: Fraction, limit: Fraction): Fraction {
  const difference = subtractFractions(measure, limit);
  return difference.numerator < 0n ? fraction(-difference.numerator, difference.denominator) : difference;
}

/** The part of each asset that a breaching group keeps: limit / measure, between 0 and 1. */
export function keptFraction(measure: Fraction, limit: Fraction): Fraction {
  if (measure.numerator <= 0n) return fraction(1n);
  if (limit.numerator <= 0n) return fraction(0n);
  return fraction(limit.numerator * measure.denominator, limit.denominator * measure.numerator);
}

/** Breaks ties between groups by key, compared as text. The unknown group comes last. */
export function compareKeys(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
