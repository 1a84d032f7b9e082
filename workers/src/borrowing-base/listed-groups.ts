import { listValue } from '@duckdb/node-api';
import type { Grouping } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { decimalOf, isDecimal } from '@tapeline/domain/money/decimal.ts';
import { SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import type { TapeParts } from './tape-parts.ts';

/** A position of one asset of each of these groups, by the group's name. Groups without an asset are left out. */
export async function positionsOfGroups(
  parts: TapeParts,
  { field, parent }: Grouping,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { known, sql } = comparedAs(field.type, names);
  if (parts.length === 0 || known.length === 0) return new Map();
  const own = parts.column(field);
  const key = sql(parent === null ? own : `coalesce(${parts.column(parent)}, ${own})`);
  const rows = await parts.rows(
    `SELECT k, CAST(min(p) AS INTEGER) FROM (SELECT ${quoteName(SEQUENCE_COLUMN)} AS p, ${key} AS k FROM ${parts.from})
     WHERE k IN (SELECT unnest($1)) GROUP BY k`,
    [listValue(known)],
  );
  return new Map(rows.map(([name, position]) => [String(name), Number(position)]));
}

/** The names that values of a type can have as groups, and the SQL that the values are compared with them by. */
function comparedAs(
  type: Field['type'],
  names: readonly string[],
): { known: readonly (string | number)[]; sql: (value: string) => string } {
  const asText = (value: string) => `CAST(${value} AS VARCHAR)`;
  switch (type) {
    case 'number':
      return {
        known: names.filter((name) => String(Number(name)) === name).map(Number),
        sql: (value) => `CAST(${value} AS DOUBLE)`,
      };
    case 'decimal':
      return {
        known: names.filter((name) => isDecimal(name) && decimalOf(name) === name),
        // Without the zeros after its last decimal.
        sql: (value) => `regexp_replace(${asText(value)}, '(\\.[0-9]*[1-9])0+$|\\.0+$', '\\1')`,
      };
    default:
      return { known: names, sql: asText };
  }
}
