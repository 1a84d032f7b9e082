import type { DuckDBConnection } from '@duckdb/node-api';
import {
  implausibleConditions,
  implausibleReason,
  implausibleSql,
  labelOfRange,
  PLAUSIBLE_RANGES,
} from '@tapeline/domain/tapes/plausible-ranges.ts';
import type { TapeWarnings } from '@tapeline/domain/tapes/tape.schema.ts';
import { quoteName } from './lake.ts';

/**
 * Counts the assets that have a value outside the plausible range of its field, in total and by field. It counts
 * published assets, so rows that turn out to be errored only once the whole tape is known are left out.
 * @param columns the columns of the relation
 */
export async function tapeWarnings(
  connection: DuckDBConnection,
  relation: string,
  columns: ReadonlySet<string>,
): Promise<TapeWarnings> {
  const judged = PLAUSIBLE_RANGES.filter(({ column }) => columns.has(column));
  if (judged.length === 0) return { assets: 0, fields: [] };
  // One query for each condition: Parquet stores the bounds of each row group, and DuckDB skips row groups that cannot
  // match.
  const parts = judged.flatMap((range, index) =>
    implausibleConditions(range, quoteName(range.column)).map(
      (condition) => `SELECT ${index} AS field, count(*) AS assets FROM ${relation} WHERE ${condition}`,
    ),
  );
  const counts = await connection.runAndReadAll(
    `SELECT field, sum(assets) FROM (${parts.join(' UNION ALL ')}) GROUP BY field HAVING sum(assets) > 0 ORDER BY field`,
  );
  const found = counts.getRows().map(([field, assets]) => ({ range: judged[Number(field)]!, assets: Number(assets) }));
  const fields = found.map(({ range, assets }) => ({
    path: range.path,
    label: labelOfRange(range),
    assets,
    reason: implausibleReason(range),
  }));
  const [only, ...others] = found;
  // An asset with several such values counts once.
  if (!only || others.length === 0) return { assets: only?.assets ?? 0, fields };
  const any = await connection.runAndReadAll(
    `SELECT count(*) FROM ${relation} WHERE ${found.map(({ range }) => implausibleSql(range, quoteName(range.column))).join(' OR ')}`,
  );
  return { assets: Number(any.getRows()[0]?.[0] ?? 0), fields };
}
