import type { Field, FieldType } from './catalog.ts';
import type { Operator } from './filter.ts';

const EQUALITY: readonly Operator[] = ['eq', 'neq', 'in', 'nin'];
const ORDER: readonly Operator[] = ['lt', 'lte', 'gt', 'gte'];

const SUITED: Record<FieldType, readonly Operator[]> = {
  text: [...EQUALITY, 'like', 'regex', ...ORDER, 'exists'],
  number: [...EQUALITY, ...ORDER, 'exists'],
  decimal: [...EQUALITY, ...ORDER, 'exists'],
  boolean: [...EQUALITY, 'exists'],
  date: [...EQUALITY, ...ORDER, 'exists'],
  instant: [...EQUALITY, ...ORDER, 'exists'],
};

/** The operators of each type of field, in the order in which they are offered. */
export function operatorsFor(type: FieldType): readonly Operator[] {
  return SUITED[type];
}

/** The operators' names in pickers. */
export const OPERATOR_LABELS: Record<Operator, string> = {
  gt: 'Greater than',
  lt: 'Less than',
  gte: 'Greater than equal',
  lte: 'Less than equal',
  eq: 'Equal',
  neq: 'Not equal',
  in: 'One of',
  nin: 'None of',
  like: 'Contains',
  regex: 'Matches pattern',
  exists: 'Is known',
};

/** The words of each operator between a field and its value: "Face value *is at least* 600". */
export const OPERATOR_WORDS: Record<Exclude<Operator, 'exists'>, string> = {
  eq: 'is',
  neq: 'is not',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  in: 'is',
  nin: 'is none of',
  like: 'contains',
  regex: 'matches the pattern',
};

/** The words of the comparison operators if the value is a date or an instant. */
export const TIME_WORDS: Partial<Record<Operator, string>> = {
  lt: 'is before',
  lte: 'is on or before',
  gt: 'is after',
  gte: 'is on or after',
};

/** The types of fields in messages. */
export const TYPE_WORDS: Readonly<Record<FieldType, string>> = {
  text: 'text',
  number: 'a number',
  decimal: 'an exact number',
  boolean: 'true or false',
  date: 'a date',
  instant: 'a timestamp',
};

/** Why two fields cannot be compared; null if they can. */
export function incomparable(field: Field, other: Field): string | null {
  const kindOf = ({ type, currency, unit }: Field): string => {
    if (type !== 'decimal') return TYPE_WORDS[type];
    if (currency) return 'an amount of money';
    return unit === '%' ? 'a percentage' : TYPE_WORDS.decimal;
  };
  if (field.isList || other.isList) return `cannot compare ${(field.isList ? field : other).label}, which is a list`;
  if (field.path === other.path) return `compares ${field.label} with itself; choose another field`;
  const [kind, otherKind] = [kindOf(field), kindOf(other)];
  return kind === otherKind ? null : `must be ${kind} as ${field.label} is; ${other.label} is ${otherKind}`;
}
