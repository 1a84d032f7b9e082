import type { DuckDBConnection } from '@duckdb/node-api';
import { USED_BY_ROW } from '@tapeline/domain/tapes/cell-reasons.ts';
import { ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, quoteText } from '@tapeline/lake/lake.ts';
import type { WholeTapeTarget } from './compile/compile.ts';

const row = quoteName(ROW_COLUMN);
const columnOf = ({ path }: WholeTapeTarget): string => quoteName(path);

/** The table of values that an earlier row has, each followed by the number of its occurrence. */
export const createOccurrences = (connection: DuckDBConnection) =>
  connection.run('CREATE OR REPLACE TABLE occurrences ("target" VARCHAR, "row" INTEGER, "value" VARCHAR)');

/** SQL for a value with the number of its occurrence: `Acme / 2500 (2)`. */
export const numbered = (value: string, nth: string): string => `concat(${value}, ' (', ${nth}, ')')`;

/**
 * Numbers the values of a field that an earlier row has, in the order of the sheet. Errored rows count, so that a value does
 * not depend on which rows are corrected.
 * @param rows the rows that have a value for the field
 */
export async function numberOccurrences(
  connection: DuckDBConnection,
  field: WholeTapeTarget,
  rows: string,
): Promise<void> {
  const value = columnOf(field);
  await connection.run(
    `INSERT INTO occurrences SELECT ${quoteText(field.path)}, ${row}, ${numbered('v', 'nth')}
     FROM (SELECT ${row}, ${value} AS v, row_number() OVER (PARTITION BY ${value} ORDER BY ${row}) AS nth FROM ${rows}) WHERE nth > 1`,
  );
}

/** The rows whose numbered value is that of another row as read, with the columns of `late_errors`. */
export function takenOccurrences(
  field: WholeTapeTarget,
  rows: string,
  lateError: (field: WholeTapeTarget, value: string, reason: string) => string,
): string {
  const reason = `concat(${quoteText(`${field.label} `)}, o."value", ${quoteText(USED_BY_ROW)}, min(r.${row}))`;
  return `SELECT o."row", ${lateError(field, 'o."value"', reason)}
    FROM (FROM occurrences WHERE "target" = ${quoteText(field.path)}) o JOIN ${rows} r ON r.${columnOf(field)} = o."value"
    GROUP BY o."row", o."value"`;
}

/** SELECT of rows with the numbered values in place of those as read. */
export function withOccurrences(rows: string, fields: readonly WholeTapeTarget[]): string {
  const used = fields.filter(({ isNumbered }) => isNumbered).map((field, at) => ({ field, side: `o${at}` }));
  const replaced = used.map(
    ({ field, side }) => `coalesce(${side}."value", a.${columnOf(field)}) AS ${columnOf(field)}`,
  );
  const joins = used.map(
    ({ field, side }) =>
      `LEFT JOIN (FROM occurrences WHERE "target" = ${quoteText(field.path)}) ${side} ON ${side}."row" = a.${row}`,
  );
  return `SELECT a.* REPLACE (${replaced.join(', ')}) FROM ${rows} a ${joins.join(' ')}`;
}
