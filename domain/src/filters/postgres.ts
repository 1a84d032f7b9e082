import type { Field, FieldType } from './catalog.ts';
import { type FilterSql, filterToSql, type SqlDialect } from './condition-sql.ts';
import type { Filter } from './filter.ts';
import { printPattern } from './pattern-sql.ts';

/**
 * The filter as a PostgreSQL condition with positional parameters `$firstParameter...`. `column` returns a field's
 * column as SQL: text, any number type, numeric, boolean, date or timestamptz by its type, or an array of it for a list.
 */
export function filterToPostgres(filter: Filter, column: (field: Field) => string, firstParameter = 1): FilterSql {
  return filterToSql(filter, column, firstParameter, POSTGRES);
}

const TYPES: Record<FieldType, string> = {
  text: 'text',
  number: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  instant: 'timestamptz',
};

const POSTGRES: SqlDialect = {
  literal: (type, _value, placeholder) => `CAST(${placeholder} AS ${TYPES[type]})`,
  // Texts are ordered by code point as everywhere else, whatever the database's collation.
  compare: (type, column, sign, literal) =>
    `(${type === 'text' && sign !== '=' && sign !== '<>' ? `${column} COLLATE "C"` : column} ${sign} ${literal})`,
  addDays: (date, days) => `(${date} + CAST(${days} AS integer))`,
  addMonths: (date, months) => `CAST(${date} + make_interval(months => CAST(${months} AS integer)) AS date)`,
  monthEnd: (date) =>
    `CAST(date_trunc('month', CAST(${date} AS timestamp)) + INTERVAL '1 month' - INTERVAL '1 day' AS date)`,
  list: (column, negated, literals) => `(${column} ${negated ? 'NOT IN' : 'IN'} (${literals.join(', ')}))`,
  matches: (column, placeholder) => `(${column} COLLATE "C" ~ CAST(${placeholder} AS text))`,
  lists: {
    some: (column, condition) =>
      `(CASE WHEN cardinality(${column}) > 0 THEN EXISTS (SELECT 1 FROM unnest(${column}) AS element WHERE ${condition}) END)`,
    hasSome: (column) => `(COALESCE(cardinality(${column}), 0) > 0)`,
  },
  printPattern: (pattern) => printPattern(pattern, 'postgres'),
};
