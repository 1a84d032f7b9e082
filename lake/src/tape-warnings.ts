import type { DuckDBConnection } from '@duckdb/node-api';
import {
  implausibleConditions,
  implausibleReason,
  labelOfRange,
  PLAUSIBLE_RANGES,
  UNREAD_REASON,
} from '@tapeline/domain/tapes/plausible-ranges.ts';
import type { TapeWarnings } from '@tapeline/domain/tapes/tape.schema.ts';
import { hasUnread, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import { unreadColumn } from '@tapeline/domain/tapes/unread-column.ts';
import { quoteName } from './lake.ts';

type Warned = Omit<TapeWarnings['fields'][number], 'assets'>;

/** A warning, and when an asset has it: at most one of the conditions is true. */
export interface Judged {
  readonly warning: Warned;
  /** The lake column that is judged. */
  readonly column: string;
  readonly conditions: readonly string[];
}

/** The warnings that assets with these fields can have. */
export function judgedOf(fields: readonly TargetField[]): Judged[] {
  const columns = new Set(fields.flatMap((field) => field.columns.map(({ name }) => name)));
  return [
    ...PLAUSIBLE_RANGES.filter(({ column }) => columns.has(column)).map((range) => ({
      warning: { path: range.path, label: labelOfRange(range), reason: implausibleReason(range) },
      column: range.column,
      conditions: implausibleConditions(range, quoteName(range.column)),
    })),
    ...fields.filter(hasUnread).map(({ path, label }) => ({
      warning: { path, label, reason: UNREAD_REASON, isUnread: true as const },
      column: unreadColumn(path),
      conditions: [`${quoteName(unreadColumn(path))} IS NOT NULL`],
    })),
  ];
}

/**
 * Counts the assets that have a value outside the plausible range of its field, or a cell that could not be read, in total
 * and by field. It counts published assets, so rows that turn out to be errored only once the whole tape is known are left
 * out.
 * @param fields that the relation has
 */
export async function tapeWarnings(
  connection: DuckDBConnection,
  relation: string,
  fields: readonly TargetField[],
): Promise<TapeWarnings> {
  const judged = judgedOf(fields);
  if (judged.length === 0) return { assets: 0, fields: [] };
  // One query for each condition: Parquet stores the bounds and the NULLs of each row group, and DuckDB skips row groups
  // that cannot match.
  const parts = judged.flatMap(({ conditions }, index) =>
    conditions.map((condition) => `SELECT ${index} AS field, count(*) AS assets FROM ${relation} WHERE ${condition}`),
  );
  const counts = await connection.runAndReadAll(
    `SELECT field, sum(assets) FROM (${parts.join(' UNION ALL ')}) GROUP BY field HAVING sum(assets) > 0 ORDER BY field`,
  );
  const found = counts.getRows().map(([field, assets]) => ({ ...judged[Number(field)]!, assets: Number(assets) }));
  const counted = found.map(({ warning, assets }) => ({ ...warning, assets }));
  const [only, ...others] = found;
  // An asset with several such values counts once.
  if (!only || others.length === 0) return { assets: only?.assets ?? 0, fields: counted };
  const any = await connection.runAndReadAll(
    `SELECT count(*) FROM ${relation} WHERE ${found.flatMap(({ conditions }) => conditions).join(' OR ')}`,
  );
  return { assets: Number(any.getRows()[0]?.[0] ?? 0), fields: counted };
}
