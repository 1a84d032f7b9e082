import { POOL_CAUSE_LABELS, type PoolCause, type RollForward } from '@tapeline/domain/pools/roll-forward.ts';
import type { TapeSource } from './asset-relation.ts';
import { type Lake, readParquet } from './lake.ts';
import type { TapePair } from './movements.ts';
import { bucketColumn, currencyOf, holdsColumn, tapeColumn } from './tape-columns.ts';
import { fromLake } from './values.ts';

const BALANCE = 'sums.outstandingSum';
const CAUSES = Object.keys(POOL_CAUSE_LABELS) as PoolCause[];

const assets = (source: TapeSource): string =>
  `(SELECT ${tapeColumn(source, 'assetId')} AS id, ${tapeColumn(source, BALANCE)} AS balance,
      ${currencyOf(source, BALANCE)} AS currency, ${bucketColumn(source)} AS bucket
    FROM ${readParquet(source.paths)})`;

/** SQL of what decides whether the balances of a tape add up: rows, ids, balances, currencies and their total. */
const standing = (source: TapeSource, tape: 0 | 1): string =>
  `SELECT count(*) AS rows, count(DISTINCT id) AS ids, count(balance) AS balances, count(DISTINCT currency) AS currencies,
     min(currency) AS currency, coalesce(sum(balance), 0) AS total, ${tape} AS tape FROM ${assets(source)}`;

/**
 * Why the outstanding balance of one tape became that of the next, asset by asset. Null if that cannot be exact: an
 * asset without an id or a balance, an id that is listed twice, or balances in several currencies.
 */
export async function rollForward(lake: Lake, { before, after }: TapePair): Promise<RollForward | null> {
  if (![before, after].every((source) => holdsColumn(source, 'assetId') && holdsColumn(source, BALANCE))) return null;
  return lake.connected(async (connection) => {
    const sizes = await connection.runAndReadAll(
      `${standing(before, 0)} UNION ALL ${standing(after, 1)} ORDER BY tape`,
    );
    const [opening, closing] = sizes.getRows().map((row) => {
      const [rows, ids, balances, currencies, currency, total] = row.map((value) => fromLake(value));
      const isExact = rows === ids && rows === balances && currencies === 1;
      return { isExact, currency, size: { count: Number(rows), balance: String(total) } };
    });
    if (!opening?.isExact || !closing?.isExact || opening.currency !== closing.currency) return null;
    const changes = await connection.runAndReadAll(
      `SELECT CASE WHEN b.id IS NULL THEN 'added' WHEN a.id IS NULL THEN 'left'
           WHEN a.balance > b.balance THEN 'increased'
           WHEN a.bucket = 'chargedOff' AND b.bucket <> 'chargedOff' THEN 'chargedOff'
           WHEN a.bucket = 'paidOff' AND b.bucket <> 'paidOff' THEN 'paidOff' ELSE 'paid' END AS cause,
         count(*), sum(coalesce(a.balance, 0) - coalesce(b.balance, 0))
       FROM ${assets(before)} b FULL JOIN ${assets(after)} a ON a.id = b.id
       WHERE b.id IS NULL OR a.id IS NULL OR a.balance <> b.balance
       GROUP BY 1`,
    );
    const found = new Map(
      changes
        .getRows()
        .map(([cause, count, change]) => [
          String(cause),
          { count: Number(count), change: String(fromLake(change ?? null)) },
        ]),
    );
    return {
      currency: String(opening.currency),
      opening: opening.size,
      changes: CAUSES.flatMap((cause) => {
        const change = found.get(cause);
        return change ? [{ cause, ...change }] : [];
      }),
      closing: closing.size,
    };
  });
}
