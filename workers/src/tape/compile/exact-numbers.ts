import { compare, decimalOf } from '@tapeline/domain/money/decimal.ts';
import { byTag } from './cells.ts';
import { EXACT } from './macros.ts';
import { type Fragment, raw, sql } from './sql.ts';
import { part, type Value } from './values.ts';

/**
 * Money stays exact through arithmetic. A number that was an amount, or was derived from one by adding, subtracting,
 * multiplying, min, max, absolute, negate or round, carries its decimal digits in the part `exact` next to its double.
 * The part is NULL if the digits do not fit (from 1e15 on, or a product with more than 12 decimals). In that case the
 * double is used.
 */
export function exactPart(value: Value): Fragment | null {
  if (value.kind === 'amount') return sql`CAST(${part(value)} AS ${EXACT})`;
  return value.kind === 'number' ? (value.parts.exact ?? null) : null;
}

/** A number with its exact digits, if it has any. */
export const withExact = (value: Value, exact: Fragment | null): Value =>
  exact === null ? value : { ...value, parts: { ...value.parts, exact } };

const NO_DIGITS = raw(`CAST(NULL AS ${EXACT})`);

/**
 * The digits of an operand that is combined with an amount: a text's own digits, or the 15 significant digits of a
 * double.
 * @param value the value before it was read as a number
 * @param read the number that was read from it
 */
export function digitsOf(value: Value, read: Fragment): Fragment {
  const exact = exactPart(value);
  if (exact) return value.kind === 'amount' ? exact : sql`coalesce(${exact}, tape_seen(${read}))`;
  switch (value.kind) {
    case 'cell':
      return byTag(
        value,
        { number: sql`tape_seen(${part(value, 'n')})`, text: sql`tape_exact(${part(value, 's')})` },
        NO_DIGITS,
      );
    case 'text':
      return sql`tape_exact(${part(value)})`;
    case 'missing':
      return NO_DIGITS;
    default:
      return sql`tape_seen(${read})`;
  }
}

/** The digits of a constant from the mapping. NULL if they do not fit. */
export function constantDigits(value: number): Fragment {
  const digits = decimalOf(value);
  const places = digits.split('.')[1]?.length ?? 0;
  const fits = places <= 20 && compare(digits.replace('-', ''), '1000000000000000') < 0;
  return fits ? raw(`CAST('${digits}' AS ${EXACT})`) : NO_DIGITS;
}
