import type { Field, FieldType } from './catalog.ts';
import { type FilterSql, filterToSql, joinBalanced, type SqlDialect } from './condition-sql.ts';
import type { Filter, Literal } from './filter.ts';
import { printPattern } from './pattern-sql.ts';

/**
 * The filter as a DuckDB condition with positional parameters `$firstParameter...`. `column` returns a field's column
 * as SQL: VARCHAR, DOUBLE (or an integer), DECIMAL, BOOLEAN, DATE or TIMESTAMPTZ by its type; NULL for an absent one.
 */
export function filterToDuckDb(filter: Filter, column: (field: Field) => string, firstParameter = 1): FilterSql {
  return filterToSql(filter, column, firstParameter, DUCKDB);
}

const TYPES: Record<Exclude<FieldType, 'decimal'>, string> = {
  text: 'VARCHAR',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  instant: 'TIMESTAMPTZ',
};

const DUCKDB: SqlDialect = {
  literal: (type, value, placeholder) =>
    `CAST(${placeholder} AS ${type === 'decimal' ? decimalType(value) : TYPES[type]})`,
  compare: (_type, column, sign, literal) => `(${column} ${sign} ${literal})`,
  addDays: (date, days) => `(${date} + CAST(${days} AS INTEGER))`,
  addMonths: (date, months) => `CAST(${date} + to_months(CAST(${months} AS INTEGER)) AS DATE)`,
  monthEnd: (date) => `last_day(${date})`,
  // Not IN (...): DuckDB turns a long list into a hash join, which loses the order of the rows.
  list: (column, negated, literals) =>
    joinBalanced(
      literals.map((literal) => `${column} ${negated ? '<>' : '='} ${literal}`),
      negated ? 'AND' : 'OR',
    ),
  matches: (column, placeholder) => `regexp_matches(${column}, CAST(${placeholder} AS VARCHAR))`,
  lists: null,
  printPattern: (pattern) => printPattern(pattern, 'duckdb'),
};

/** Just wide enough for the literal's own digits, so that neither it nor the compared column is rounded. */
function decimalType(value: Literal): string {
  const [whole = '', fraction = ''] = String(value).replace('-', '').split('.');
  return `DECIMAL(${whole.length + fraction.length}, ${fraction.length})`;
}
