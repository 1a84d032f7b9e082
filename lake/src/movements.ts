import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { AssetMovement } from '@tapeline/domain/pools/movements.ts';
import type { TapeFiles } from './asset-relation.ts';
import { type Lake, readParquet } from './lake.ts';
import { currencyOf, tapeColumn } from './tape-columns.ts';
import { fromLake } from './values.ts';

/** Two tapes of one company, the earlier first. */
export interface TapePair<Tape extends TapeFiles = TapeFiles> {
  readonly before: Tape;
  readonly after: Tape;
}

/**
 * How the assets of the earlier tape moved to the later one, matched by asset id, by state and currency. Assets without
 * an id are not followed. If several rows of the later tape share an id, the last one counts: a mapping need not check
 * for duplicates.
 * @param state SQL of an asset's state on a tape, never NULL
 */
export async function movements<From extends string, To extends string>(
  lake: Lake,
  pair: TapePair,
  state: (source: TapeFiles) => string,
): Promise<AssetMovement<From, To>[]> {
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT b.state, coalesce(a.state, 'vanished'), b.currency, count(*), sum(b.outstanding)
       FROM ${openingAssets(pair.before, state(pair.before))} b
       LEFT JOIN ${closingAssets(pair.after, state(pair.after))} a USING ("assetId")
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    );
    return read.getRows().map(([from, to, currency, count, opening]) => ({
      from: String(from) as From,
      to: String(to) as To,
      currency: currency === null ? null : String(currency),
      count: Number(count),
      opening: opening === null || opening === undefined ? null : String(fromLake(opening)),
    }));
  });
}

/** The assets of the earlier tape that have an id and can be followed. */
export function openingAssets(source: TapeFiles, state: string): string {
  return `(SELECT "row", "assetId", ${state} AS state, ${tapeColumn(source, 'sums.outstandingSum')} AS outstanding,
      ${currencyOf(source, 'sums.outstandingSum')} AS currency
    FROM ${readParquet(source.paths)} WHERE ${tapeColumn(source, 'assetId')} IS NOT NULL)`;
}

/** Each id of the later tape once, with its last row. */
function closingAssets(source: TapeFiles, state: string): string {
  return `(SELECT "assetId", arg_max(${state}, "row") AS state FROM ${readParquet(source.paths)}
    WHERE ${tapeColumn(source, 'assetId')} IS NOT NULL GROUP BY 1)`;
}

/** An asset that made one of the movements, with its values on both tapes. */
export interface MovedAsset {
  readonly assetId: string;
  /** Sheet rows; null if the asset is no longer listed. */
  readonly beforeRow: number;
  readonly afterRow: number | null;
  readonly outstanding: DecimalText | null;
  readonly currency: string | null;
  readonly daysBefore: number | null;
  readonly daysAfter: number | null;
}

/** The assets of one movement, those with the largest balance on the earlier tape first; `total` counts all of them. */
export async function movedAssets(
  lake: Lake,
  pair: TapePair,
  state: (source: TapeFiles) => string,
  movement: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<{ assets: MovedAsset[]; total: number }> {
  const { before, after } = pair;
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `WITH moved AS (
         SELECT b."assetId", b."row" AS before_row, a.latest."row" AS after_row, b.outstanding, b.currency, b.days,
           a.latest.days AS days_after
         FROM (SELECT opening.*, ${tapeColumn(before, 'daysPastDue')} AS days
           FROM ${openingAssets(before, state(before))} opening JOIN ${readParquet(before.paths)} USING ("row")) b
         LEFT JOIN (SELECT "assetId", arg_max({'row': "row", 'state': ${state(after)},
             'days': ${tapeColumn(after, 'daysPastDue')}}, "row") AS latest
           FROM ${readParquet(after.paths)} WHERE ${tapeColumn(after, 'assetId')} IS NOT NULL GROUP BY 1) a USING ("assetId")
         WHERE b.state = $1 AND coalesce(a.latest.state, 'vanished') = $2)
       SELECT *, (SELECT count(*) FROM moved) FROM moved
       ORDER BY outstanding DESC NULLS LAST, before_row LIMIT ${Math.trunc(movement.limit)}`,
      [movement.from, movement.to],
    );
    const rows = read.getRows().map((row) => row.map((value) => fromLake(value)));
    return {
      total: Number(rows[0]?.[7] ?? 0),
      assets: rows.map(([assetId, beforeRow, afterRow, outstanding, currency, daysBefore, daysAfter]) => ({
        assetId: String(assetId),
        beforeRow: Number(beforeRow),
        afterRow: afterRow === null ? null : Number(afterRow),
        outstanding: outstanding === null ? null : String(outstanding),
        currency: currency === null ? null : String(currency),
        daysBefore: daysBefore === null ? null : Number(daysBefore),
        daysAfter: daysAfter === null ? null : Number(daysAfter),
      })),
    };
  });
}
