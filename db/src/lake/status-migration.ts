import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { TapeSource } from './assets.ts';
import { type Lake, quoteName, readParquet } from './lake.ts';
import { NO_STATUS } from './statistics.ts';
import { fromLake } from './values.ts';

/** Assets that went from one status to another between two tapes. */
export interface StatusMove {
  from: string;
  /** Null: no longer on the later tape. */
  to: string | null;
  count: number;
  /** Outstanding on the earlier tape; null where it names no outstanding sum. */
  outstanding: DecimalText | null;
}

/** How the assets of the earlier tape moved to the later one, matched by asset id; null where either tape has no ids or statuses. */
export async function statusMigration(
  lake: Lake,
  tapes: { before: TapeSource; after: TapeSource },
): Promise<StatusMove[] | null> {
  const holds = (source: TapeSource, name: string) => source.columns.includes(name);
  const { before, after } = tapes;
  if (![before, after].every((source) => holds(source, 'assetId') && holds(source, 'assetStatus'))) return null;
  const sum = quoteName('sums.outstandingSum');
  const outstanding = holds(before, 'sums.outstandingSum') ? `sum(b.${sum})` : 'NULL::DECIMAL(38,4)';
  // A tape whose mapping does not check for it may have an id twice: its last row counts.
  const latest = `(SELECT "assetId", arg_max("assetStatus", "row") AS status, true AS found
    FROM ${readParquet(after.paths)} GROUP BY 1)`;
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT coalesce(b."assetStatus", '${NO_STATUS}'),
         CASE WHEN a.found THEN coalesce(a.status, '${NO_STATUS}') END, count(*), ${outstanding}
       FROM ${readParquet(before.paths)} b LEFT JOIN ${latest} a USING ("assetId")
       GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    return read.getRows().map(([from, to, count, total]) => ({
      from: String(from),
      to: to === null ? null : String(to),
      count: Number(count),
      outstanding: total === null || total === undefined ? null : String(fromLake(total, true)),
    }));
  });
}
