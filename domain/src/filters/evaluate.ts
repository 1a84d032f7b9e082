import { compare as compareDecimals } from '../money/decimal.ts';
import type { Field, FieldType } from './catalog.ts';
import { dateAtOffset } from './cut-off.ts';
import { type Comparison, type Condition, currenciesOf, type Filter, type Literal } from './filter.ts';
import { likePattern } from './like.ts';
import { parsePattern } from './pattern.ts';
import { compilePattern } from './pattern-match.ts';

/** True, false, or null for unknown. */
export type Truth = boolean | null;
type Read = (field: Field) => unknown;
type Evaluate = (read: Read) => Truth;

const compiled = new WeakMap<Filter, Evaluate>();

/**
 * Evaluates a filter for one row in three-valued logic; a row passes only if it is `true`. `read` returns a field's
 * value: number as number, decimal as DecimalText, date as 'YYYY-MM-DD', instant as ISO text, missing as null or
 * undefined.
 */
export function evaluateFilter(filter: Filter, read: Read): Truth {
  let evaluate = compiled.get(filter);
  if (!evaluate) {
    evaluate = compileFilter(filter);
    compiled.set(filter, evaluate);
  }
  return evaluate(read);
}

function compileFilter(filter: Filter): Evaluate {
  if (filter.kind === 'not') {
    const inner = compileFilter(filter.filter);
    return (read) => {
      const truth = inner(read);
      return truth === null ? null : !truth;
    };
  }
  if (filter.kind !== 'and' && filter.kind !== 'or') return compileCondition(filter);
  // The truth value that decides the group: one false an `and`, one true an `or`.
  const deciding = filter.kind === 'or';
  const parts = filter.filters.map(compileFilter);
  return (read) => {
    let unknown = false;
    for (const part of parts) {
      const truth = part(read);
      if (truth === deciding) return deciding;
      if (truth === null) unknown = true;
    }
    return unknown ? null : !deciding;
  };
}

function compileCondition(condition: Condition): Evaluate {
  const { field } = condition;
  if (condition.kind === 'exists') return (read) => isMissing(read(field)) !== condition.exists;
  if (condition.kind === 'compareField' || condition.kind === 'compareCutOff') return compileComparison(condition);
  const test = compileTest(condition);
  return (read) => {
    const value = read(field);
    return isMissing(value) ? null : test(value as Literal);
  };
}

/** A comparison with a value of the same row. */
function compileComparison(condition: Extract<Condition, { kind: 'compareField' | 'compareCutOff' }>): Evaluate {
  const { field } = condition;
  const order = ORDERS[field.type];
  const wanted = WANTED[condition.operator];
  const otherOf =
    condition.kind === 'compareField'
      ? (read: Read) => read(condition.other)
      : (read: Read) => {
          const cutOffDate = read(condition.cutOff);
          return isMissing(cutOffDate) ? null : dateAtOffset(String(cutOffDate), condition.offset);
        };
  const currencies = condition.kind === 'compareField' ? currenciesOf(condition) : null;
  return (read) => {
    const [value, other] = [read(field), otherOf(read)];
    if (isMissing(value) || isMissing(other)) return null;
    if (currencies) {
      const [currency, otherCurrency] = currencies.map(read);
      if (isMissing(currency) || currency !== otherCurrency) return null;
    }
    return wanted(order(value as Literal, other as Literal));
  };
}

const isMissing = (value: unknown): boolean => value === null || value === undefined;

function compileTest(
  condition: Exclude<Condition, { kind: 'exists' | 'compareField' | 'compareCutOff' }>,
): (value: Literal) => boolean {
  switch (condition.kind) {
    case 'compare': {
      const order = ORDERS[condition.field.type];
      const wanted = WANTED[condition.operator];
      return (value) => wanted(order(value, condition.value));
    }
    case 'list': {
      const order = ORDERS[condition.field.type];
      const listed = condition.operator === 'in';
      return (value) => condition.values.some((literal) => order(value, literal) === 0) === listed;
    }
    case 'like': {
      const matches = compilePattern(likePattern(condition.pattern));
      return (value) => matches(String(value));
    }
    case 'regex': {
      const matches = compilePattern(parsePattern(condition.pattern, condition.ignoreCase));
      return (value) => matches(String(value));
    }
  }
}

const WANTED: Record<Comparison, (order: number) => boolean> = {
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

/** Compares two known values of a type: below zero if the first comes first. */
const ORDERS: Record<FieldType, (a: Literal, b: Literal) => number> = {
  text: (a, b) => compareTexts(String(a), String(b)),
  number: (a, b) => Number(a) - Number(b),
  decimal: (a, b) => compareDecimals(String(a), String(b)),
  boolean: (a, b) => Number(a) - Number(b),
  date: (a, b) => compareTexts(String(a), String(b)),
  instant: (a, b) => Date.parse(String(a)) - Date.parse(String(b)),
};

/** By code point, as databases order UTF-8 bytes; JavaScript's `<` compares UTF-16 units. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const others = b[Symbol.iterator]();
  for (const character of a) {
    const other = others.next();
    if (other.done) return 1;
    const difference = (character.codePointAt(0) as number) - (other.value.codePointAt(0) as number);
    if (difference !== 0) return difference;
  }
  return -1;
}
